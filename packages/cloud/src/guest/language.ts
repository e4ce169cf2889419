// Which language the guest's page speaks, and how it writes a time.

import { type Language, languages } from '@callgate/contract/rest/member'
import type { Schedule } from '@callgate/contract/rest/schedule'
import type { Context } from 'koa'
import { allowedBy, decide } from '../core/schedule/decide.ts'

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

/**
 * When the schedules allow opening next, in words and in the zone of the schedule that does, with the year when it is not
 * this one; undefined when never.
 */
export function nextAllowed(
  schedules: readonly Schedule[],
  nowMs: number,
  language: Language,
): string | undefined {
  const decision = decide(schedules, nowMs)
  if (decision.allowed || decision.nextMs === null) return undefined
  const next = allowedBy(schedules, decision.nextMs)
  const timeZone = next === undefined ? undefined : schedules[next]?.timezone
  if (timeZone === undefined) return undefined
  const yearOf = (atMs: number) => new Intl.DateTimeFormat('en', { year: 'numeric', timeZone }).format(atMs)
  // Months and days in the order of Europe, as the mails have them.
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    ...(yearOf(decision.nextMs) !== yearOf(nowMs) && { year: 'numeric' }),
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  })
  return format.format(decision.nextMs)
}
