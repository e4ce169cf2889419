// Short messages: their form in text and in PDU mode (3GPP TS 23.040), and the commands that read and delete them.

import type { Command } from './commandLine.ts'
import type { Sim800 } from './modemState.ts'
import { settingOf } from './settings.ts'
import { answerStorages, freePlace, placeOf, takenNumbers } from './storages.ts'
import { type FinalResult, sendUrc } from './wording.ts'

/** A message is one of several parts of a longer one: the `place`th of `count`, which share a reference. */
export interface MessagePart {
  readonly reference: number
  readonly count: number
  readonly place: number
}

export interface ShortMessage {
  readonly from: string
  readonly text: string
  /** In the form of AT+CMGR: `26/01/05,08:00:00+00`. */
  readonly sentAt: string
  /** The status of a message on the SIM. */
  readonly isRead: boolean
  /** How often AT+CMGR has failed to read it, by a fault. */
  readonly triedReads?: number
  /** Letters of seven bits; absent: UCS2. */
  readonly isPlain?: true
  readonly part?: MessagePart
}

interface Reply {
  readonly lines: readonly string[]
  readonly result: FinalResult
}

/** The number of letters in one message of UCS2, and in one of several parts. */
const maxLength = 70
const partLength = 67

const hex = (value: number) => value.toString(16).toUpperCase().padStart(2, '0')
/** Semi-octets come in swapped pairs, the odd one filled with F. */
const swapped = (digits: string) =>
  digits.replace(/(.)(.?)/g, (_, first, second) => `${second || 'F'}${first}`)

/** The parts of a text as the network delivers them, in order. */
export function partsOf(text: string, reference: number): Pick<ShortMessage, 'text' | 'part'>[] {
  if (text.length <= maxLength) return [{ text }]
  const count = Math.ceil(text.length / partLength)
  return Array.from({ length: count }, (_, turn) => ({
    text: text.slice(turn * partLength, (turn + 1) * partLength),
    part: { reference, count, place: turn + 1 },
  }))
}

const inUcs2 = (text: string) =>
  [...text.slice(0, maxLength)]
    .map(character => character.charCodeAt(0))
    .map(code => hex(code >> 8) + hex(code & 0xff))
    .join('')

/** ASCII in the default alphabet, seven bits for each letter, the first one lowest. */
function inSevenBits(text: string): string {
  const bits = [...text]
    .map(letter => letter.charCodeAt(0).toString(2).padStart(7, '0'))
    .reverse()
    .join('')
  const padded = bits.padStart(Math.ceil(bits.length / 8) * 8, '0')
  return (padded.match(/.{8}/g) ?? [])
    .reverse()
    .map(byte => hex(Number.parseInt(byte, 2)))
    .join('')
}

/** A number, or a name in seven bits, whose length counts its semi-octets (3GPP TS 23.040 9.1.2.5). */
function addressOf(from: string): string {
  if (/[A-Za-z]/.test(from)) return `${hex(Math.ceil((from.length * 7) / 4))}D0${inSevenBits(from)}`
  const digits = from.replace(/\D/g, '')
  return `${hex(digits.length)}${from.startsWith('+') ? '91' : '81'}${swapped(digits)}`
}

/** SMS-DELIVER behind an empty service centre address. */
export function pduOf({ from, isPlain, part, text, sentAt }: ShortMessage): string {
  const stamp = swapped(sentAt.replace(/\D/g, '').padEnd(14, '0').slice(0, 14))
  const address = addressOf(from)
  if (isPlain) return `0004${address}0000${stamp}${hex(text.length)}${inSevenBits(text)}`
  const header = part ? `050003${[part.reference, part.count, part.place].map(hex).join('')}` : ''
  const data = header + inUcs2(text)
  return `00${part ? '44' : '04'}${address}0008${stamp}${hex(data.length / 2)}${data}`
}

/** A message as `+CMGR`, `+CMGL` and `+CMT` show it, behind `head`. */
function shown(modem: Sim800, message: ShortMessage, head: string, status: string | undefined) {
  const { from, sentAt, text, isRead } = message
  if (settingOf(modem.settings, '+CMGF') === '1') {
    const state = status === undefined ? '' : `"${status}",`
    return [`${head}${state}"${from}","","${sentAt}"`, text]
  }
  const pdu = pduOf(message)
  const state = status === undefined ? '' : `${isRead ? 1 : 0},`
  return [`${head}${state}"",${pdu.length / 2 - 1}`, pdu]
}

