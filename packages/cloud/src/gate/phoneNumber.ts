// Phone numbers: what a person typed, as E.164 or as a sentence that names the broken rule. Pure.

import { numberRefusal } from '@callgate/contract/number/refusedNumbers'
import { refusedKinds } from '@callgate/contract/number/refusedRanges'
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/max'

export type ReadPhoneNumber =
  | { readonly ok: true; readonly phoneNumber: string }
  | { readonly ok: false; readonly message: string }

const emergencyNumbers = new Set(['000', '061', '110', '111', '112', '118', '119', '911', '999', '995'])

function refused(rule: string): ReadPhoneNumber {
  return { ok: false, message: `phoneNumber ${rule}` }
}

/** Why the country cannot be called, or the calling code where there is no country. */
function countryRefusal(number: PhoneNumber, allowed: ReadonlySet<string>): string | undefined {
  const whatMay = `; allowed are ${[...allowed].join(', ')}. The operator of the service can change this list`
  if (number.country !== undefined)
    return allowed.has(number.country)
      ? undefined
      : `belongs to a country that may not be called (${number.country})${whatMay}`
  const codes: string[] = [...allowed].flatMap(code =>
    isSupportedCountry(code) ? [getCountryCallingCode(code)] : [],
  )
  return codes.includes(number.countryCallingCode)
    ? undefined
    : `has a calling code that may not be called (+${number.countryCallingCode})${whatMay}`
}

/** What was typed, without its punctuation; a refusal when it holds anything that a number cannot have. */
function digitsOf(
  raw: string,
): { readonly ok: true; readonly digits: string } | { readonly ok: false; readonly rule: string } {
  if (!/^[+0-9 ().-]*$/.test(raw)) return { ok: false, rule: 'may contain only digits, spaces and + ( ) - .' }
  const digits = raw.replace(/[ ().-]/g, '')
  if (!/^\+?[0-9]+$/.test(digits))
    return { ok: false, rule: 'must have digits, with at most one + in front of them' }
  if (emergencyNumbers.has(digits.replace(/^\+/, '')))
    return { ok: false, rule: 'is an emergency or short number, which is never called' }
  return { ok: true, digits }
}

/** Why a number in E.164 is never called, whatever its country, as a part of a message. */
export function rangeRefusal(phoneNumber: string): string | undefined {
  const refusal = numberRefusal(phoneNumber)
  return refusal && `begins with ${refusal.prefix}, ${refusedKinds[refusal.kind]}, which is never called`
}

type Parsed =
  | { readonly ok: true; readonly number: PhoneNumber; readonly isNational: boolean }
  | { readonly ok: false; readonly rule: string }

/** Reads what was typed: `+…`, `00…`, or national in `country`; by its form alone. */
function parse(raw: string, country: string): Parsed {
  const refuse = (rule: string) => ({ ok: false, rule }) as const
  const typed = digitsOf(raw)
  if (!typed.ok) return refuse(typed.rule)
  const international = typed.digits.replace(/^00/, '+')
  const isNational = !international.startsWith('+')
  const home: CountryCode | undefined = isSupportedCountry(country) ? country : undefined
  if (isNational && !home) return refuse('must begin with + and the country code')
  const count = international.replace('+', '').length
  if (count < (isNational ? 6 : 8) || count > 15 + (isNational ? 1 : 0))
    return refuse('must have 8 to 15 digits')
  const options = { extract: false, ...(isNational && home && { defaultCountry: home }) }
  const number = parsePhoneNumberFromString(international, options)
  if (!number) return refuse('is not a phone number')
  return { ok: true, number, isNational }
}

/** Why a parsed number cannot be one, whoever it belongs to. */
function lengthRefusal(
  { isNational, number }: Extract<Parsed, { ok: true }>,
  country: string,
): string | undefined {
  if (!/^\+[1-9][0-9]{7,14}$/.test(number.number)) return 'must have 8 to 15 digits'
  if (validatePhoneNumberLength(number.number) === 'TOO_LONG') return 'is too long for its country'
  return isNational && !number.isPossible() ? `is not a possible number in ${country}` : undefined
}

/**
 * Reads a gate's phone number: `+…`, `00…`, or national in `country`. The raw string is checked first and the country
 * second, since the library alone calls `+40722123456;AT+CMGS` valid. `allowedCountries` are ISO 3166 codes; the
 * Space's own is always one of them.
 */
export function readPhoneNumber(
  raw: string,
  { allowedCountries, country }: { country: string; allowedCountries: readonly string[] },
): ReadPhoneNumber {
  const parsed = parse(raw, country)
  if (!parsed.ok) return refused(parsed.rule)
  const { number } = parsed
  const rule =
    rangeRefusal(number.number) ??
    countryRefusal(number, new Set([...allowedCountries, country])) ??
    lengthRefusal(parsed, country)
  return rule === undefined ? { ok: true, phoneNumber: number.number } : refused(rule)
}

/** Reads the number of a SIM card of a gateway. It is never called, so it may belong to any country. */
export function readCallerNumber(raw: string, country: string): ReadPhoneNumber {
  const parsed = parse(raw, country)
  const rule = parsed.ok ? lengthRefusal(parsed, country) : parsed.rule
  if (parsed.ok && rule === undefined) return { ok: true, phoneNumber: parsed.number.number }
  return { ok: false, message: `callerNumber ${rule}` }
}

/** A number as a log may show it: `+40*****456`. */
export function maskedNumber(phoneNumber: string): string {
  return phoneNumber.length < 8 ? '*****' : `${phoneNumber.slice(0, 3)}*****${phoneNumber.slice(-3)}`
}
