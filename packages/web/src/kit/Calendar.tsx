// One month as a grid of days: arrows, Page Up and Page Down move, Enter chooses.

import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { wallDay } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import { IconButton } from './Button.tsx'
import { dayByKey, firstWeekday, monthsLater, weeksOf } from './dayText.ts'
import { dayTexts } from './dayTexts.ts'
import { icons } from './icons.tsx'

export interface DayLimits {
  readonly min?: string | undefined
  readonly max?: string | undefined
}

const isAllowed = (day: string, { max, min }: DayLimits) =>
  (min === undefined || day >= min) && (max === undefined || day <= max)

/** The nearest day within the limits. */
function within(day: string, { max, min }: DayLimits): string {
  if (min !== undefined && day < min) return min
  return max !== undefined && day > max ? max : day
}

/** Escape closes the calendar, and not the dialog below it. */
const ownEscape = { 'data-mantine-stop-propagation': true }

/** A name between the buttons to the one before and after it. */
function Stepper(props: {
  readonly shown: string
  readonly before: string
  readonly after: string
  readonly step: (by: 1 | -1) => void
}) {
  const { after, before, shown, step } = props
  return (
    <span className="calendar-stepper">
      <IconButton {...ownEscape} label={before} onClick={() => step(-1)}>
        <icons.previous size={18} />
      </IconButton>
      <b aria-live="polite">{shown}</b>
      <IconButton {...ownEscape} label={after} onClick={() => step(1)}>
        <icons.next size={18} />
      </IconButton>
    </span>
  )
}

/** The grid of the month of `at`, which is the day that the keys move from. */
function Days(props: {
  readonly at: string
  readonly chosen: string
  readonly today: string
  readonly limits: DayLimits
  readonly current: RefObject<HTMLButtonElement | null>
  readonly move: (day: string) => void
  readonly choose: (day: string) => void
}) {
  const { at, choose, chosen, current, limits, move, today } = props
  const { locale } = useWords()
  const firstDay = firstWeekday(locale)
  const weeks = weeksOf(at, firstDay)
  function onKey(event: KeyboardEvent) {
    const to = dayByKey(at, { key: event.key, isShifted: event.shiftKey }, firstDay)
    if (to === undefined) return
    event.preventDefault()
    move(to)
  }
  return (
    <table className="calendar-days">
      <thead>
        <tr>
          {weeks[0]?.map(day => (
            <th key={day} scope="col" abbr={wallDay(day, locale, { weekday: 'long' })}>
              {wallDay(day, locale, { weekday: 'narrow' })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map(week => (
          <tr key={week[0]}>
            {week.map(day => (
              <td key={day}>
                {day.slice(0, 7) === at.slice(0, 7) && (
                  <button
                    {...ownEscape}
                    type="button"
                    ref={day === at ? current : undefined}
                    tabIndex={day === at ? 0 : -1}
                    data-autofocus={day === at || undefined}
                    aria-label={wallDay(day, locale, {
                      weekday: 'long',
                      day: 'numeric',
                      month: 'long',
                      year: 'numeric',
                    })}
                    aria-current={day === today ? 'date' : undefined}
                    aria-pressed={day === chosen}
                    disabled={!isAllowed(day, limits)}
                    onKeyDown={onKey}
                    onClick={() => choose(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** `day`: the chosen one, or empty. `none`: what no day means, where that can be chosen. */
export function Calendar(props: {
  readonly day: string
  readonly today: string
  readonly limits: DayLimits
  readonly none: string | undefined
  readonly choose: (day: string) => void
}) {
  const { choose, day, limits, none, today } = props
  const words = useWords()
  const { locale } = words
  const says = dayTexts(words)
  const [at, setAt] = useState(() => within(day === '' ? today : day, limits))
  const current = useRef<HTMLButtonElement>(null)
  const [moved, setMoved] = useState(0)
  useEffect(() => {
    if (moved > 0) current.current?.focus()
  }, [moved])
  const step = (months: number) => setAt(within(monthsLater(at, months), limits))
  return (
    <div className="calendar">
      <div className="calendar-head">
        <Stepper
          shown={wallDay(at, locale, { month: 'long' })}
          before={says.previousMonth}
          after={says.nextMonth}
          step={by => step(by)}
        />
        <Stepper
          shown={at.slice(0, 4)}
          before={says.previousYear}
          after={says.nextYear}
          step={by => step(12 * by)}
        />
      </div>
      <Days
        at={at}
        chosen={day}
        today={today}
        limits={limits}
        current={current}
        move={to => {
          setAt(within(to, limits))
          setMoved(moved + 1)
        }}
        choose={choose}
      />
      {none !== undefined && day !== '' && (
        <button {...ownEscape} type="button" className="link small" onClick={() => choose('')}>
          {none}
        </button>
      )}
    </div>
  )
}
