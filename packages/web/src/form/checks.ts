// What is wrong with a value before it is sent: only what the limits of the contract tell, and what is plainly a slip.

import { type Limit, phoneDigits } from '@callgate/contract/limits'
import type { Words } from '../words/words.tsx'

/** What is wrong with a text; undefined when nothing is that the browser can know. */
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

/** A guess that finds slips of the fingers; the cloud decides. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())

/** What makes a link of a name in a mail. */
export const hasLink = (text: string): boolean => /:\/\/|www\./i.test(text)

/** A national number lacks the digits of its country. */
const leastNational = 6

/** A phone number, with its country or as it is dialled within one. Which number is one, the cloud decides. */
export function phoneCheck({ number: says }: Words['form'], options: { isNational: boolean }): TextCheck {
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
