// Reads a phone number as the cloud reads it, and its country. It is loaded when a number is typed.

import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

export interface ReadNumber {
  /** In the form of E.164. */
  readonly number: string
  /** ISO 3166; undefined where several countries share the calling code. */
  readonly country: string | undefined
}

/** `country` is the one of national numbers. Undefined for a text that can be no number; the cloud decides which it takes. */
export function readNumber(typed: string, country: string): ReadNumber | undefined {
  const digits = typed.replaceAll(/[\s().-]/g, '').replace(/^00/, '+')
  if (!/^\+?\d{6,15}$/.test(digits)) return undefined
  const home = !digits.startsWith('+') && isSupportedCountry(country) ? country : undefined
  const read = parsePhoneNumberFromString(digits, { extract: false, ...(home && { defaultCountry: home }) })
  return read?.isPossible() ? { number: read.number, country: read.country } : undefined
}
