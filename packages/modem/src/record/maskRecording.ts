// Masks a recording: numbers, names, messages and places go, and every length stays, so that a driver hears the same.

import { cleanLine, readLine } from '../core/lines.ts'
import { maskMessage } from './maskMessage.ts'
import type { NumberMasks } from './maskNumber.ts'
import type { RecordedCall, RecordedSetUp, Recording, WireEvent } from './recording.ts'

export interface WireMasks {
  readonly numbers: NumberMasks
  /** Texts that are removed wherever they stand. */
  readonly secrets: readonly string[]
}

interface LineMasks extends WireMasks {
  /** The words by which a gate confirms, which stay in its messages. */
  readonly kept: readonly string[]
}

const crossed = (text: string) => text.replace(/[^\s\x00-\x1f"]/g, 'x')

/**
 * Lines whose quoted fields are a number or a name: of a caller, of the card's phone book, of who sent a message. Noise may stand
 * before them.
 */
const withNames = /\+(?:CLCC|CLIP|CCWA|CNAP|CNUM|CPB[FRSW]|COLP|CMG[RLSW]|CMT|CDS|QIND)\b|\^DSCI/i
/** The word that leads such a line on some modems. */
const leading = /\+QIND *: *"[a-z]+$/i

function maskQuoted(line: string, { numbers }: LineMasks): string {
  return line.replace(/"([^"\r\n]*)("|(?=[\r\n])|$)/g, (_, inside: string, end: string, at: number) => {
    const isNumber = /^[+*#\d\x00]*\d[*#\d\x00]*$/.test(inside)
    const isLeading = leading.test(cleanLine(line.slice(0, at + 1 + inside.length)))
    return `"${isNumber ? numbers.within(inside) : isLeading ? inside : crossed(inside)}${end}`
  })
}

const zeros = (text: string) => text.replace(/[0-9A-F]/gi, '0')

/** The area and the cell in which the modem is: they tell where it is. Letters of hexadecimal, with quotes or without. */
const inPlaces = /\+C(?:E|G)?REG *:/i
const areaAndCell = /(?<=0x)[0-9A-F]+ *, *\d+/gi

function maskPlace(line: string): string {
  if (!inPlaces.test(cleanLine(line))) return line.replace(areaAndCell, zeros)
  const start = line.indexOf(':')
  const rest = line.slice(start).replace(/[0-9A-F](?:\x00*[0-9A-F]){2,}|(?<=")[0-9A-F]+(?=")/gi, zeros)
  return line.slice(0, start) + rest
}

/** What looks like a number and is none: rates, the duration of a call, networks, and the date in the name of a program. */
const withoutNumbers: readonly (readonly [line: RegExp, most: number])[] = [
  [/\+IPR[:=?]/i, 6],
  [/^\s*VOICE CALL/i, 6],
  [/\+COPS/i, 6],
  [/^\s*(?:Revision|\+CGMR) *:/i, 8],
]
const mostDigits = 5

const hexadecimal = '(?<![0-9A-Fa-f])[0-9A-Fa-f]{20,}(?![0-9A-Fa-f])'
/** People and networks write blanks in a number; a broken line may hold zeros. */
const grouped = '\\+\\d[\\d ().\\x00-]{6,}\\d'
const plain = '\\d(?:\\x00*\\d)+'
const token = '[\\w-]{32,}'
/** In this order, each text once: a mask must not be taken for a number. */
const looks = new RegExp(`(${hexadecimal})|(${grouped})|(${token})|(${plain})`, 'g')

const pinOf = /(CPIN2?=")([^"]*)/i
const numberOfDsci = /(\^DSCI *:(?: *\d *,){4} *\+?)(\d{2,})/i
/** The number of a SIM card has up to 22 digits, and may end in F. */
const cardNumber = /^\d{19,21}[\dF]?$/i

/**
 * A PIN is one, and is hidden where it stands alone: cut out of a number, a message or a place, it would leave pieces that no longer
 * look like one.
 */
const isDigits = (secret: string) => /^\d+$/.test(secret)

function maskLine(line: string, masks: LineMasks): string {
  const { kept, numbers, secrets } = masks
  const most = withoutNumbers.find(([form]) => form.test(line))?.[1] ?? mostDigits
  const open = secrets
    .filter(secret => !isDigits(secret))
    .reduce((left, secret) => left.replaceAll(secret, 'x'.repeat(secret.length)), line)
  const named = withNames.test(cleanLine(open)) ? maskQuoted(open, masks) : open
  return maskPlace(named)
    .replace(numberOfDsci, (_, head: string, number: string) => `${head}${numbers.of(number)}`)
    .replace(looks, (text, hex?: string, number?: string, key?: string, run?: string) => {
      if (hex !== undefined)
        return cardNumber.test(hex) ? numbers.within(hex) : maskMessage(hex, numbers, kept)
      if (key !== undefined) return crossed(text)
      const digits = text.replace(/\x00/g, '')
      // Zeros are a mask, such as that of a place.
      if (/^0+$/.test(digits)) return text
      if (run !== undefined && secrets.includes(digits)) return crossed(text)
      return number !== undefined || digits.length > most ? numbers.within(text) : text
    })
    .replace(pinOf, (_, head: string, pin: string) => `${head}${'0'.repeat(pin.length)}`)
}

