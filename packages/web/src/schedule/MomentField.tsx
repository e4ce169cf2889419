// A day with a time of day, as the wall clock of a Space shows it.

import { useId, useState } from 'react'
import type { DayLimits } from '../kit/Calendar.tsx'
import { DateField } from '../kit/DateField.tsx'
import { dayTexts } from '../kit/dayTexts.ts'
import { Framed, saying } from '../kit/Field.tsx'
import { useWords } from '../words/words.tsx'
import { timeTyped } from './scheduleForm.ts'
import './MomentField.css'

/** The time of day as it is typed. What is none goes back to the last one when the field is left. */
function TimeOfDay(props: {
  readonly label: string
  readonly time: string
  readonly change: (time: string) => void
}) {
  const { change, label, time } = props
  const says = dayTexts(useWords())
  const [typed, setTyped] = useState<string>()
  const [fault, setFault] = useState<string>()
  const id = useId()
  /** False where it is no time of day. */
  function leave(): boolean {
    if (typed === undefined) return true
    const read = timeTyped(typed)
    setTyped(undefined)
    setFault(read === undefined ? says.noTime(typed) : undefined)
    if (read !== undefined) change(read)
    return read !== undefined
  }
  return (
    <Framed label={says.time} id={id} error={fault}>
      <input
        type="text"
        {...saying(id, { error: fault })}
        className="field-input"
        aria-label={says.timeOf(label)}
        inputMode="numeric"
        autoComplete="off"
        maxLength={8}
        value={typed ?? time}
        onChange={event => {
          setFault(undefined)
          setTyped(event.currentTarget.value)
        }}
        onBlur={leave}
        onKeyDown={event => {
          if (event.key === 'Enter' && !leave()) event.preventDefault()
        }}
      />
    </Framed>
  )
}

/** `value` is a wall clock, such as `2026-06-30T18:00`, or empty; then `usualTime` is what a chosen day begins with. */
export function MomentField(
  props: DayLimits & {
    readonly label: string
    readonly value: string
    readonly usualTime: string
    readonly none?: string
    readonly error?: string | undefined
    readonly change: (wall: string) => void
  },
) {
  const { change, error, label, usualTime, value, ...rest } = props
  const [day = '', typedTime] = value.split('T')
  const [time, setTime] = useState(typedTime ?? usualTime)
  const withTime = (day: string, time: string) => change(day === '' ? '' : `${day}T${time}`)
  return (
    <div className="moment">
      <DateField
        {...rest}
        label={label}
        value={day}
        error={error}
        change={day => withTime(day, typedTime ?? time)}
      />
      <TimeOfDay
        label={label}
        time={typedTime ?? time}
        change={time => {
          setTime(time)
          withTime(day, time)
        }}
      />
    </div>
  )
}
