// Messages: the sender and the text of a received SMS, from its PDU (3GPP TS 23.040 9.2.2.1, TS 23.038).

import { bytesOf, unpacked, utf16 } from './sevenBits.ts'

export interface Message {
  /** Digits, with a + where international; or the letters of a sender that has a name. */
  readonly from: string
  readonly text: string
  /** Set where the message is one of several parts; `place` counts from 1. */
  readonly part: MessagePart | null
}

export interface MessagePart {
  readonly reference: number
  readonly count: number
  readonly place: number
}

/** Digits two to a byte, the lower half first; an odd one ends in F (TS 23.040 9.1.2.3). */
function addressOf(type: number, bytes: Uint8Array, digitCount: number): string {
  if ((type & 0x70) === 0x50) return unpacked(bytes, Math.floor((digitCount * 4) / 7))
  const digits = [...bytes].flatMap(byte => [byte & 15, byte >> 4]).slice(0, digitCount)
  return ((type & 0x70) === 0x10 ? '+' : '') + digits.map(digit => (digit < 10 ? digit : '')).join('')
}

type Alphabet = 'sevenBits' | 'bytes' | 'ucs2'

const byBits: readonly Alphabet[] = ['sevenBits', 'bytes', 'ucs2', 'sevenBits']

/** The alphabet of a message by its data coding scheme (TS 23.038 4). Codings that are reserved are of the default alphabet. */
function alphabetOf(coding: number): Alphabet {
  const group = coding >> 4
  if (group < 8) return byBits[(coding >> 2) & 3] ?? 'sevenBits'
  if (group === 14) return 'ucs2'
  return group === 15 && (coding & 4) !== 0 ? 'bytes' : 'sevenBits'
}

/** The text of the user data; of a message in several parts, the text of this part. */
function textOf(bytes: Uint8Array, coding: number, length: number, hasHeader: boolean): string {
  const headerBytes = hasHeader ? (bytes[0] ?? 0) + 1 : 0
  const alphabet = alphabetOf(coding)
  if (alphabet === 'ucs2') return utf16(bytes.subarray(headerBytes, length))
  if (alphabet === 'bytes') return String.fromCharCode(...bytes.subarray(headerBytes, length))
  const skipped = Math.ceil((headerBytes * 8) / 7)
  return unpacked(bytes, Math.max(0, Math.min(length, 160) - skipped), skipped * 7)
}

/**
 * Its place among the parts, by the header of the user data: element 0 has a reference of one byte, element 8 one of two
 * (9.2.3.24).
 */
function partOf(data: Uint8Array): MessagePart | null {
  const end = 1 + (data[0] ?? 0)
  for (let at = 1; at + 1 < end; ) {
    const [kind, length = 0] = data.subarray(at, at + 2)
    const [one = 0, two = 0, three = 0, four = 0] = data.subarray(at + 2, at + 2 + length)
    const isPart = at + 2 + length <= Math.min(end, data.length)
    if (isPart && kind === 0 && length === 3 && two > 0 && three > 0 && three <= two)
      return { reference: one, count: two, place: three }
    if (isPart && kind === 8 && length === 4 && three > 0 && four > 0 && four <= three)
      return { reference: (one << 8) | two, count: three, place: four }
    at += 2 + length
  }
  return null
}

/** The message in a PDU as AT+CMGR gives it, service centre first; undefined where it is no received message. */
export function messageOf(pdu: string): Message | undefined {
  const bytes = bytesOf(pdu)
  if (!bytes || bytes.length > 200) return undefined
  const start = (bytes[0] ?? 0) + 1
  const kind = bytes[start]
  const digitCount = bytes[start + 1] ?? 0
  // Only SMS-DELIVER; an address has at most 20 digits.
  if (kind === undefined || (kind & 3) !== 0 || digitCount > 20) return undefined
  const addressEnd = start + 3 + Math.ceil(digitCount / 2)
  // Protocol, coding, seven bytes of time, the length.
  const length = bytes[addressEnd + 9]
  if (length === undefined) return undefined
  // Not tested: a missing byte; the length, which comes later, is there.
  const from = addressOf(bytes[start + 2] ?? 0, bytes.subarray(start + 3, addressEnd), digitCount)
  const data = bytes.subarray(addressEnd + 10)
  // Not tested: a missing byte; the length, which comes later, is there.
  const coding = bytes[addressEnd + 1] ?? 0
  const hasHeader = (kind & 0x40) !== 0
  return {
    from,
    text: textOf(data, coding, length, hasHeader),
    part: hasHeader ? partOf(data) : null,
  }
}

/**
 * Whether a message comes from this number in E.164. A sender without the international mark is compared by its last digits, as
 * networks write national numbers in different ways.
 */
export function isFrom({ from }: Pick<Message, 'from'>, phoneNumber: string): boolean {
  return from.startsWith('+') ? from === phoneNumber : isSameNumber(from, phoneNumber)
}

const digitsOf = (text: string) => text.replace(/\D/g, '')

/**
 * Whether two notations may mean the same number: the last 8 digits are equal. Countries and modules differ in the digits before
 * those (`+40…`, `0040…`, `0…`).
 */
export function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [digitsOf(one), digitsOf(other)]
  return a.length >= 8 && b.length >= 8 && a.slice(-8) === b.slice(-8)
}
