// The texts of a gate's card, as pure functions of the read data.

import type { OpeningClass } from '@callgate/contract/call/openingClass'
import { missesThatTell } from '@callgate/contract/rest/gateHealth'
import { capital } from '../words/capital.ts'
import { textFor } from '../words/known.ts'
import { sayPerson } from '../words/person.ts'
import { dayAndMonth, daysBack, type TimeStyle, timeOfDay } from '../words/time.ts'
import type { Words } from '../words/words.tsx'
import type { ShownFigures, ShownOpening } from './gateCall.ts'

/** The context of a gate's texts: the language, the zone, the time, and the reader. */
export interface Reader {
  readonly words: Words
  readonly times: TimeStyle
  readonly nowMs: number
  readonly userId: string
}

/** The fields of an opening's record that the card and the timeline show. */
type Record = ShownOpening

/** The presser: `You`; `Ana Pop, by link`; `Desk (API)`. */
export function sayWho({ by, openedBy }: Pick<Record, 'by' | 'openedBy'>, { userId, words }: Reader): string {
  const { byKey, byLink, here, you } = words.openings
  const name = sayPerson(openedBy.name, words)
  if (by.kind === 'user') return by.id === userId ? you : here(name)
  return by.kind === 'member' ? byLink(name) : byKey(name.replace(/^api:/, ''))
}

const minuteMs = 60_000

/** The time: `just now`, `4 min ago`, `at 12:10`, `yesterday`, `on 2 February`. */
export function sayWhen(at: string, { nowMs, times, words }: Reader): string {
  const { when } = words.gates
  const minutes = Math.floor((nowMs - Date.parse(at)) / minuteMs)
  if (minutes < 1) return when.justNow
  if (minutes < 60) return when.minutesAgo(minutes)
  const days = daysBack(at, nowMs, times)
  if (days === 0) return when.at(timeOfDay(at, times))
  return days === 1 ? when.yesterday : when.on(dayAndMonth(at, nowMs, times))
}

/** The time of today, or else the day. */
function sayClock(at: string, { nowMs, times, words }: Reader): string {
  const days = daysBack(at, nowMs, times)
  if (days === 0) return timeOfDay(at, times)
  return days === 1 ? words.gates.when.yesterday : dayAndMonth(at, nowMs, times)
}

/** The two lines of the last opening. */
export function sayLast(figures: ShownFigures | undefined, reader: Reader): readonly [string, string] {
  const { gates } = reader.words
  const last = figures?.last
  if (!figures) return [gates.last.notRead, '']
  if (!last) return [gates.last.never, '']
  const who = sayWho(last, reader)
  const ageMs = reader.nowMs - Date.parse(last.calledAt)
  if (last.class === 'running') {
    // The button counts the seconds.
    const minutes = Math.floor(ageMs / minuteMs)
    const usualS = Math.round((figures.usualMs ?? 0) / 1_000)
    const usual = usualS === 0 ? '' : gates.last.usually(usualS)
    return [minutes < 1 ? gates.last.justNow(who) : gates.last.ago(who, gates.when.minutes(minutes)), usual]
  }
  const endedMs = reader.nowMs - Date.parse(last.completedAt ?? last.calledAt)
  if (last.class === 'opened' && endedMs < minuteMs) return [gates.last.took, gates.last.justNow(who)]
  if (figures.misses >= missesThatTell)
    return [gates.last.misses(figures.misses), gates.last.lastBy(who, sayClock(last.calledAt, reader))]
  const when = sayWhen(last.calledAt, reader)
  const isLongAgo = daysBack(last.calledAt, reader.nowMs, reader.times) === 1
  const below = isLongAgo ? `${timeOfDay(last.calledAt, reader.times)}, ${who}` : who
  if (last.class === 'opened') return [gates.last.opened(when), below]
  if (last.class === 'probably_opened') return [gates.last.probably(when), below]
  return [sayWhat(last, reader), `${who}, ${when}`]
}

/** A reason, and its possible cause, which stands after the semicolon of its text. */
const partsOf = (reason: string | null, { openings }: Words): readonly string[] =>
  textFor(openings.reasons, reason)?.split('; ') ?? []

/** The reason of an end without its possible cause; undefined where it is not known. */
export const sayReason = (reason: string | null, words: Words): string | undefined =>
  partsOf(reason, words)[0]

/** The possible cause of an end, or where to look, as a sentence; undefined where none is known. */
export function sayCause(reason: string | null, words: Words): string | undefined {
  const cause = partsOf(reason, words)[1]
  return cause && `${capital(cause, words)}.`
}

/** The result of an opening: `Did not open: the line was busy`. */
export function sayWhat(
  {
    class: kind,
    reason,
    seen,
    step,
  }: Pick<Record, 'class' | 'reason' | 'step'> & Partial<Pick<Record, 'seen'>>,
  { words }: Pick<Reader, 'words'>,
): string {
  const { because, classes, steps } = words.openings
  if (kind === 'running') return steps[step ?? 'asked']
  const known = sayReason(reason, words)
  // No cause where somebody saw the gate move, as after a test call.
  const isWrong = kind === 'unknown' && seen === 'moving'
  const isClear = kind === 'opened' || kind === 'probably_opened' || known === undefined || isWrong
  return isClear ? classes[kind] : because(classes[kind], known)
}

const tickKinds = [
  { kind: 'opened', classes: ['opened'], isGood: true },
  { kind: 'probably', classes: ['probably_opened'], isGood: true },
  { kind: 'didNot', classes: ['did_not_open', 'not_called'], isGood: false },
  { kind: 'unknown', classes: ['unknown'], isGood: false },
  { kind: 'denied', classes: ['denied'], isGood: false },
] as const satisfies readonly { readonly classes: readonly OpeningClass[]; [more: string]: unknown }[]

/** How often each kind of end is among the ticks, without those that are not. */
const countsOf = (ticks: readonly OpeningClass[]) =>
  tickKinds
    .map(({ classes, ...of }) => ({
      ...of,
      count: ticks.filter(tick => (classes as readonly OpeningClass[]).includes(tick)).length,
    }))
    .filter(({ count }) => count > 0)

/** The ticks in words, such as `20 opened, 3 did not open`. */
export function sayTicks(classes: readonly OpeningClass[], { words }: Reader): string {
  const says = words.gates.ticks
  const parts = countsOf(classes).map(({ count, kind }) => says[kind](count))
  return parts.join(', ') || says.none
}

/** The most letters that the line below the ticks of a card has room for. */
const lineLetters = 41

/** The same on one line of a card. Where it has no room for all, it says one kind that is good and one that is not, and counts the others. */
export function sayShortTicks(classes: readonly OpeningClass[], reader: Reader): string {
  const counts = countsOf(classes)
  if (counts.length === 0) return ''
  const whole = sayTicks(classes, reader)
  if (whole.length <= lineLetters) return whole
  const says = reader.words.gates.ticks
  const named = [
    ...counts.filter(({ isGood }) => isGood).slice(0, 1),
    ...counts.filter(({ isGood }) => !isGood).slice(0, 1),
  ]
  const others = named.reduce(
    (left, { count }) => left - count,
    classes.filter(one => one !== 'running').length,
  )
  const parts = named.map(({ count, kind }) => (kind === 'probably' ? says.shortProbably : says[kind])(count))
  return [...parts, ...(others > 0 ? [says.others(others)] : [])].join(', ')
}
