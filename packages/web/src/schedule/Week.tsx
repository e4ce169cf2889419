// The week of an access: rows of days over 30 hours, with a bar for each stretch of time that a schedule allows.

import { wallNow } from '../words/time.ts'
import { useWords, type Words } from '../words/words.tsx'
import { type ScheduleForm, weekDays } from './scheduleForm.ts'
import { sentenceText } from './sentence.ts'
import { type Bar, barsOf, dayMinutes, rowMinutes } from './weekBars.ts'
import './Week.css'

/** A narrower bar has no room for its hours. */
const leastNamedMinutes = 200

const percent = (minutes: number) => `${(minutes / rowMinutes) * 100}%`

function nameOf({ day, ends, from, isCarried, starts, to }: Bar, words: Words['schedule']): string {
  if (to - from < leastNamedMinutes) return ''
  if (isCarried) return words.week.carried(words.shortDays[(day + 6) % 7] ?? '')
  return from === 0 && to === dayMinutes ? words.week.allDay : words.hours(starts, ends)
}

/** `2026-03-20T14:28` → its day and minute. */
function placeOf(wall: string | undefined): { day: number; minute: number } | undefined {
  if (wall === undefined) return undefined
  const day = new Date(`${wall.slice(0, 10)}T00:00:00Z`).getUTCDay()
  return { day, minute: Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16)) }
}

interface ShownBar extends Bar {
  /** For the schedule that is edited. */
  readonly isPicked: boolean
}

function Row(props: {
  readonly bars: readonly ShownBar[]
  readonly now: number | undefined
  readonly name: string
}) {
  const words = useWords().schedule
  const { bars, name, now } = props
  return (
    <div className={`week-row${now === undefined ? '' : ' week-today'}`}>
      <span className="week-day">{name}</span>
      <span className="week-track">
        {bars.map(bar => (
          <span
            key={`${bar.isPicked} ${bar.isCarried} ${bar.from}`}
            className={`week-bar${bar.isCarried ? ' week-carried' : ''}${bar.isPicked ? ' week-picked' : ''}`}
            style={{ insetInlineStart: percent(bar.from), width: percent(bar.to - bar.from) }}
          >
            {nameOf(bar, words)}
          </span>
        ))}
        {now !== undefined && <span className="week-now" style={{ insetInlineStart: percent(now) }} />}
      </span>
    </div>
  )
}

/** The hours of several schedules; `picked` is the place of the edited one. */
export function Week(props: {
  readonly forms: readonly ScheduleForm[]
  readonly picked: number | undefined
  /** Milliseconds since 1970, for the line of the current time. */
  readonly nowMs: number
}) {
  const { forms, nowMs, picked } = props
  const words = useWords()
  const says = words.schedule
  const bars = forms.flatMap((form, place) =>
    barsOf(form).map(bar => ({ ...bar, isPicked: place === picked && forms.length > 1 })),
  )
  const isOnceAlone = forms.every(({ repeats }) => repeats === 'one-shot')
  const zones = new Set(forms.map(({ timezone }) => timezone))
  const now = placeOf(wallNow(nowMs, forms[picked ?? 0]?.timezone ?? 'UTC'))
  if (isOnceAlone) return null
  return (
    <figure className="week">
      <div role="img" aria-label={says.week.label(sentenceText(forms, words))}>
        {weekDays.map(day => (
          <Row
            key={day}
            name={says.shortDays[day] ?? ''}
            bars={bars.filter(bar => bar.day === day)}
            now={now?.day === day ? now.minute : undefined}
          />
        ))}
        <div className="week-axis" aria-hidden="true">
          {[0, 6, 12, 18, 24].map(hour => (
            <span key={hour} style={{ insetInlineStart: percent(hour * 60) }}>
              {hour}
            </span>
          ))}
          <span className="week-after">{says.week.nextDay}</span>
        </div>
      </div>
      {zones.size > 1 && <figcaption className="small quiet">{says.week.zones}</figcaption>}
      {forms.some(({ repeats }) => repeats === 'one-shot') && (
        <figcaption className="small quiet">{says.week.once}</figcaption>
      )}
    </figure>
  )
}
