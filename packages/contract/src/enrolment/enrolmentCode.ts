// The code of an enrolment: 80 random bits as a person types them, with a check that catches typos.

/** Crockford's Base32: no I, L, O and U, which people take for others. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const randomBytes = 10
const length = 18
const groupLength = 6
/** The largest prime below 32 × 32, which two characters can hold. */
const modulus = 1021n

/** The length of the first group, which identifies the enrolment and is not secret. */
export const codeNameLength = groupLength

export type ReadCode =
  | { readonly ok: true /** Without dashes, in capitals. */; readonly code: string; readonly name: string }
  | { readonly ok: false; readonly message: string }

function lettersOf(number: bigint, count: number): string {
  return Array.from({ length: count }, (_, place) => {
    const digit = (number >> BigInt(5 * (count - 1 - place))) & 31n
    return alphabet[Number(digit)] ?? ''
  }).join('')
}

/**
 * The code for 10 random bytes, without dashes. As a number to the base 32 it is a multiple of 1021, so that one wrong character,
 * or two swapped neighbours, are always detected.
 */
export function newEnrolmentCode(random: Uint8Array): string {
  if (random.length !== randomBytes) throw new Error(`a code has ${randomBytes} bytes, not ${random.length}`)
  const shifted = BigInt(`0x${Buffer.from(random).toString('hex')}`) << 10n
  return lettersOf(shifted + ((modulus - (shifted % modulus)) % modulus), length)
}

/** `ABCDEF-GHJKMN-PQRSTV`, as people read and type it. */
export function groupedCode(code: string): string {
  return (code.match(/.{1,6}/g) ?? []).join('-')
}

const nameOf = (code: string) => code.slice(0, codeNameLength)

/** Reads a typed code: case, spaces and dashes are ignored, and O, I and L are read as 0 and 1. */
export function readEnrolmentCode(typed: string): ReadCode {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  if (code.length !== length)
    return {
      ok: false,
      message: `A code has ${length} letters and digits in three groups, such as 7H2KQM-3XW9TB-R4VN80; this has ${code.length}.`,
    }
  const digits = [...code].map(letter => alphabet.indexOf(letter))
  const wrong = [...code].find((_, place) => digits[place] === -1)
  if (wrong !== undefined)
    return { ok: false, message: `No code has the character ${JSON.stringify(wrong)}.` }
  const number = digits.reduce((sum, digit) => (sum << 5n) + BigInt(digit), 0n)
  return number % modulus === 0n
    ? { ok: true, code, name: nameOf(code) }
    : { ok: false, message: 'The code has a typo: compare it with the one that is shown, group by group.' }
}
