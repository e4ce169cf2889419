// Times as a guest reads them: on the wall clock of the gate's schedule, `22:00 today`.

import type { Language } from '@callgate/contract/rest/member'
import type { Schedule } from '@callgate/contract/rest/schedule'
import { zoneRules } from '@callgate/contract/time/zoneRules'
import { isoTime } from '@callgate/world/world'
import { allowedBy, decide, endsMs } from '../core/schedule/decide.ts'
import { fill } from '../text/fill.ts'
import { wallClockMs, zonedWords } from '../text/zonedTime.ts'
import type { Texts } from './texts/texts.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Months and days in European order, as in the mails. */
export const localeOf = (language: Language) => (language === 'en' ? 'en-GB' : language)

/** The language, the time zone and the present time of a text. */
export interface TimeContext {
  readonly language: Language
  readonly text: Texts
  /** Milliseconds since the epoch. */
  readonly nowMs: number
}

/** An instant on the wall clock of a zone. */
export interface ZonedTime {
  readonly atMs: number
  readonly timezone: string
}

/** `18:00`. */
export function clockWords({ atMs, timezone }: ZonedTime, language: Language): string {
  return zonedWords(atMs, timezone, localeOf(language), {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
}

const dayOf = (atMs: number, timezone: string) => Math.floor(wallClockMs(atMs, timezone) / dayMs)

/** The date, with the year when it is not this one. */
export function dateWords({ atMs, timezone }: ZonedTime, { language, nowMs }: TimeContext): string {
  const yearOf = (ms: number) => new Date(wallClockMs(ms, timezone)).getUTCFullYear()
  return zonedWords(atMs, timezone, localeOf(language), {
    day: 'numeric',
    month: 'long',
    ...(yearOf(atMs) !== yearOf(nowMs) && { year: 'numeric' }),
  })
}

/** `today`, `tomorrow`, the weekday within a week, else the date. */
export function dayWords(time: ZonedTime, context: TimeContext): string {
  const { atMs, timezone } = time
  const { language, nowMs } = context
  const days = dayOf(atMs, timezone) - dayOf(nowMs, timezone)
  const locale = localeOf(language)
  if (days === 0 || days === 1)
    return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day')
  if (days > 1 && days < 7) return zonedWords(atMs, timezone, locale, { weekday: 'long' })
  return dateWords(time, context)
}

/** `22:00 today`. The end of a day is written as 24:00 of that day. */
export function dayTimeWords(time: ZonedTime, context: TimeContext, isEnd = false): string {
  const words = clockWords(time, context.language)
  const isMidnight = isEnd && words === '00:00'
  const day = dayWords(isMidnight ? { ...time, atMs: time.atMs - 1 } : time, context)
  return fill(context.text.dayTime, { time: isMidnight ? '24:00' : words, day })
}

/** The distance within a day: `in 3 h 28 min`; undefined beyond it. */
export function distanceWords(atMs: number, { nowMs, text }: TimeContext): string | undefined {
  const minutes = Math.max(1, Math.ceil((atMs - nowMs) / 60_000))
  if (minutes >= 24 * 60) return undefined
  const values = { hours: Math.floor(minutes / 60), minutes: minutes % 60 }
  return fill(minutes < 60 ? text.inMinutes : text.inHours, values)
}

/** When a gate opens next. */
export interface NextTime extends ZonedTime {
  /** ISO 8601, UTC. */
  readonly at: string
  /** The zone, and the release of the rules that computed it: `Europe/Bucharest, tz 2026f`. */
  readonly rules: string
}

/** The instant at which an access opens next, in the zone of the schedule that allows it; undefined for null. */
export function nextTime(schedules: readonly Schedule[], atMs: number | null): NextTime | undefined {
  if (atMs === null) return undefined
  const timezone = schedules[allowedBy(schedules, atMs) ?? 0]?.timezone
  return timezone === undefined
    ? undefined
    : { at: isoTime(atMs), atMs, timezone, rules: `${timezone}, tz ${zoneRules.version}` }
}

/** Until when the schedules allow opening without a gap; undefined when there is no end, or no known one. */
export function allowedUntil(schedules: readonly Schedule[], nowMs: number): ZonedTime | undefined {
  const decision = decide(schedules, nowMs)
  if (!decision.allowed || decision.untilMs === null || decision.isAtLeast) return undefined
  const timezone = schedules[decision.scheduleIndex]?.timezone
  return timezone === undefined ? undefined : { atMs: decision.untilMs, timezone }
}

/**
 * When the last schedule of an ended access expired; undefined where a schedule never expires, or expires in the future: the
 * access has ended then because no window is left before that.
 */
export function endedAt(schedules: readonly Schedule[], nowMs: number): ZonedTime | undefined {
  const atMs = endsMs(schedules)
  const last = schedules.find(schedule => endsMs([schedule]) === atMs)
  return atMs === null || atMs > nowMs || !last ? undefined : { atMs, timezone: last.timezone }
}
