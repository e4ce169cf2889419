// The next ten times that the schedules of an access allow, computed by the cloud with the rules that decide.

import type { PreviewedTime } from '@callgate/contract/rest/schedulePreview'
import type { Failure } from '../client/client.ts'
import { useRead } from '../client/reading.tsx'
import { useSettled } from '../clock.ts'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { sayRefusals } from '../words/problems.ts'
import { wallDay } from '../words/time.ts'
import { useWords, type Words } from '../words/words.tsx'
import { isWhole, type ScheduleForm, scheduleOf } from './scheduleForm.ts'

/** Typing counts as finished after this time, in milliseconds. */
const settlesAfterMs = 250
const minuteMs = 60_000
const dayMs = 86_400_000

function sayLength({ from, isAtLeast, to }: PreviewedTime, says: Words['schedule']['next']): string {
  if (to === null) return says.noEnd
  const ms = Date.parse(to) - Date.parse(from)
  const minutes = Math.ceil(ms / minuteMs)
  const length =
    ms >= 2 * dayMs ? says.days(Math.floor(ms / dayMs)) : says.hours(Math.floor(minutes / 60), minutes % 60)
  return isAtLeast ? `${says.atLeast} ${length}` : length
}

/** `22:00–06:00`; a window that ends later than the next morning names the day. */
function sayHours(
  { fromWall, isNow, toWall }: PreviewedTime,
  says: Words['schedule'],
  day: (wall: string) => string,
) {
  const from = isNow ? says.next.now : fromWall.slice(11)
  if (toWall === null) return from
  const isOneDay = toWall.slice(0, 10) === fromWall.slice(0, 10)
  const isNight = Date.parse(`${toWall}Z`) - Date.parse(`${fromWall}Z`) < dayMs
  if (isOneDay || isNight) return says.hours(from, toWall.slice(11))
  return says.hours(from, `${day(toWall)} ${toWall.slice(11)}`)
}

function Times({ times }: { readonly times: readonly PreviewedTime[] }) {
  const words = useWords()
  const says = words.schedule
  const day = (wall: string) => wallDay(wall, words.locale, { weekday: 'short', day: 'numeric' })
  return (
    <ol className="times">
      {times.map(time => (
        <li key={time.from} className={time.isNow ? 'times-now' : ''}>
          <span className="times-day">{day(time.fromWall)}</span>
          <span className="times-hours">{sayHours(time, says, day)}</span>
          <span className="times-length">{sayLength(time, says.next)}</span>
          {time.clockChange && <span className="times-clock">{says.next[time.clockChange]}</span>}
        </li>
      ))}
    </ol>
  )
}

/** The error in the schedules; in English without the place in their list. */
function sayRefused({ message, refusals }: Failure, words: Words): string {
  return sayRefusals(refusals, words) ?? message.replaceAll(/schedules\[\d+\]\./g, '')
}

/** The times that the schedules allow, or will once they are saved; none while the access is switched off. The last result stays until the answer to a change arrives. */
export function NextTimes({
  forms,
  isActive,
  isSaved,
}: {
  readonly forms: readonly ScheduleForm[]
  readonly isActive: boolean
  /** The cloud has these schedules. */
  readonly isSaved: boolean
}) {
  const words = useWords()
  const says = words.schedule.next
  const isComplete = forms.every(isWhole)
  // As text, because a stable value is recognised by equality.
  const asked = useSettled(isComplete ? JSON.stringify(forms.map(scheduleOf)) : '', settlesAfterMs)
  const preview = useRead(
    'previewSchedules',
    { body: { schedules: asked === '' ? [] : JSON.parse(asked) } },
    { isWanted: asked !== '' && isActive, keepsLast: true, everyMs: minuteMs },
  )
  const { failure, value } = preview
  const isRefused = failure?.code === 'validation_error'
  return (
    <section className="next-times" aria-label={says.title}>
      <h3>{says.title}</h3>
      <p className="small quiet" role="status">
        {!isComplete ? says.notWhole : !isActive ? says.isOff : isSaved ? says.asSaved : says.ifSaved}
      </p>
      {/* The times of other hours say nothing about the typed ones. */}
      {!isComplete || !isActive ? null : isRefused ? (
        <p className="editor-wrong">{sayRefused(failure, words)}</p>
      ) : failure ? (
        <NotRead what={says.title} of={preview} />
      ) : value?.state === 'coming' ? (
        <Times times={value.times} />
      ) : value ? (
        <p className="quiet">{says[value.state]}</p>
      ) : (
        <Skeleton bars={[29, 30, 31]} />
      )}
    </section>
  )
}
