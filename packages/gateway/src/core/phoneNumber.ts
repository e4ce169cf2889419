// A last check of phone numbers before the modem: which may be dialled, and how a log shows them.

import { numberRefusal } from '@callgate/contract/number/refusedNumbers'

const e164 = /^\+[1-9][0-9]{7,14}$/

/**
 * Whether `text` is E.164 in ASCII digits and outside every refused range. This is a second check: the cloud has applied the same
 * table. Emergency numbers are too short for E.164.
 */
export function isDialable(text: string): boolean {
  return e164.test(text) && numberRefusal(text) === undefined
}

/** A dialable number in the form for logs: `+40*****456`. */
export function masked(phoneNumber: string): string {
  return `${phoneNumber.slice(0, 3)}*****${phoneNumber.slice(-3)}`
}
