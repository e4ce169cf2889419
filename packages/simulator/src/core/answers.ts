// What each command answers, but for the dialling and the hanging up: identity, state, settings.

import { attach, powerOff, powerOn, tryPin } from './boot.ts'
import type { Command } from './commandLine.ts'
import { callLine, hangUpCalls } from './modemCall.ts'
import { cellOf, type FinalResult, type Sim800, sendResponse, sendUrc } from './modemState.ts'
import { changeSetting, resetProfile, settingOf, settingRange, storeProfile } from './settings.ts'

export interface Answer {
  readonly lines: readonly string[]
  /** Absent: it has been said already, and the modem was switched off. */
  readonly result?: FinalResult
}

const ok: Answer = { lines: [], result: 'OK' }
const failed: Answer = { lines: [], result: 'ERROR' }
const cme = (number: number): Answer => ({ lines: [], result: { cme: number } })
const says = (...lines: readonly string[]): Answer => ({ lines, result: 'OK' })

type Handler = (modem: Sim800, command: Command) => Answer

/** A command that takes no value and says something. */
const tells =
  (lines: (modem: Sim800) => readonly string[]): Handler =>
  (modem, { form }) =>
    form === 'set' ? failed : form === 'test' ? ok : { lines: lines(modem), result: 'OK' }

/** A command that the SIM answers. */
const simTells =
  (lines: (modem: Sim800) => readonly string[]): Handler =>
  (modem, { form }) =>
    form === 'test' ? ok : (simProblem(modem) ?? { lines: lines(modem), result: 'OK' })

function simProblem({ sim }: Sim800): Answer | undefined {
  switch (sim) {
    case 'absent':
      return cme(10)
    case 'locked':
      return cme(11)
    case 'blocked':
      return cme(12)
    case 'starting':
      return cme(14)
    case 'ready':
      return undefined
  }
}

function answerPin(modem: Sim800, { form, text }: Command): Answer {
  if (form === 'test') return ok
  if (form === 'set') {
    if (modem.sim !== 'locked') return simProblem(modem) ?? cme(3)
    return tryPin(modem, text.replaceAll('"', '')) ? ok : cme(16)
  }
  if (modem.sim === 'locked') return says('+CPIN: SIM PIN')
  if (modem.sim === 'blocked') return says('+CPIN: SIM PUK')
  return simProblem(modem) ?? says('+CPIN: READY')
}

function answerFunctionality(modem: Sim800, command: Command): Answer {
  const [level = '', reset] = command.text.split(',')
  if (command.form !== 'set') return answerSetting(modem, command)
  const before = settingOf(modem.settings, '+CFUN')
  // 0 and 4 cannot be switched directly (V1.09 3.2.13).
  if (before !== '1' && level !== '1' && level !== before) return cme(3)
  if (!changeSetting(modem.settings, '+CFUN', level)) return cme(50)
  if (reset === '1') {
    sendResponse(modem, [], 'OK')
    powerOff(modem)
    powerOn(modem)
    return { lines: [] }
  }
  if (level === before) return ok
  if (level === '1' && modem.sim === 'ready') attach(modem)
  if (level !== '1') {
    hangUpCalls(modem, 'hung_up')
    modem.effects.push({ kind: 'detach' })
  }
  return ok
}

function answerOperator(modem: Sim800, { form, text }: Command): Answer {
  const registered = modem.registration === 1
  if (form === 'read') return says(registered ? '+COPS: 0,0,"CALLGATE TEST"' : '+COPS: 0')
  if (form === 'test') return says('+COPS: (2,"CALLGATE TEST","CGT","22699"),,(0,1,2,3,4),(0,1,2)')
  return form === 'set' && /^[0-4](,|$)/.test(text) ? ok : failed
}

const registrationOf =
  (name: '+CREG' | '+CGREG'): Handler =>
  (modem, command) =>
    command.form === 'read'
      ? says(`${name}: ${settingOf(modem.settings, name)},${modem.registration}${cellOf(modem, name)}`)
      : answerSetting(modem, command)

const causeTexts: Readonly<Record<number, string>> = {
  0: 'No cause information available',
  1: 'Unassigned (unallocated) number',
  8: 'Operator determined barring',
  16: 'Normal call clearing',
  17: 'User busy',
  19: 'User alerting, no answer',
  20: 'Subscriber absent',
  21: 'Call rejected',
  34: 'No circuit/channel available',
}

function answerCause(modem: Sim800, command: Command): Answer {
  if (command.form !== 'run') return answerSetting(modem, command)
  const { causeOfEnd } = modem
  const asNumber = settingOf(modem.settings, '+CEER') === '1'
  return says(
    `+CEER: ${asNumber ? `Cause:${causeOfEnd}` : (causeTexts[causeOfEnd] ?? 'Protocol error, unspecified')}`,
  )
}

