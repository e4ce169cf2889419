// Phone numbers as a person reads them.

/** The calling codes of two digits (ITU-T E.164). 1 and 7 have one digit, and all others three. */
const isOfTwo = /^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/** After which digits a gap comes: groups of three, but where a country writes its numbers otherwise. */
const gaps: Readonly<Record<string, RegExp>> = { 33: /\d(?=(\d\d)+$)/g, 44: /^\d{4}(?=\d)/g }
const ofThree = /\d{3}(?=\d{2})/g

/** `+40 722 987 654` of `+40722987654`. Another text stays as it is. */
export function sayNumber(number: string): string {
  if (!/^\+\d{7,15}$/.test(number)) return number
  const digits = number.slice(1)
  const code = digits.slice(0, /^[17]/.test(digits) ? 1 : isOfTwo.test(digits) ? 2 : 3)
  return `+${code} ${digits.slice(code.length).replaceAll(gaps[code] ?? ofThree, '$& ')}`
}
