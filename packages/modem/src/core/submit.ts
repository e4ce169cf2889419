// Outgoing messages: a short text as a PDU (3GPP TS 23.040 9.2.2.2, TS 23.038 6.1.2.1).

// A PDU is in hexadecimal, so no text can end it early or be taken for a command. The modem also stays in the mode in which the
// driver reads messages.

import { isFullNumber } from './phoneNumber.ts'

/** Letters that have the same number in the default alphabet as in ASCII. */
const sendable = /^[A-Za-z0-9 #=:,+]{1,70}$/

const hex = (bytes: readonly number[]) =>
  bytes.map(byte => byte.toString(16).toUpperCase().padStart(2, '0')).join('')

/** Eight letters of seven bits in seven bytes, the first one lowest. */
function packed(text: string): number[] {
  const bytes = new Array<number>(Math.ceil((text.length * 7) / 8)).fill(0)
  for (let index = 0; index < text.length; index++) {
    const bit = index * 7
    const shifted = text.charCodeAt(index) << (bit & 7)
    const place = bit >> 3
    bytes[place] = (bytes[place] ?? 0) | (shifted & 0xff)
    if (shifted > 0xff) bytes[place + 1] = (bytes[place + 1] ?? 0) | (shifted >> 8)
  }
  return bytes
}

/** Digits two to a byte, the lower half first; an odd one ends in F. */
function semiOctets(digits: string): number[] {
  const pairs = digits.match(/../g) ?? []
  const odd = digits.length % 2 === 1 ? [`${digits.at(-1)}`] : []
  return [...pairs.map(pair => `${pair[1]}${pair[0]}`), ...odd.map(digit => `F${digit}`)].map(pair =>
    Number.parseInt(pair, 16),
  )
}

/** SMS-SUBMIT with a relative validity period. */
const firstOctet = 0x11
/** International, in the telephone numbering plan. */
const internationalNumber = 0x91
/** An hour. After that the network drops the message, because one that arrives days later would surprise. */
const validFor = 0x0b

/** What AT+CMGS is given in PDU mode. `octets` counts the PDU without its service centre, which is that of the SIM card. */
export interface Submission {
  readonly octets: number
  readonly pdu: string
}

/** Undefined for a number that is never dialled, and for a text that has other letters or does not fit. */
export function submission(phoneNumber: string, text: string): Submission | undefined {
  if (!isFullNumber(phoneNumber) || !sendable.test(text)) return undefined
  const digits = phoneNumber.slice(1)
  const bytes = [
    ...[firstOctet, 0, digits.length, internationalNumber, ...semiOctets(digits)],
    ...[0, 0, validFor, text.length, ...packed(text)],
  ]
  return { octets: bytes.length, pdu: `00${hex(bytes)}` }
}
