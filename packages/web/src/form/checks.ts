// Checks of a value before it is sent: only the limits of the contract, and obvious slips.

import { type Limit, phoneDigits } from '@callgate/contract/limits'
import type { FirstWords } from '../words/words.tsx'

/** The error in a text; undefined when the browser can find none. */
export type TextCheck = (value: string) => string | undefined

/** The length of a text, counted as the API does: code points without the blanks around them. */
export const lengthOf = (text: string): number => [...text.trim()].length

/** A whole number within these limits. */
export function isWhole(text: string, { least, most }: Limit): boolean {
  const digits = text.trim()
  return /^\d{1,9}$/.test(digits) && Number(digits) >= least && Number(digits) <= most
}

/** Limits of milliseconds in seconds. */
export const secondsOf = ({ least, most }: Limit): Limit => ({ least: least / 1_000, most: most / 1_000 })

/** A guess that finds typing errors; the cloud decides. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())

/** Characters that would turn a name in a mail into a link. */
export const hasLink = (text: string): boolean => /:\/\/|www\./i.test(text)

/** A national number lacks the country code. */
const leastNational = 6

/** A phone number, with its country code or in national form. The cloud decides which numbers are valid. */
export function phoneCheck(
  { number: says }: FirstWords['form'],
  options: { isNational: boolean },
): TextCheck {
  const { least, most } = phoneDigits
  return value => {
    if (!/^[+\d\s().-]*$/.test(value)) return says.wrong
    const isInternational = /^\s*(\+|00)/.test(value)
    const digits = value.replaceAll(/\D/g, '')
    const { length } = options.isNational && isInternational ? digits.replace(/^00/, '') : digits
    if (length < (options.isNational && !isInternational ? leastNational : least))
      return says.short(least, most)
    return length > most ? says.long(least, most) : undefined
  }
}