function answerCalls(modem: Sim800, command: Command): Answer {
  if (command.form !== 'run') return answerSetting(modem, command)
  return says(...[...modem.calls.values()].map(call => callLine(call)))
}

function activity(modem: Sim800): number {
  if (modem.calls.size > 0) return 4
  return modem.sim === 'ready' ? 0 : 2
}

function answerPowerDown(modem: Sim800, { form, text }: Command): Answer {
  if (form === 'test') return says('+CPOWD: (0,1)')
  if (form !== 'set' || !/^[01]$/.test(text)) return failed
  if (text === '1') sendUrc(modem, 'NORMAL POWER DOWN')
  powerOff(modem)
  return { lines: [] }
}

const act =
  (action: (modem: Sim800) => void): Handler =>
  modem => {
    action(modem)
    return ok
  }

const manufacturer = tells(() => ['SIMCOM_Ltd'])
const model = tells(() => ['SIMCOM_SIM800L'])
const revision = tells(() => ['Revision:1418B04SIM800L24'])
const serialNumber = tells(({ imei }) => [imei])

const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['I', tells(() => ['SIM800 R14.18'])],
  ['+CGMI', manufacturer],
  ['+GMI', manufacturer],
  ['+CGMM', model],
  ['+GMM', model],
  ['+CGMR', revision],
  ['+GMR', revision],
  ['+GSV', tells(() => ['SIMCOM_Ltd', 'SIMCOM_SIM800L', 'Revision:1418B04SIM800L24'])],
  ['+GSN', serialNumber],
  ['+CGSN', serialNumber],
  ['+GCAP', tells(() => ['+GCAP: +CGSM'])],
  ['+CCID', simTells(() => ['8940011708123456789f'])],
  ['+CIMI', simTells(() => ['226991234567890'])],
  ['+CNUM', simTells(({ number }) => [`+CNUM: "","${number}",145,7,4`])],
  ['+SPIC', tells(({ pinTries }) => [`+SPIC: ${Math.max(0, pinTries)},3,10,10`])],
  ['+CPIN', answerPin],
  ['+CCALR', tells(({ callReady }) => [`+CCALR: ${callReady ? 1 : 0}`])],
  ['+CFUN', answerFunctionality],
  ['+CREG', registrationOf('+CREG')],
  ['+CGREG', registrationOf('+CGREG')],
  ['+COPS', answerOperator],
  ['+CSQ', tells(({ registration }) => [`+CSQ: ${registration === 1 ? '20' : '99'},0`])],
  ['+CBC', tells(() => ['+CBC: 0,95,4123'])],
  ['+CPAS', tells(modem => [`+CPAS: ${activity(modem)}`])],
  ['+CLCC', answerCalls],
  ['+CEER', answerCause],
  [
    '+CLIR',
    (modem, command) =>
      command.form === 'read'
        ? says(`+CLIR: ${settingOf(modem.settings, '+CLIR')},4`)
        : answerSetting(modem, command),
  ],
  [
    '+CPMS',
    (_, { form }) => says(form === 'set' ? '+CPMS: 0,30,0,30,0,30' : '+CPMS: "SM",0,30,"SM",0,30,"SM",0,30'),
  ],
  ['+VTS', ({ calls }, { form }) => (form === 'test' || calls.size > 0 ? ok : cme(3))],
  ['+CPOWD', answerPowerDown],
  ['A', () => ({ lines: [], result: 'NO CARRIER' })],
  ['L', () => ok],
  ['M', () => ok],
  ['Z', act(({ settings }) => resetProfile(settings, 'stored'))],
  ['&F', act(({ settings }) => resetProfile(settings, 'factory'))],
  ['&W', act(({ settings }) => storeProfile(settings))],
])

function answerSetting(modem: Sim800, { name, form, text }: Command): Answer {
  const range = settingRange(name)
  if (range === undefined) return failed
  // A basic command without a digit means 0 (V.250 5.3.1).
  if (!name.startsWith('+') && form === 'run')
    return changeSetting(modem.settings, name, text === '' ? '0' : text) ? ok : failed
  if (form === 'test') return says(`${name}: ${range}`)
  if (form === 'set') return changeSetting(modem.settings, name, text) ? ok : cme(50)
  const value = settingOf(modem.settings, name)
  if (form === 'read') return says(name.startsWith('+') ? `${name}: ${value}` : value.padStart(3, '0'))
  return failed
}

/** Carries out one command; one that is not known is an ERROR. */
export function answerCommand(modem: Sim800, command: Command): Answer {
  const handler = handlers.get(command.name) ?? answerSetting
  return handler(modem, command)
}
