// Masks a message (SMS) in its PDU: numbers, names and text, so that its length and its form stay (3GPP TS 23.040 9.2.2.1).

import { bytesOf } from '../core/sevenBits.ts'
import type { NumberMasks } from './maskNumber.ts'

const small = 'x'.charCodeAt(0)
const capital = 'X'.charCodeAt(0)
const zero = '0'.charCodeAt(0)

/** A letter without what it says. Blanks and signs stay. */
function maskedLetter(code: number): number {
  if (code >= 0x30 && code <= 0x39) return zero
  if (code >= 0x41 && code <= 0x5a) return capital
  if ((code >= 0x61 && code <= 0x7a) || code > 0x7a) return small
  return code
}

/** The letters of a text without what they say, except for the letters of the words that are kept, in any case. */
export function maskLetters(codes: readonly number[], kept: readonly string[]): number[] {
  const text = String.fromCharCode(...codes).toLowerCase()
  const stays = new Set<number>()
  for (const word of kept.filter(one => one !== '').map(one => one.toLowerCase()))
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
      for (let place = at; place < at + word.length; place++) stays.add(place)
  const isDigit = (code: number) => code >= 0x30 && code <= 0x39
  return codes.map((code, place) => (stays.has(place) && !isDigit(code) ? code : maskedLetter(code)))
}

/** The letters of seven bits that begin at a bit, and a function that writes them back. */
function sevenBitLetters(bytes: Uint8Array, firstBit: number, count: number) {
  const codes = Array.from({ length: count }, (_, index) => {
    const bit = firstBit + index * 7
    const wide = ((bytes[(bit >> 3) + 1] ?? 0) << 8) | (bytes[bit >> 3] ?? 0)
    return (wide >> (bit & 7)) & 0x7f
  })
  const write = (next: readonly number[]) => {
    for (const [index, code] of next.entries())
      for (let of = 0; of < 7; of++) {
        const bit = firstBit + index * 7 + of
        const byte = bytes[bit >> 3]
        if (byte === undefined) return
        bytes[bit >> 3] = (code >> of) & 1 ? byte | (1 << (bit & 7)) : byte & ~(1 << (bit & 7))
      }
  }
  return { codes, write }
}

/** Masks the digits of an address, two to a byte, or the letters of one that has a name. */
function maskAddress(bytes: Uint8Array, type: number, digitCount: number, masks: NumberMasks): void {
  if ((type & 0x70) === 0x50) {
    const { codes, write } = sevenBitLetters(bytes, 0, Math.floor((digitCount * 4) / 7))
    write(maskLetters(codes, []))
    return
  }
  const digits = [...bytes].flatMap(byte => [byte & 15, byte >> 4]).slice(0, digitCount)
  const text = digits.map(digit => digit.toString(16)).join('')
  const masked = text.replace(/\d+/, number => masks.of(number))
  for (let place = 0; place < digitCount; place++) {
    const digit = Number.parseInt(masked.charAt(place), 16)
    const byte = bytes[place >> 1] ?? 0
    bytes[place >> 1] = place % 2 === 0 ? (byte & 0xf0) | digit : (byte & 0x0f) | (digit << 4)
  }
}

/** Masks the text of the user data in place. */
function maskText(
  data: Uint8Array,
  coding: number,
  length: number,
  hasHeader: boolean,
  kept: readonly string[],
) {
  const headerBytes = hasHeader ? (data[0] ?? 0) + 1 : 0
  const isWide = (coding & 0xf0) === 0xe0 || (coding < 0x80 && (coding & 0x0c) === 0x08)
  const isBytes = (coding & 0xf4) === 0xf4 || (coding < 0x80 && (coding & 0x0c) === 0x04)
  if (isWide || isBytes) {
    const step = isWide ? 2 : 1
    const codes: number[] = []
    for (let at = headerBytes; at + step <= data.length; at += step)
      codes.push(isWide ? ((data[at] ?? 0) << 8) | (data[at + 1] ?? 0) : (data[at] ?? 0))
    for (const [place, code] of maskLetters(codes, kept).entries()) {
      const at = headerBytes + place * step
      if (isWide) data[at] = code >> 8
      data[at + step - 1] = code & 0xff
    }
    return
  }
  const skipped = Math.ceil((headerBytes * 8) / 7)
  const { codes, write } = sevenBitLetters(data, skipped * 7, Math.max(0, Math.min(length, 160) - skipped))
  write(maskLetters(codes, kept))
}

/** A received message without numbers, names and text, in as many digits; what is no such message becomes zeros. */
export function maskMessage(hex: string, masks: NumberMasks, kept: readonly string[]): string {
  const bytes = bytesOf(hex)
  const start = (bytes?.[0] ?? 0) + 1
  const kind = bytes?.[start]
  const digitCount = bytes?.[start + 1] ?? 0
  const end = start + 3 + Math.ceil(digitCount / 2)
  const length = bytes?.[end + 9]
  const isReceived = kind !== undefined && (kind & 3) === 0 && digitCount <= 20
  if (!bytes || !isReceived || length === undefined) return hex.replace(/[0-9A-F]/gi, '0')
  // The service centre, whose length counts its type.
  const ofCentre = bytes.subarray(2, start)
  const centreDigits = ofCentre.length * 2 - ((ofCentre.at(-1) ?? 0) >> 4 === 15 ? 1 : 0)
  maskAddress(ofCentre, bytes[1] ?? 0, centreDigits, masks)
  maskAddress(bytes.subarray(start + 3, end), bytes[start + 2] ?? 0, digitCount, masks)
  maskText(bytes.subarray(end + 10), bytes[end + 1] ?? 0, length, (kind & 0x40) !== 0, kept)
  const masked = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
  return /[a-f]/.test(hex) ? masked : masked.toUpperCase()
}
