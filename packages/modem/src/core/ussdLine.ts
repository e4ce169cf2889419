// USSD: the answers of the network, whose text may have several lines and two alphabets (3GPP TS 27.007 7.15, TS 23.038 5).

import { bytesOf, lettersOf, unpacked, utf16 } from './sevenBits.ts'

/** One `+CUSD` line. `mode`: 0 an answer, 1 a menu that waits for more, 2 ended by the network, 4 not supported, 5 no answer. */
export interface UssdLine {
  readonly mode: number
  /** Null where the line has none. */
  readonly text: string | null
}

const beginning = /^\+CUSD *: *\d *, *"/i
/** The same, also of a line without a text, and the status lines of modems: no network writes a line like these. */
const another =
  /^\+(?:CUSD *: *\d *(?:, *"|$)|(?:CMTI?|CLIP|C[EG]?REG|CRING|CPIN|CSS[IU]|CGEV|CIEV|QIND) *: )/i
const parts = /^\+CUSD *: *(\d) *(?:, *"(.*)" *(?:, *(\d{1,3}) *)?)?$/i
const codedEnd = /" *, *\d{1,3} *$/
const bareEnd = /" *$/

/**
 * Whether the text has ended. Without the code of the alphabet, its quotes must be paired as well, because a line of the text may
 * end with a quote, too.
 */
function isWhole(text: string): boolean {
  if (!parts.test(text)) return false
  return codedEnd.test(text) || (bareEnd.test(text) && text.split('"').length % 2 === 1)
}

/** The length of the longest text in hexadecimal with its surroundings; no answer of a network has more lines than this. */
const mostCharacters = 800
const mostLines = 16
/** A line that comes later is not part of the text, whose end was lost. */
const continuesWithinMs = 1_000
/** A modem writes all lines of a text in one go: the longest takes 190 ms at 9,600 baud. */
const nextLineWithinMs = 400

/** The lines of a text that has begun and not ended. */
export interface HeldText {
  readonly text: string
  readonly lines: number
  /** When its first line and its last line came. */
  readonly sinceMs: number
  readonly lastMs: number
}

/** Whether the end of the text was lost: the line comes too late for it, or begins another text. */
const isCutOff = ({ lastMs, sinceMs }: HeldText, line: string, nowMs: number) =>
  nowMs - lastMs > nextLineWithinMs || nowMs - sinceMs > continuesWithinMs || another.test(line)

/**
 * Joins the lines of a USSD text, so that none of them is taken for a line of the modem. `lines` can be processed now; `held`
 * still waits for its end.
 */
export function joinUssd(
  held: HeldText | undefined,
  line: string,
  nowMs: number,
): { readonly held: HeldText | undefined; readonly lines: readonly string[] } {
  if (held && isCutOff(held, line, nowMs)) {
    const next = joinUssd(undefined, line, nowMs)
    return { held: next.held, lines: [held.text, ...next.lines] }
  }
  if (!held && !beginning.test(line)) return { held: undefined, lines: [line] }
  const text = held ? `${held.text} ${line}`.trimEnd() : line
  const lines = (held?.lines ?? 0) + 1
  const isOver = isWhole(text) || lines >= mostLines || text.length >= mostCharacters
  if (isOver) return { held: undefined, lines: [text] }
  return { held: { text, lines, sinceMs: held?.sinceMs ?? nowMs, lastMs: nowMs }, lines: [] }
}

const pdu = /^[0-9A-Fa-f]{20,400}$/

/** Joins the head of a delivered message (`+CMT: ,23`) with the line behind it, which is the message. Otherwise as `joinUssd`. */
export function joinDelivered(
  held: HeldText | undefined,
  line: string,
  nowMs: number,
): { readonly held: HeldText | undefined; readonly lines: readonly string[] } {
  const isHead = /^\+CMT *:/i.test(line)
  const next = isHead ? { text: line, lines: 1, sinceMs: nowMs, lastMs: nowMs } : undefined
  if (!held) return { held: next, lines: isHead ? [] : [line] }
  if (nowMs - held.sinceMs <= continuesWithinMs && pdu.test(line))
    return { held: undefined, lines: [`${held.text} ${line}`] }
  return { held: next, lines: isHead ? [held.text] : [held.text, line] }
}

type Coding = 'letters' | 'bytes' | 'ucs2'

/** The alphabet by the data coding scheme of a USSD text (TS 23.038 5; messages have another scheme). */
function codingOf(scheme: number): Coding {
  const group = scheme >> 4
  if (scheme === 0x11) return 'ucs2'
  if (group === 15) return (scheme & 4) === 0 ? 'letters' : 'bytes'
  if ((group < 4 || group > 7) && group !== 9) return 'letters'
  return (['letters', 'bytes', 'ucs2', 'letters'] as const)[(scheme >> 2) & 3] ?? 'letters'
}

/** No text of letters this long looks like hexadecimal by chance; a number can. */
const leastHex = 20
/** Characters that a person can read, in the scripts that networks use. */
const readable = /^[\n\r\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]*$/u
const latin = /^[\n\r\x20-\x7e\u00a1-\u00ff€]*$/

/**
 * The text in hexadecimal that the scheme declares as letters: an earlier program may have set another character set, and some
 * modems pass on the packed bytes of the network. Undefined where it is neither.
 */
function unveiled(hex: string, bytes: Uint8Array): string | undefined {
  if (hex.length < leastHex) return undefined
  const wide = utf16(bytes)
  const isWide = hex.length % 4 === 0 && bytes.every((byte, place) => place % 2 === 1 || byte < 6)
  if (isWide && readable.test(wide)) return wide
  if (/^\d*$/.test(hex)) return undefined
  const isPacked = bytes.some(byte => byte > 0x7f)
  const text = isPacked ? unpacked(bytes, Math.floor((bytes.length * 8) / 7)) : lettersOf([...bytes])
  // Seven letters leave room for an eighth, which is filled with zeros (6.1.2.3.1 uses a CR there).
  const filled = bytes.length % 7 === 0 ? text.replace(/[@\r]$/, '') : text
  return latin.test(filled) ? filled : undefined
}

/** UCS2 may begin with the language, two letters of seven bits in two bytes. */
function withoutLanguage(bytes: Uint8Array): Uint8Array {
  return /^[a-z]{2}$/.test(unpacked(bytes, 2)) && (bytes[0] ?? 0) !== 0 ? bytes.subarray(2) : bytes
}

function textOf(text: string, scheme: number): string {
  const bytes = bytesOf(text)
  if (!bytes || text === '') return text
  const coding = codingOf(scheme)
  if (coding === 'ucs2' && text.length % 4 === 0)
    return utf16(scheme === 0x11 ? withoutLanguage(bytes) : bytes)
  return unveiled(text, bytes) ?? text
}

/** Reads a `+CUSD` line; undefined for any other. A text that comes in hexadecimal is decoded. */
export function ussdOf(line: string): UssdLine | undefined {
  const [, mode, text, scheme] = parts.exec(line) ?? []
  if (mode === undefined) return undefined
  return { mode: Number(mode), text: text === undefined ? null : textOf(text, Number(scheme ?? 15)) }
}

/** The text for a person: one line of visible characters, at most `most` of them. */
export function shownText(text: string, most: number): string {
  const visible = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').replace(/ {2,}/g, ' ')
  return [...visible.trim()].slice(0, most).join('')
}
