// Which language the guest's page speaks, and how it writes a time.

import { type Language, languages } from '@callgate/contract/rest/member'
import type { Schedule } from '@callgate/contract/rest/schedule'
import { zoneRules } from '@callgate/contract/time/zoneRules'
import { isoTime } from '@callgate/world/world'
import type { Context } from 'koa'
import { allowedBy, decide } from '../core/schedule/decide.ts'
import { wallClockMs, zonedWordsAndClock } from '../text/zonedTime.ts'

export function isLanguage(word: unknown): word is Language {
  return languages.some(language => language === word)
}

/** The language that the member picked, else one that the browser asks for, else the Space's, else English. */
export function chooseLanguage(
  ctx: Context,
  preferredLanguage: string | null,
  spaceLanguage: string | undefined,
): Language {
  if (isLanguage(preferredLanguage)) return preferredLanguage
  // The first is for a browser that names no language, or accepts any.
  const standard = isLanguage(spaceLanguage) ? spaceLanguage : 'en'
  const accepted = ctx.acceptsLanguages(standard, ...languages)
  return isLanguage(accepted) ? accepted : standard
}

/** When a gate opens next, for a person. */
export interface NextTime {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly words: string
  /** The zone, and the release of the rules that it was reckoned by: `Europe/Bucharest, tz 2026f`. */
  readonly rules: string
}

/**
 * When the schedules allow opening next, in the zone of the schedule that does, with the year when it is not this one;
 * undefined when never.
 */
export function nextAllowed(
  schedules: readonly Schedule[],
  nowMs: number,
  language: Language,
): NextTime | undefined {
  const decision = decide(schedules, nowMs)
  if (decision.allowed || decision.nextMs === null) return undefined
  const { nextMs } = decision
  const next = allowedBy(schedules, nextMs)
  const timezone = next === undefined ? undefined : schedules[next]?.timezone
  if (timezone === undefined) return undefined
  const yearOf = (atMs: number) => new Date(wallClockMs(atMs, timezone)).getUTCFullYear()
  // Months and days in the order of Europe, as the mails have them.
  const words = zonedWordsAndClock(nextMs, timezone, language === 'en' ? 'en-GB' : language, {
    ...(yearOf(nextMs) !== yearOf(nowMs) && { year: 'numeric' }),
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return { at: isoTime(nextMs), words, rules: `${timezone}, tz ${zoneRules.version}` }
}
