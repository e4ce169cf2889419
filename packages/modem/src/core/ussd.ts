// USSD: the answers of the network, whose text may have several lines and two alphabets (3GPP TS 27.007 7.15, TS 23.038 5).

/** One `+CUSD` line. `mode`: 0 an answer, 1 a menu that waits for more, 2 ended by the network, 4 not supported, 5 no answer. */
export interface UssdLine {
  readonly mode: number
  /** Null where the line has none. */
  readonly text: string | null
}

const beginning = /^\+CUSD: ?\d,"/
/** The same, also of a line without a text. */
const another = /^\+CUSD: ?\d(?:,"|$)/
const whole = /^\+CUSD: ?\d,".*"(?:, ?\d{1,3})?$/
const parts = /^\+CUSD: ?(\d)(?:,"(.*)"(?:, ?(\d{1,3}))?)?$/

/** The longest text in hexadecimal, with what stands around it; no answer of a network has more lines than this. */
const mostCharacters = 800
const mostLines = 16
/** A line that comes later is no part of the text: its end was lost. */
const continuesWithinMs = 1_000
/** A modem writes all lines of a text in one go: the longest takes 190 ms at 9,600 baud. */
const nextLineWithinMs = 400

/** The lines of a text that has begun and not ended. */
export interface HeldText {
  readonly text: string
  readonly lines: number
  /** When its first line came, and when its last one. */
  readonly sinceMs: number
  readonly lastMs: number
}

/** Whether the end of the text was lost: the line comes too late for it, or begins another one. */
const isCutOff = ({ lastMs, sinceMs }: HeldText, line: string, nowMs: number) =>
  nowMs - lastMs > nextLineWithinMs || nowMs - sinceMs > continuesWithinMs || another.test(line)

/**
 * Joins the lines of a USSD text, so that none of them is taken for a line of the modem. `lines` are to be read now; `held` is
 * what waits for its end.
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
  const isOver = whole.test(text) || lines >= mostLines || text.length >= mostCharacters
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
  const isHead = line.startsWith('+CMT: ')
  const next = isHead ? { text: line, lines: 1, sinceMs: nowMs, lastMs: nowMs } : undefined
  if (!held) return { held: next, lines: isHead ? [] : [line] }
  if (nowMs - held.sinceMs <= continuesWithinMs && pdu.test(line))
    return { held: undefined, lines: [`${held.text} ${line}`] }
  return { held: next, lines: isHead ? [held.text] : [held.text, line] }
}

/** Whether the text is of UCS2, by the data coding scheme (TS 23.038 5). */
function isUcs2(coding: number): boolean {
  if (coding === 0x11) return true
  const group = coding >> 4
  return (group >= 4 && group <= 7) || group === 9 ? ((coding >> 2) & 3) === 2 : false
}

function fromUcs2(hex: string): string {
  return hex.replace(/.{4}/g, four => String.fromCharCode(Number.parseInt(four, 16)))
}

/** Reads a `+CUSD` line; undefined for any other. A text of UCS2 comes in hexadecimal. */
export function ussdOf(line: string): UssdLine | undefined {
  const [, mode, text, coding] = parts.exec(line) ?? []
  if (mode === undefined) return undefined
  if (text === undefined) return { mode: Number(mode), text: null }
  const isHex = /^(?:[0-9A-Fa-f]{4})+$/.test(text)
  return { mode: Number(mode), text: isHex && isUcs2(Number(coding ?? 15)) ? fromUcs2(text) : text }
}

/** The text as a person reads it: one line of visible characters, `most` of them at most. */
export function shownText(text: string, most: number): string {
  const visible = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').replace(/ {2,}/g, ' ')
  return [...visible.trim()].slice(0, most).join('')
}