/** The text of an answer to a USSD code may have several lines. */
const ofNetwork = /(\+CUSD *: *\d *, *")([\s\S]{0,800}?)(?=" *(?:, *\d{1,3} *)?(?:\r?\n|$))/gi
/** Its end may be lost. */
const ofNetworkCut = /(\+CUSD *: *\d *, *")([^"\r\n]*)/gi

/** A line of the modem or its echo, which has a name in front. */
const lineHead = /^(?:AT)?[+^*$#%][A-Z]+\d? *[:=?]/i
/** After it come the lines of a message: its PDU, or its text. */
const messageHead = /\+(?:CMT|CMGR|CMGL|CDS|CBM) *:/i
const isPdu = /^(?:\+.* )?[0-9A-F]{20,}$/i
/** No text of a message: a line with a name, or an echo. */
const otherLine = /^(?:[+^*][A-Z]+ *:|AT(?:[+&^*D]|[A-Z]\d*$))/

/** Whether the text of a message cannot go on with this line. */
function endsMessage(line: string): boolean {
  const read = readLine(line)
  const isUrc = read.kind === 'urc' && read.urc.urc !== 'garbled'
  return isPdu.test(line) || otherLine.test(line) || read.kind === 'ok' || read.kind === 'error' || isUrc
}

/** Crosses out the texts of messages, and a first line whose beginning was lost: in it, a name cannot be told from the rest. */
function withoutTexts(lines: readonly string[]): readonly string[] {
  let isInMessage = false
  return lines.map((line, place) => {
    const clean = cleanLine(line)
    const isHead = messageHead.test(clean)
    if (isHead) isInMessage = !isPdu.test(clean)
    else if (isInMessage && clean !== '') isInMessage = !endsMessage(clean)
    const isCut = place === 0 && clean.includes('"') && !lineHead.test(clean)
    return isCut || (isInMessage && !isHead) ? crossed(line) : line
  })
}

/** Masks a stream of bytes; every length stays. */
function maskStream(text: string, masks: LineMasks): string {
  const without = (_: string, head: string, said: string) => `${head}${crossed(said)}`
  const lines = text
    .replace(ofNetwork, without)
    .replace(ofNetworkCut, without)
    .split(/(?<=\n)/)
  return withoutTexts(lines)
    .map(line => maskLine(line, masks))
    .join('')
}

/** Masks the bytes of each direction as one stream, as a number may come in two chunks. */
function maskEvents(events: readonly WireEvent[], masks: LineMasks): readonly WireEvent[] {
  let heard = maskStream(events.flatMap(({ kind, text }) => (kind === 'from' ? [text] : [])).join(''), masks)
  return events.map(event => {
    if (event.kind !== 'from') return { ...event, text: maskStream(event.text, masks) }
    const text = heard.slice(0, event.text.length)
    heard = heard.slice(event.text.length)
    return { ...event, text }
  })
}

/** The whole call: what was heard before it and in it is one stream, too. */
function maskCall(call: RecordedCall, setUp: RecordedSetUp | null, masks: LineMasks): RecordedCall {
  const { before, evidence, events, phoneNumber, profile } = call
  const { numbers } = masks
  const confirm = profile.confirm && {
    ...profile.confirm,
    from: profile.confirm.from === null ? null : numbers.within(profile.confirm.from),
    pattern: profile.confirm.pattern?.replace(/\d/g, '0') ?? null,
  }
  const masked = maskEvents([...before, ...events], masks)
  return {
    ...call,
    phoneNumber: numbers.within(phoneNumber),
    profile: { ...profile, ...(confirm !== undefined && { confirm }) },
    evidence: {
      ...evidence,
      // The driver has left the ends of numbers in it.
      events: evidence.events.map(({ atMs, event }) => ({
        atMs,
        event: maskLine(event, masks).replace(/\+?\d{2}\*{5}\d{3}/g, '(number)'),
      })),
    },
    setUp,
    before: masked.slice(0, before.length),
    events: masked.slice(before.length),
  }
}

/** The recording without numbers, names, messages, places and secrets. */
export function maskRecording({ calls, failedSetUp, setUp }: Recording, given: WireMasks): Recording {
  const kept = calls.flatMap(({ profile: { confirm } }) => confirm?.pattern ?? [])
  // The longest first, because one may contain another.
  const secrets = given.secrets
    .filter(secret => secret !== '')
    .sort((one, other) => other.length - one.length)
  const masks: LineMasks = { ...given, secrets, kept }
  const known = new Map<RecordedSetUp, RecordedSetUp>()
  const ofSetUp = (one: RecordedSetUp | null) => {
    if (!one) return null
    const masked = known.get(one) ?? { ...one, events: maskEvents(one.events, masks) }
    known.set(one, masked)
    return masked
  }
  // The numbers of the calls have the first masks.
  for (const { phoneNumber } of calls) masks.numbers.within(phoneNumber)
  return {
    setUp: ofSetUp(setUp),
    failedSetUp: ofSetUp(failedSetUp),
    calls: calls.map(call => maskCall(call, ofSetUp(call.setUp), masks)),
  }
}
