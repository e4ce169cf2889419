// Phone numbers as the modem dials them: the grammar, what is never dialled, and how they are masked.

const e164 = /^\+[1-9][0-9]{7,14}$/

/**
 * Prefixes that no gate has. +999 is unassigned. No number after +1 begins with 0 or 1 (NANP), so +112… and +110… could
 * only be an emergency number followed by more digits.
 */
const neverDialled = /^\+(?:999|1[01])/

/** Whether `text` is E.164 in ASCII digits and cannot be an emergency or short number. */
export function isFullNumber(text: string): boolean {
  return e164.test(text) && !neverDialled.test(text)
}

/** `text` with every run of 6 or more digits masked, as in `+40*****456`. */
export function maskNumbers(text: string): string {
  return text.replace(/(\+?\d{2})\d+(\d{3})/g, '$1*****$2')
}
