// Messages: the sender and the text of a received SMS, from its PDU (3GPP TS 23.040 9.2.2.1, TS 23.038).

export interface Message {
  /** Digits, with a + where international; or the letters of a sender that has a name. */
  readonly from: string
  readonly text: string
  /** Where it is one of several parts of a longer message; `place` counts from 1. */
  readonly part: MessagePart | null
}

export interface MessagePart {
  readonly reference: number
  readonly count: number
  readonly place: number
}

/** TS 23.038 6.2.1: the default alphabet by position; the escape (0x1b) and what it leads to are read as a blank. */
const alphabet =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'

function septets(bytes: Uint8Array, count: number, skippedBits: number): string {
  let text = ''
  for (let index = 0; index < count; index++) {
    const bit = skippedBits + index * 7
    const low = bytes[bit >> 3] ?? 0
    const high = bytes[(bit >> 3) + 1] ?? 0
    // Not tested: a letter outside the alphabet, which has all 128.
    text += alphabet[(((high << 8) | low) >> (bit & 7)) & 0x7f] ?? ' '
  }
  return text
}

/** Digits two to a byte, the lower half first; an odd one ends in F (TS 23.040 9.1.2.3). */
function addressOf(type: number, bytes: Uint8Array, digitCount: number): string {
  if ((type & 0x70) === 0x50) return septets(bytes, Math.floor((digitCount * 4) / 7), 0)
  const digits = [...bytes].flatMap(byte => [byte & 15, byte >> 4]).slice(0, digitCount)
  return ((type & 0x70) === 0x10 ? '+' : '') + digits.map(digit => (digit < 10 ? digit : '')).join('')
}

function bytesOf(hex: string): Uint8Array | undefined {
  if (hex.length % 2 !== 0 || !/^[0-9A-Fa-f]*$/.test(hex)) return undefined
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  )
}

function utf16(bytes: Uint8Array): string {
  let text = ''
  for (let index = 0; index + 1 < bytes.length; index += 2)
    // Not tested: a missing byte; the loop ends before.
    text += String.fromCharCode(((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0))
  return text
}

/** The text of the user data; of a message in several parts, the text of this part. */
function textOf(bytes: Uint8Array, coding: number, length: number, hasHeader: boolean): string {
  const headerBytes = hasHeader ? (bytes[0] ?? 0) + 1 : 0
  const alphabetBits = (coding & 0x0c) >> 2
  if (alphabetBits === 2) return utf16(bytes.subarray(headerBytes, length))
  if (alphabetBits === 1) return String.fromCharCode(...bytes.subarray(headerBytes, length))
  const skipped = Math.ceil((headerBytes * 8) / 7)
  return septets(bytes, Math.max(0, Math.min(length, 160) - skipped), skipped * 7)
}

/** Which part it is, by the header of the user data: element 0 has a reference of one byte, element 8 one of two (9.2.3.24). */
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
 * Whether two notations may mean the same number: the last 8 digits are equal. Countries and modules differ in what
 * comes before those (`+40…`, `0040…`, `0…`).
 */
export function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [digitsOf(one), digitsOf(other)]
  return a.length >= 8 && b.length >= 8 && a.slice(-8) === b.slice(-8)
}
