// The commands that other programs send to a SIM800 (AT manual V1.09): its clock, profile, phone book, contexts, USSD and
// messages.

import type { Answer } from './answers.ts'
import { asSaid, inUcs2 } from './characterSet.ts'
import type { Command } from './commandLine.ts'
import type { Sim800 } from './modemState.ts'
import { answerSend } from './sentMessage.ts'
import { changeSetting, settingOf } from './settings.ts'
import { sendUrc, sendUrcLater } from './wording.ts'

const ok: Answer = { lines: [], result: 'OK' }
const failed: Answer = { lines: [], result: 'ERROR' }
const says = (...lines: readonly string[]): Required<Answer> => ({ lines, result: 'OK' })

/** The clock of a SIM800 at power-on. */
const factoryClockMs = Date.UTC(2004, 0, 1)
const clockText = /^"(\d\d)\/(\d\d)\/(\d\d),(\d\d):(\d\d):(\d\d)([+-]\d\d)?"$/

const twoDigits = (number: number) => String(number % 100).padStart(2, '0')

/** `yy/MM/dd,hh:mm:ss` of milliseconds since 1970: the civil calendar, counted in years that begin in March. */
function clockLine(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const days = Math.floor(seconds / 86_400) + 719_468
  const era = Math.floor(days / 146_097)
  const ofEra = days - era * 146_097
  const leapDays = Math.floor(ofEra / 1_460) - Math.floor(ofEra / 36_524) + Math.floor(ofEra / 146_096)
  const yearOfEra = Math.floor((ofEra - leapDays) / 365)
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * ofYear + 2) / 153)
  const day = ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const time = [seconds / 3_600, seconds / 60, seconds].map((part, place) =>
    twoDigits(Math.floor(part) % (place === 0 ? 24 : 60)),
  )
  return `${[year, month, day].map(twoDigits).join('/')},${time.join(':')}`
}

