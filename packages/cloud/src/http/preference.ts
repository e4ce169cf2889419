// Preferences: what `Prefer` asks of an opening's answer (RFC 7240).

import { answerWithinMs } from '@callgate/contract/wire/timing'

export interface Preference {
  /** Answer 202 when the outcome is not known by the end of the wait, which is none unless `waitS` says more. */
  readonly isAsync: boolean
  /** How long to wait for the outcome at most, seconds; undefined: without a limit of the client. */
  readonly waitS: number | undefined
}

/** Milliseconds from an opening's request until its answer, at most. */
export function patienceMs(preference: Preference | undefined): number {
  const waitS = preference?.waitS ?? (preference?.isAsync ? 0 : undefined)
  return waitS === undefined ? answerWithinMs : Math.min(waitS * 1000, answerWithinMs)
}

/** Reads `respond-async` and `wait=N`; of repeated ones the first. Others, and what is malformed, are ignored. */
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
