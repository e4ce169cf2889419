// Preferences: reads `Prefer` for the answer of an opening (RFC 7240).

import { answerWithinMs } from '@callgate/contract/wire/timing'

export interface Preference {
  /** Answers 202 when the outcome is not known by the end of the wait. Without `waitS` there is no wait. */
  readonly isAsync: boolean
  /** The longest wait for the outcome, seconds; undefined: the client sets no limit. */
  readonly waitS: number | undefined
}

/** The longest time from an opening's request to its answer, in milliseconds. */
export function patienceMs(preference: Preference | undefined): number {
  const waitS = preference?.waitS ?? (preference?.isAsync ? 0 : undefined)
  return waitS === undefined ? answerWithinMs : Math.min(waitS * 1000, answerWithinMs)
}

/** Reads `respond-async` and `wait=N`; of repeated ones the first. Unknown and malformed ones are ignored. */
export function readPreference(header: string | undefined): Preference | undefined {
  if (header === undefined) return undefined
  const given = new Map<string, string>()
  for (const preference of header.split(',')) {
    const [name = '', value = ''] = (preference.split(';')[0] ?? '').split('=')
    const known = name.trim().toLowerCase()
    if (!given.has(known)) given.set(known, value.trim().replace(/^"(.*)"$/, '$1'))
  }
  const wait = given.get('wait') ?? ''
  return {
    isAsync: given.has('respond-async'),
    waitS: /^[0-9]{1,9}$/.test(wait) ? Number(wait) : undefined,
  }
}