const statusOf = ({ isRead }: ShortMessage) => (isRead ? 'REC READ' : 'REC UNREAD')

/** A message arrives: it is stored, shown at once or dropped, as AT+CNMI sets. A full SIM takes no more. */
export function receiveMessage(modem: Sim800, message: ShortMessage): void {
  const told = settingOf(modem.settings, '+CNMI').split(',')[1] ?? '0'
  if (told === '2') {
    for (const line of shown(modem, message, '+CMT: ', undefined)) sendUrc(modem, line)
    return
  }
  const free = freePlace(modem)
  if (!free) return
  modem.messages[free.store].set(free.at, message)
  if (told === '1') sendUrc(modem, `+CMTI: "${free.store}",${free.at}`)
}

function messageAt(modem: Sim800, number: number): ShortMessage | undefined {
  const place = placeOf(modem, number)
  return place && modem.messages[place.store].get(place.at)
}

/** Puts `message` in the place of the one that is there. */
function replace(modem: Sim800, number: number, message: ShortMessage): void {
  const place = placeOf(modem, number)
  if (place) modem.messages[place.store].set(place.at, message)
}

const take = (modem: Sim800, number: number, message: ShortMessage) =>
  replace(modem, number, { ...message, isRead: true })

function deleteAt(modem: Sim800, number: number): boolean {
  const place = placeOf(modem, number)
  return place !== undefined && modem.messages[place.store].delete(place.at)
}

const invalidIndex: Reply = { lines: [], result: { cms: 321 } }

/** Whether this is one of the first `most` reads of this message. */
function isFirstRead(modem: Sim800, place: number, most: number): boolean {
  const message = messageAt(modem, place)
  const tried = message?.triedReads ?? 0
  if (!message || tried >= most) return false
  replace(modem, place, { ...message, triedReads: tried + 1 })
  return true
}

const placeIn = (text: string) => Number(text.split(',')[0])

/** The fault firstReads: this question stays unanswered. */
export const losesRead = (modem: Sim800, { form, name, text }: Command): boolean =>
  modem.fault.firstReads === 'lost' &&
  name === '+CMGR' &&
  form === 'set' &&
  isFirstRead(modem, placeIn(text), 1)

function readOne(modem: Sim800, text: string): Reply {
  const place = placeIn(text)
  const message = messageAt(modem, place)
  if (!message) return invalidIndex
  if (modem.fault.firstReads === 'busy' && isFirstRead(modem, place, 2))
    return { lines: [], result: { cms: 314 } }
  take(modem, place, message)
  return { lines: shown(modem, message, '+CMGR: ', statusOf(message)), result: 'OK' }
}

/** The messages that AT+CMGL lists, by name in text mode and by number in PDU mode. */
function list(modem: Sim800, text: string): Reply {
  const wanted = text.replaceAll('"', '') || '0'
  const asks: Readonly<Record<string, readonly boolean[]>> = {
    'REC UNREAD': [false],
    'REC READ': [true],
    ALL: [false, true],
    0: [false],
    1: [true],
    4: [false, true],
  }
  const states = Object.hasOwn(asks, wanted) ? asks[wanted] : undefined
  if (!states) return { lines: [], result: { cms: 302 } }
  const lines = takenNumbers(modem).flatMap(place => {
    const message = messageAt(modem, place)
    if (!message || !states.includes(message.isRead)) return []
    take(modem, place, message)
    return shown(modem, message, `+CMGL: ${place},`, statusOf(message))
  })
  return { lines, result: 'OK' }
}

function remove(modem: Sim800, text: string): Reply {
  const [place, flag = '0'] = text.split(',').map(Number)
  if (flag === 0) return deleteAt(modem, place ?? 0) ? { lines: [], result: 'OK' } : invalidIndex
  for (const number of takenNumbers(modem))
    if (flag === 4 || messageAt(modem, number)?.isRead) deleteAt(modem, number)
  return { lines: [], result: 'OK' }
}

/** AT+CMGR, AT+CMGL, AT+CMGD and AT+CPMS. */
export function answerMessages(modem: Sim800, command: Command): Reply {
  const { name, form, text } = command
  if (name === '+CPMS') return answerStorages(modem, command)
  if (form === 'test') return { lines: [], result: 'OK' }
  if (name === '+CMGL') return list(modem, text)
  if (form !== 'set') return { lines: [], result: 'ERROR' }
  return name === '+CMGR' ? readOne(modem, text) : remove(modem, text)
}
