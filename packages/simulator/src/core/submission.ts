// SMS-SUBMIT (3GPP TS 23.040 9.2.2.2): the addressee and the text of a message, in seven bits or UCS2, whole or in parts.

import type { MessagePart } from './shortMessage.ts'

export interface Submission {
  readonly to: string
  readonly text: string
  readonly part?: MessagePart
}

/** The default alphabet and its extension table (3GPP TS 23.038 6.2.1). ESC stands at 27. */
const alphabet =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extension: Readonly<Record<number, string>> = {
  10: '\f',
  20: '^',
  40: '{',
  41: '}',
  47: '\\',
  60: '[',
  61: '~',
  62: ']',
  64: '|',
  101: '€',
}

/** The letters of `count` septets, without the first septets, which the header fills. */
function lettersIn(bytes: Uint8Array, count: number, skipped: number): string {
  const septets: number[] = []
  let [held, bits] = [0, 0]
  for (const byte of bytes) {
    held |= byte << bits
    bits += 8
    for (; bits >= 7 && septets.length < count; bits -= 7) {
      septets.push(held & 0x7f)
      held >>= 7
    }
  }
  let text = ''
  let isExtended = false
  for (const septet of septets.slice(skipped)) {
    if (isExtended) text += extension[septet] ?? ' '
    else if (septet !== 27) text += alphabet[septet] ?? ''
    isExtended = !isExtended && septet === 27
  }
  return text
}

/** Eight or sixteen bits of reference; undefined where the header describes no possible part (9.2.3.24.1 and .8). */
function partIn(header: Uint8Array): MessagePart | undefined {
  for (let at = 0; at + 1 < header.length; at += 2 + (header[at + 1] ?? 0)) {
    const [kind, , ...fields] = header.subarray(at, at + 2 + (header[at + 1] ?? 0))
    const [count = 0, place = 0] = fields.slice(kind === 8 ? 2 : 1)
    const reference = kind === 8 ? (fields[0] ?? 0) * 256 + (fields[1] ?? 0) : (fields[0] ?? 0)
    if (kind === 0 || kind === 8)
      return place >= 1 && place <= count ? { reference, count, place } : undefined
  }
  return undefined
}

/** General data coding (3GPP TS 23.038 section 4): the class and compression of the first group, and the classes of the last. */
function codingOf(coding: number): 'sevenBits' | 'ucs2' | undefined {
  if (coding >> 4 === 0xf) return coding & 4 ? undefined : 'sevenBits'
  if (coding >> 4 > 3) return undefined
  return (['sevenBits', undefined, 'ucs2', undefined] as const)[(coding >> 2) & 3]
}

const inUtf16 = (bytes: Uint8Array) => Buffer.from(bytes).swap16().toString('utf16le')

/** Undefined where it is no SMS-SUBMIT with a text. */
export function submissionOf(pdu: string): Submission | undefined {
  if (!/^(?:[0-9A-F]{2}){10,180}$/i.test(pdu)) return undefined
  const bytes = Buffer.from(pdu, 'hex')
  const at = 1 + (bytes[0] ?? 0)
  const kind = bytes[at] ?? 0
  const digits = bytes[at + 2] ?? 0
  const addressEnd = at + 4 + Math.ceil(digits / 2)
  const validity = [0, 7, 1, 7][(kind >> 3) & 3] ?? 0
  const lengthAt = addressEnd + 2 + validity
  const count = bytes[lengthAt]
  const coding = codingOf(bytes[addressEnd + 1] ?? 0xff)
  if ((kind & 3) !== 1 || count === undefined || coding === undefined) return undefined
  const data = bytes.subarray(lengthAt + 1)
  if (data.length !== (coding === 'ucs2' ? count : Math.ceil((count * 7) / 8))) return undefined
  // The header begins with its own length.
  const headerEnd = kind & 0x40 ? 1 + (data[0] ?? 0) : 0
  const left = data.subarray(headerEnd)
  if (headerEnd > data.length || (coding === 'ucs2' && left.length % 2 !== 0)) return undefined
  const text = coding === 'ucs2' ? inUtf16(left) : lettersIn(data, count, Math.ceil((headerEnd * 8) / 7))
  const address = bytes
    .subarray(at + 4, addressEnd)
    .toString('hex')
    .replace(/(.)(.)/g, '$2$1')
    .slice(0, digits)
  const part = partIn(data.subarray(1, headerEnd))
  return { to: `${bytes[at + 3] === 0x91 ? '+' : ''}${address}`, text, ...(part && { part }) }
}
