// Phone numbers at the last door before the modem: what may be dialled, and how a log shows it.

import { numberRefusal } from '@callgate/contract/refusedNumbers'

const e164 = /^\+[1-9][0-9]{7,14}$/

/**
 * +999 belongs to no country, and no number of the North American plan goes on with 0 or 1: `+112…`, `+110…` and
 * `+999…` could only be an emergency number with something behind it. The bare ones are too short for E.164.
 */
const neverDialled = /^\+(?:999|1[01])/

/**
 * Whether `text` is E.164 in ASCII digits, no emergency number and of no refused range. The cloud has judged it by the same
 * table; this is the second pair of eyes.
 */
export function isDialable(text: string): boolean {
  return e164.test(text) && !neverDialled.test(text) && numberRefusal(text) === undefined
}

/** A dialable number as a log may show it: `+40*****456`. */
export function masked(phoneNumber: string): string {
  return `${phoneNumber.slice(0, 3)}*****${phoneNumber.slice(-3)}`
}