function answerClock(modem: Sim800, { form, text }: Command): Answer {
  if (form === 'test') return ok
  if (form === 'read') {
    const { zone, setMs, atMs } = modem.clock ?? { zone: '+00', setMs: factoryClockMs, atMs: 0 }
    return says(`+CCLK: "${clockLine(setMs + modem.nowMs - atMs)}${zone}"`)
  }
  const [, year, month, day, hour, minute, second, zone = '+00'] = clockText.exec(text) ?? []
  if (form !== 'set' || year === undefined) return { lines: [], result: { cme: 3 } }
  const setMs = Date.UTC(
    2000 + Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  modem.clock = { zone, setMs, atMs: modem.nowMs }
  return ok
}

/** The network's answer to every USSD code. */
function ussdSaid({ fault }: Sim800): readonly string[] {
  switch (fault.ussd) {
    case 'silent':
      return []
    case 'menu':
      return ['+CUSD: 1, "1 Credit 2 Options 0 Exit", 15']
    case 'refused':
      return ['+CUSD: 4']
    case 'timedOut':
      return ['+CUSD: 5']
    case 'ucs2':
      return [`+CUSD: 0, "${inUcs2('Aveți 5,00 EUR până la 31.12')}", 72`]
    case 'late':
      return ['+CUSD: 0, "Credit 5.00 EUR', 'NO CARRIER', 'BUSY', 'OK', 'Valid until 31.12.2026", 15']
    case 'lines':
      return ['+CUSD: 0, "Credit 5.00 EUR', 'RDY', 'OK', 'Valid until 31.12.2026", 15']
    case 'cut':
      return ['+CUSD: 0, "Credit 5.00 EUR']
    default:
      return ['+CUSD: 0, "Credit 5.00 EUR", 15']
  }
}

/** The lines of a text of letters in the chosen character set. A text in hexadecimal has no line breaks. */
function ussdLines(modem: Sim800, lines: readonly string[]): readonly string[] {
  const [, head, text, rest] = /^(\+CUSD: \d, ")([^"]*)((?:", 15)?)$/.exec(lines.join('\n')) ?? []
  return head === undefined || text === undefined
    ? lines
    : `${head}${asSaid(modem, text)}${rest ?? ''}`.split('\n')
}

export function answerUssd(modem: Sim800): void {
  const { fault, latencies } = modem
  const afterMs = fault.ussd === 'late' ? 33_000 : 1_500 * latencies.scale
  const staysOpen = fault.ussd === 'silent' || fault.ussd === 'menu'
  modem.ussdUntilMs = staysOpen ? Number.POSITIVE_INFINITY : modem.nowMs + afterMs
  const isChoice = modem.nowMs >= modem.menuFromMs
  modem.menuFromMs = !isChoice && fault.ussd === 'menu' ? modem.nowMs + afterMs : Number.POSITIVE_INFINITY
  if (settingOf(modem.settings, '+CUSD') !== '1') return
  const lines = ussdLines(modem, isChoice ? ['+CUSD: 2, "No such choice", 15'] : ussdSaid(modem))
  if (lines.length > 0) sendUrcLater(modem, afterMs, lines)
  if (fault.opensMenu && !isChoice) openMenu(modem, afterMs + 2_000)
}

/** The network opens a menu by itself (3GPP TS 22.090 5.2). The next code counts as a choice. */
function openMenu(modem: Sim800, afterMs: number): void {
  modem.menuFromMs = modem.nowMs + afterMs
  modem.ussdUntilMs = Number.POSITIVE_INFINITY
  sendUrcLater(modem, afterMs, ussdLines(modem, ['+CUSD: 1, "Offer of the day: 1 Yes 2 No", 15']))
}

/** It ends the open session, and nothing that is on its way. */
function endUssd(modem: Sim800): void {
  modem.ussdUntilMs = 0
  modem.menuFromMs = Number.POSITIVE_INFINITY
}

function answerCusd(modem: Sim800, { form, text }: Command): Answer {
  if (form === 'test') return says('+CUSD: (0,1,2)')
  if (form === 'read') return says(`+CUSD: ${settingOf(modem.settings, '+CUSD')}`)
  const [, mode, code] = /^([0-2])(?:,("[^"]*")(?:,\d{1,3})?)?$/.exec(text) ?? []
  if (form !== 'set' || mode === undefined) return { lines: [], result: { cme: 3 } }
  if (mode === '2') endUssd(modem)
  else changeSetting(modem.settings, '+CUSD', mode)
  if (code !== undefined && modem.fault.unaskedUssd) {
    for (const line of ussdLines(modem, ['+CUSD: 0, "Bundle used up", 15'])) sendUrc(modem, line)
  }
  if (code !== undefined) answerUssd(modem)
  return ok
}

/** The fault losesUssdOk: the code is sent, and no OK follows. */
export function losesUssdOk(modem: Sim800, command: Command): boolean {
  if (!modem.fault.losesUssdOk || command.name !== '+CUSD' || !/^[01],"/.test(command.text)) return false
  answerCusd(modem, command)
  return true
}

function answerService(modem: Sim800, { form, text }: Command): Answer {
  if (form === 'test') return says('+CSMS: (0,1)')
  if (form === 'read') return says(`+CSMS: ${settingOf(modem.settings, '+CSMS')},1,1,1`)
  if (form !== 'set' || !changeSetting(modem.settings, '+CSMS', text))
    return { lines: [], result: { cms: 302 } }
  return says('+CSMS: 1,1,1')
}

function answerPhoneBook(modem: Sim800, { form, text }: Command): Answer {
  if (form === 'test') return says('+CPBS: ("SM","FD","LD","MC","RC","ON","ME","EN")')
  if (form === 'read') return says(`+CPBS: ${settingOf(modem.settings, '+CPBS')},0,250`)
  return form === 'set' && changeSetting(modem.settings, '+CPBS', text)
    ? ok
    : { lines: [], result: { cme: 3 } }
}

function answerWaiting(modem: Sim800, { form, text }: Command): Answer {
  if (form === 'test') return says('+CCWA: (0,1)')
  if (form === 'read') return says(`+CCWA: ${settingOf(modem.settings, '+CCWA')}`)
  const [, shown = '0', mode] = /^([01])(?:,([0-2])(?:,\d{1,3})?)?$/.exec(text) ?? []
  if (form !== 'set') return { lines: [], result: { cme: 3 } }
  changeSetting(modem.settings, '+CCWA', shown)
  return mode === '2' ? says('+CCWA: 1,1') : ok
}

function answerContexts(modem: Sim800, { form, text }: Command): Answer {
  if (form === 'test') return says('+CGDCONT: (1..3),"IP",,,(0..2),(0..3)')
  if (form === 'read')
    return says(...[...modem.contexts].map(([id, what]) => `+CGDCONT: ${id},${what},"0.0.0.0",0,0`))
  const [, id, type = '"IP"', name = '""'] = /^([1-3])(?:,("IP")(?:,("[^"]*"))?.*)?$/i.exec(text) ?? []
  if (form !== 'set' || id === undefined) return { lines: [], result: { cme: 3 } }
  if (text === id) modem.contexts.delete(id)
  else modem.contexts.set(id, `${type},${name}`)
  return ok
}

/** The files of a SIM card by number: the ICCID with its digits swapped, and the length of the MNC. */
const files: Readonly<Record<string, string>> = { 12258: '98041071188021436587F9', 28589: '00000002' }

/** AT+CRSM, READ BINARY alone; 106,130 is a missing file (3GPP TS 51.011 9.4). */
function answerRestricted({ sim }: Sim800, { form, text }: Command): Answer {
  if (form === 'test') return ok
  if (form !== 'set' || sim !== 'ready') return { lines: [], result: { cme: sim === 'ready' ? 3 : 10 } }
  const [, file = ''] = /^176,(\d{1,5})(?:,.*)?$/.exec(text) ?? []
  const held = files[file]
  return says(held === undefined ? '+CRSM: 106,130' : `+CRSM: 144,0,"${held}"`)
}

/** AT&V; the order is from memory. */
function answerProfile({ settings }: Sim800): Answer {
  const shown = [...settings.current].filter(([name]) => !name.startsWith('^'))
  return says('ACTIVE PROFILE', ...shown.map(([name, value]) => `${name}: ${value}`))
}

export const otherAnswers: readonly (readonly [string, (modem: Sim800, command: Command) => Answer])[] = [
  ['+CCLK', answerClock],
  ['+CUSD', answerCusd],
  ['+CSMS', answerService],
  ['+CMGS', answerSend],
  ['+CPBS', answerPhoneBook],
  ['+CCWA', answerWaiting],
  ['+CGDCONT', answerContexts],
  ['+CRSM', answerRestricted],
  ['L', () => ok],
  ['M', () => ok],
  ['&V', (modem, { text }) => (text === '' || text === '0' ? answerProfile(modem) : failed)],
]
