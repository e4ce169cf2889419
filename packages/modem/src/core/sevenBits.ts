// The default alphabet: letters of seven bits, and the extension table (3GPP TS 23.038 6.2.1).

const alphabet =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'

const escapeNumber = 0x1b
/** 6.2.1.1. */
const behindEscape: ReadonlyMap<number, string> = new Map([
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
])

/**
 * The text of these numbers of letters. A letter that the extension table lacks is taken from the alphabet; an escape at the end
 * is a blank.
 */
export function lettersOf(numbers: readonly number[]): string {
  let text = ''
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? escapeNumber
    const next = number === escapeNumber ? numbers[index + 1] : undefined
    if (next === undefined || next === escapeNumber) text += alphabet[number] ?? ' '
    else text += behindEscape.get(next) ?? alphabet[next] ?? ' '
    if (next !== undefined) index++
  }
  return text
}

/** The text of `count` letters that are packed into bytes, the first one lowest, behind `skippedBits`. */
export function unpacked(bytes: Uint8Array, count: number, skippedBits = 0): string {
  const numbers = Array.from({ length: count }, (_, index) => {
    const bit = skippedBits + index * 7
    const low = bytes[bit >> 3] ?? 0
    const high = bytes[(bit >> 3) + 1] ?? 0
    return (((high << 8) | low) >> (bit & 7)) & 0x7f
  })
  return lettersOf(numbers)
}

/** The bytes of a text in hexadecimal; undefined for any other text. */
export function bytesOf(hex: string): Uint8Array | undefined {
  if (hex.length % 2 !== 0 || !/^[0-9A-Fa-f]*$/.test(hex)) return undefined
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  )
}

/** UCS2. Phones write UTF-16 in it. */
export function utf16(bytes: Uint8Array): string {
  let text = ''
  for (let index = 0; index + 1 < bytes.length; index += 2)
    text += String.fromCharCode(((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0))
  return text
}
