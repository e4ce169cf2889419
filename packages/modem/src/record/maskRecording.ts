// Masks a recording: numbers, names, messages and places go, and every length stays, so that a driver hears the same.

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

const crossed = (text: string) => text.replace(/[^\s"]/g, 'x')

/** Lines whose quoted fields are a number or a name: of a caller, of the card's phone book, of who sent a message. */
const withNames =
  /^\s*(?:AT)?(?:\+(?:CLCC|CLIP|CCWA|CNUM|CPBR|CPBF|CPBS|COLP|CMG[RLSW]|CMT|CDS|QIND)\b|\^DSCI)/i
/** The word that leads such a line on some modems. */
const leading = /^[a-z]+$/

function maskQuoted(line: string, { numbers }: LineMasks): string {
  return line.replace(/"([^"\r\n]*)("|(?=[\r\n])|$)/g, (_, inside: string, end: string) => {
    const isNumber = /^[+*#\d\x00]*\d[*#\d\x00]*$/.test(inside)
    return `"${isNumber ? numbers.within(inside) : leading.test(inside) ? inside : crossed(inside)}${end}`
  })
}

/** The area and the cell in which the modem is: they tell where it is. Letters of hexadecimal, with quotes or without. */
const inPlaces = /^(\s*\+C(?:E|G)?REG *:.*?)(?=["A-F\d]{3})([\s\S]*)$/i

function maskPlace(line: string): string {
  const [, head, rest] = inPlaces.exec(line) ?? []
  if (head === undefined || rest === undefined) return line
  return `${head}${rest.replace(/[0-9A-F]{3,}|(?<=")[0-9A-F]+(?=")/gi, digits => '0'.repeat(digits.length))}`
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
const numberOfDsci = /^(\s*\^DSCI *:(?: *\d *,){4} *\+?)(\d{2,})/i
/** The number of a SIM card has up to 22 digits, and may end in F. */
const cardNumber = /^\d{19,21}[\dF]?$/i

function maskLine(line: string, masks: LineMasks): string {
  const { kept, numbers, secrets } = masks
  const most = withoutNumbers.find(([form]) => form.test(line))?.[1] ?? mostDigits
  const open = secrets.reduce((left, secret) => left.replaceAll(secret, 'x'.repeat(secret.length)), line)
  const named = withNames.test(open) ? maskQuoted(open, masks) : open
  const masked = named
    .replace(pinOf, (_, head: string, pin: string) => `${head}${'0'.repeat(pin.length)}`)
    .replace(numberOfDsci, (_, head: string, number: string) => `${head}${numbers.of(number)}`)
    .replace(looks, (text, hex?: string, number?: string, key?: string) => {
      if (hex !== undefined)
        return cardNumber.test(hex) ? numbers.within(hex) : maskMessage(hex, numbers, kept)
      if (key !== undefined) return crossed(text)
      return number !== undefined || text.replace(/\x00/g, '').length > most ? numbers.within(text) : text
    })
  return maskPlace(masked)
}

/** The text of an answer to a USSD code may have several lines. */
const ofNetwork = /(\+CUSD *: *\d *, *")([\s\S]{0,800}?)(?=" *(?:, *\d{1,3} *)?(?:\r?\n|$))/gi
/** Its end may be lost. */
const ofNetworkCut = /(\+CUSD *: *\d *, *")([^"\r\n]*)/gi

/** Masks a stream of bytes; every length stays. */
function maskStream(text: string, masks: LineMasks): string {
  const without = (_: string, head: string, said: string) => `${head}${crossed(said)}`
  return text
    .replace(ofNetwork, without)
    .replace(ofNetworkCut, without)
    .split(/(?<=\n)/)
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
  const masks: LineMasks = { ...given, secrets: given.secrets.filter(secret => secret !== ''), kept }
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
