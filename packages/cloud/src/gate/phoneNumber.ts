// Phone numbers: converts what a person typed to E.164, or to a sentence that names the broken rule. Pure.

import { refuse } from '@callgate/contract/app/refusals'
import { numberRefusal } from '@callgate/contract/number/refusedNumbers'
import type { Problem } from '@callgate/contract/rest/problem'
import { magicOf } from '@callgate/contract/sandbox/magicNumbers'
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/max'

type Refused = { readonly ok: false; readonly problem: Problem }
const refused = (problem: Problem): Refused => ({ ok: false, problem })

export type ReadPhoneNumber = { readonly ok: true; readonly phoneNumber: string } | Refused

const emergencyNumbers = new Set(['000', '061', '110', '111', '112', '118', '119', '911', '999', '995'])

/** The member of a body that has the number. */
type Field = 'phoneNumber' | 'callerNumber'

/** Why the country cannot be called, or the calling code where there is no country. */
function countryRefusal(number: PhoneNumber, may: ReadonlySet<string>): Problem | undefined {
  const { country, countryCallingCode } = number
  const told = { field: 'phoneNumber', allowed: [...may].join(', ') }
  if (country !== undefined)
    return may.has(country) ? undefined : refuse('number_country', { ...told, country })
  const codes: string[] = [...may].flatMap(code =>
    isSupportedCountry(code) ? [getCountryCallingCode(code)] : [],
  )
  return codes.includes(countryCallingCode)
    ? undefined
    : refuse('number_calling_code', { ...told, code: `+${countryCallingCode}` })
}

/** The typed text without its punctuation; a refusal when it contains anything that a number cannot have. */
function digitsOf(raw: string, field: Field): { readonly ok: true; readonly digits: string } | Refused {
  if (!/^[+0-9 ().-]*$/.test(raw)) return refused(refuse('number_characters', { field }))
  const digits = raw.replace(/[ ().-]/g, '')
  if (!/^\+?[0-9]+$/.test(digits)) return refused(refuse('number_without_digits', { field }))
  if (emergencyNumbers.has(digits.replace(/^\+/, ''))) return refused(refuse('number_short', { field }))
  return { ok: true, digits }
}

type Parsed = { readonly ok: true; readonly number: PhoneNumber; readonly isNational: boolean } | Refused

/** Parses what was typed: `+…`, `00…`, or national in `country`; by its form alone. */
function parse(raw: string, country: string, field: Field): Parsed {
  const typed = digitsOf(raw, field)
  if (!typed.ok) return typed
  const international = typed.digits.replace(/^00/, '+')
  const isNational = !international.startsWith('+')
  const home: CountryCode | undefined = isSupportedCountry(country) ? country : undefined
  if (isNational && !home) return refused(refuse('number_without_country', { field }))
  const count = international.replace('+', '').length
  if (count < (isNational ? 6 : 8) || count > 15 + (isNational ? 1 : 0))
    return refused(refuse('number_length', { field }))
  const options = { extract: false, ...(isNational && home && { defaultCountry: home }) }
  const number = parsePhoneNumberFromString(international, options)
  if (!number) return refused(refuse('number_unread', { field }))
  return { ok: true, number, isNational }
}

/** Why a parsed number cannot be one, whoever it belongs to. */
function lengthRefusal(
  { isNational, number }: Extract<Parsed, { ok: true }>,
  country: string,
  field: Field,
): Problem | undefined {
  if (!/^\+[1-9][0-9]{7,14}$/.test(number.number)) return refuse('number_length', { field })
  if (validatePhoneNumberLength(number.number) === 'TOO_LONG') return refuse('number_too_long', { field })
  return isNational && !number.isPossible() ? refuse('number_impossible', { field, country }) : undefined
}

/**
 * Reads a gate's phone number: `+…`, `00…`, or national in `country`. The raw string is checked first and the country second,
 * because the library alone accepts `+40722123456;AT+CMGS`. `allowedCountries` are ISO 3166 codes; the Space's own is always one
 * of them.
 */
export function readPhoneNumber(
  raw: string,
  { allowedCountries, country }: { country: string; allowedCountries: readonly string[] },
): ReadPhoneNumber {
  const field = 'phoneNumber'
  const parsed = parse(raw, country, field)
  if (!parsed.ok) return parsed
  const { number } = parsed
  const range = numberRefusal(number.number)
  const problem =
    (range && refuse('number_range', { field, ...range })) ??
    countryRefusal(number, new Set([...allowedCountries, country])) ??
    lengthRefusal(parsed, country, field)
  return problem ? refused(problem) : { ok: true, phoneNumber: number.number }
}

/** Reads the phone number of a gate in a sandbox: one of those that stand for an end of a call. */
export function readSandboxNumber(raw: string): ReadPhoneNumber {
  const field = 'phoneNumber'
  const phoneNumber = raw.replace(/[ ().-]/g, '').replace(/^00/, '+')
  return magicOf(phoneNumber) ? { ok: true, phoneNumber } : refused(refuse('number_of_sandbox', { field }))
}

/** Reads the number of a SIM card of a gateway. It is never called, so it may belong to any country. */
export function readCallerNumber(raw: string, country: string): ReadPhoneNumber {
  const field = 'callerNumber'
  const parsed = parse(raw, country, field)
  if (!parsed.ok) return parsed
  const problem = lengthRefusal(parsed, country, field)
  return problem ? refused(problem) : { ok: true, phoneNumber: parsed.number.number }
}

/** A number in the form for a log: `+40*****456`. */
export function maskedNumber(phoneNumber: string): string {
  return phoneNumber.length < 8 ? '*****' : `${phoneNumber.slice(0, 3)}*****${phoneNumber.slice(-3)}`
}
