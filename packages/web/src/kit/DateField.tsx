// The field of a day, in the language of the page: typed, or chosen in a calendar.

import { Popover } from '@mantine/core'
import { type KeyboardEvent, useId, useState } from 'react'
import { useSpace } from '../client/session.tsx'
import { nowMs } from '../clock.ts'
import { wallNow } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import { Calendar, type DayLimits } from './Calendar.tsx'
import { readDay, sayDay } from './dayText.ts'
import { dayTexts } from './dayTexts.ts'
import { Framed, saying } from './Field.tsx'
import { icons } from './icons.tsx'
import './DateField.css'

interface DateFieldProps extends DayLimits {
  readonly label: string
  /** `2026-06-30`; empty: no day. It never is a text that is no day. */
  readonly value: string
  readonly change: (day: string) => void
  /** What no day means, such as `no limit`. Absent: there must be a day. */
  readonly none?: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
}

/** What is typed until the field is left, and why it was no day. Then the field shows the last day again. */
function useTypedDay({ change, max, min, none, value }: DateFieldProps) {
  const words = useWords()
  const { locale } = words
  const says = dayTexts(words)
  const [typed, setTyped] = useState<string>()
  const [fault, setFault] = useState<string>()

  /** Why a typed text cannot be taken; undefined where it can. */
  function faultOf(text: string, day: string | undefined): string | undefined {
    if (text === '' && none !== undefined) return undefined
    if (day === undefined) return says.unread(text, sayDay(min ?? max ?? '2026-06-30', locale))
    if (min !== undefined && day < min) return says.tooEarly(text, sayDay(min, locale))
    return max !== undefined && day > max ? says.tooLate(text, sayDay(max, locale)) : undefined
  }

  /** Takes over what was typed. False where it is no day. */
  function leave(): boolean {
    if (typed === undefined) return true
    const text = typed.trim()
    const day = readDay(text, locale)
    const wrong = faultOf(text, day)
    setTyped(undefined)
    setFault(wrong)
    if (wrong === undefined) change(day ?? '')
    return wrong === undefined
  }
  return {
    shown: typed ?? (value === '' ? '' : sayDay(value, locale)),
    fault,
    type(text: string) {
      setFault(undefined)
      setTyped(text)
    },
    leave,
    choose(day: string) {
      setFault(undefined)
      setTyped(undefined)
      change(day)
    },
  }
}

export function DateField(props: DateFieldProps) {
  const { hint, label, max, min, none, value } = props
  const { timezone } = useSpace().space
  const words = useWords()
  const says = dayTexts(words)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { choose, fault, leave, shown, type } = useTypedDay(props)
  const error = fault ?? props.error
  function onKey(event: KeyboardEvent) {
    // A form is not sent with a text that is no day.
    if (event.key === 'Enter' && !leave()) event.preventDefault()
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    leave()
    setOpen(true)
  }
  return (
    <Framed label={label} id={id} hint={hint} error={error}>
      <span className="date-field">
        <input
          type="text"
          {...saying(id, { error, hint })}
          className="field-input"
          autoComplete="off"
          placeholder={none}
          value={shown}
          onChange={event => type(event.currentTarget.value)}
          onBlur={leave}
          onKeyDown={onKey}
        />
        <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus>
          <Popover.Target>
            <button
              type="button"
              className="date-field-open"
              aria-label={value === '' ? says.choose(label) : says.chosen(label, sayDay(value, words.locale))}
              onClick={() => setOpen(!isOpen)}
            >
              <icons.calendar size={18} />
            </button>
          </Popover.Target>
          <Popover.Dropdown>
            <Calendar
              day={value}
              today={(wallNow(nowMs(), timezone) ?? new Date(nowMs()).toISOString()).slice(0, 10)}
              limits={{ min, max }}
              none={none}
              choose={day => {
                choose(day)
                setOpen(false)
              }}
            />
          </Popover.Dropdown>
        </Popover>
      </span>
    </Framed>
  )
}
