// The answer of each command, except those that dial or hang up: state, settings, and effects.

import { attach, powerOff, restart, tryPin } from './boot.ts'
import { callLine } from './callReports.ts'
import { asSaid } from './characterSet.ts'
import type { Command } from './commandLine.ts'
import { identityOf } from './identity.ts'
import { answerCall } from './incomingCall.ts'
import { hangUpCalls } from './modemCall.ts'
import type { Sim800 } from './modemState.ts'
import { otherAnswers } from './otherAnswers.ts'
import {
  changeSetting,
  resetProfile,
  settingNames,
  settingOf,
  settingRange,
  storeProfile,
} from './settings.ts'
import { answerMessages } from './shortMessage.ts'
import { startTimer } from './timer.ts'
import { cellOf, type FinalResult, registrationFor, sendResponse, sendUrc } from './wording.ts'

export interface Answer {
  readonly lines: readonly string[]
  /** Absent: the answer was already sent, and the modem was switched off. */
  readonly result?: FinalResult
}

const ok: Answer = { lines: [], result: 'OK' }
const failed: Answer = { lines: [], result: 'ERROR' }
const cme = (number: number): Answer => ({ lines: [], result: { cme: number } })
const says = (...lines: readonly string[]): Answer => ({ lines, result: 'OK' })

type Handler = (modem: Sim800, command: Command) => Answer

/** A command that takes no value and gives an answer. */
const tells =
  (lines: (modem: Sim800) => readonly string[]): Handler =>
  (modem, { form }) =>
    form === 'set' ? failed : form === 'test' ? ok : { lines: lines(modem), result: 'OK' }

/** A command that the SIM answers. */
const asksSim =
  (answer: Handler): Handler =>
  (modem, command) =>
    command.form === 'test' && command.name !== '+CPMS' ? ok : (simProblem(modem) ?? answer(modem, command))

const simTells = (lines: (modem: Sim800) => readonly string[]): Handler =>
  asksSim(modem => ({ lines: lines(modem), result: 'OK' }))

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
    restart(modem)
    // The OK is on its way before the port goes.
    if (modem.model.portAwayMs !== null || modem.fault.reenumeratesOnReset)
      modem.effects.push(startTimer('portGoes', 300 * modem.latencies.scale))
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

const operatorNames = ['CALLGATE TEST', 'CALLGATE', '22699'] as const

/** AT+COPS: 0 and 1 look for a network, 2 leaves it, 3 only chooses how operators are named. */
function answerOperator(modem: Sim800, { form, text }: Command): Answer {
  const format = Number(modem.operatorFormat)
  if (form === 'read')
    return says(
      modem.registration === 1 && !modem.deregistered
        ? `+COPS: 0,${format},"${format === 2 ? operatorNames[2] : asSaid(modem, operatorNames[format] ?? '')}"`
        : `+COPS: ${modem.deregistered ? 2 : 0}`,
    )
  if (form === 'test') return says('+COPS: (2,"CALLGATE TEST","CALLGATE","22699"),,(0-4),(0-2)')
  const [, mode, named] = /^([0-4])(?:,([0-2])(?:,.*)?)?$/.exec(text) ?? []
  if (form !== 'set' || mode === undefined) return failed
  if (named !== undefined) modem.operatorFormat = named
  if (mode === '2' && !modem.deregistered) modem.effects.push({ kind: 'detach' })
  if (mode !== '2' && mode !== '3' && modem.deregistered && modem.sim === 'ready') attach(modem)
  if (mode !== '3') modem.deregistered = mode === '2'
  return ok
}

const registrationOf =
  (name: '+CREG' | '+CGREG' | '+CEREG'): Handler =>
  (modem, command) =>
    command.form === 'read'
      ? says(
          `${name}: ${settingOf(modem.settings, name)},${registrationFor(modem, name)}${cellOf(modem, name)}`,
        )
      : answerSetting(modem, command)

/** AT+CIREG: 1,1 where the network's IMS takes calls (27.007 8.71). */
const answerIms: Handler = (modem, command) => {
  const isThere = modem.registration === 1 && modem.fault.calls === 'overLteAlone'
  return command.form === 'read'
    ? says(`+CIREG: ${settingOf(modem.settings, '+CIREG')},${isThere ? '1,5' : '0,0'}`)
    : answerSetting(modem, command)
}

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
  68: 'ACM equal to or greater than ACMmax',
}

function answerCause(modem: Sim800, command: Command): Answer {
  const { causeOfEnd, model } = modem
  if (command.form !== 'run') return model.causes === 'number' ? answerSetting(modem, command) : failed
  const name = causeTexts[causeOfEnd] ?? 'Protocol error, unspecified'
  if (model.causes === 'none') return says('+CEER: 0,-1')
  if (model.causes === 'numberedName')
    return says(`+CEER: "${causeOfEnd} ${causeOfEnd === 0 ? 'Unknown' : name}"`)
  return says(`+CEER: ${settingOf(modem.settings, '+CEER') === '1' ? `Cause:${causeOfEnd}` : name}`)
}

function answerCalls(modem: Sim800, command: Command): Answer {
  const { model, calls, fault } = modem
  if (command.form === 'run') {
    if (fault.listsNothing) return ok
    const leftover = fault.leftoverRow ? ['+CLCC: 9,1,0,0,0,"",129'] : []
    const data = model.listsDataContext ? ['+CLCC: 1,0,0,1,0,"",128'] : []
    return says(...data, ...leftover, ...[...calls.values()].map(call => callLine(modem, call)))
  }
  if (model.listRange === null) return command.form === 'test' ? ok : failed
  return command.form === 'test' ? says(`+CLCC: ${model.listRange}`) : answerSetting(modem, command)
}

function activity(modem: Sim800): number {
  const states = [...modem.calls.values()].map(({ state }) => state)
  if (states.length > 0) return states.includes(4) ? 3 : 4
  return modem.sim === 'ready' ? 0 : 2
}

/** AT+CLIP?, +CLIR? and +COLP? give the setting, then what the network provides. */
const withProvision =
  (provision: number): Handler =>
  (modem, command) =>
    command.form === 'read'
      ? says(`${command.name}: ${settingOf(modem.settings, command.name)},${provision}`)
      : answerSetting(modem, command)

/** AT+CPOF and AT+QPOWD of LTE modems, which answer first. */
const switchesOff =
  (said: string): Handler =>
  (modem, { form }) => {
    if (form === 'test') return ok
    sendResponse(modem, [], 'OK')
    sendUrc(modem, said)
    powerOff(modem)
    return { lines: [] }
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

const restingMv = 4_123

/** The supply, which a fault lowers during a call. */
function answerVoltage({ calls, fault, model }: Sim800): readonly string[] {
  const mv = calls.size > 0 ? (fault.sagsToMv ?? restingMv) : restingMv
  return [model.tellsVolts ? `+CBC: ${(mv / 1_000).toFixed(3)}V` : `+CBC: 0,95,${mv}`]
}

const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['+CIMI', simTells(() => ['226991234567890'])],
  ['+CNUM', simTells(modem => [`+CNUM: "","${asSaid(modem, modem.number)}",145,7,4`])],
  ['+SPIC', tells(({ pinTries }) => [`+SPIC: ${Math.max(0, pinTries)},3,10,10`])],
  ['+QPINC', tells(({ pinTries }) => [`+QPINC: "SC",${Math.max(0, pinTries)},10`])],
  [
    '+CLCK',
    asksSim(({ fault }, { form, text }) =>
      form === 'set' && text.replaceAll('"', '').startsWith('SC,2')
        ? says(`+CLCK: ${fault.sim === 'locked' ? 1 : 0}`)
        : failed,
    ),
  ],
  ['+CPIN', answerPin],
  ['+CCALR', tells(({ callReady, fault }) => (fault.bareCallReady ? [] : [`+CCALR: ${callReady ? 1 : 0}`]))],
  ['+CFUN', answerFunctionality],
  ['+CREG', registrationOf('+CREG')],
  ['+CGREG', registrationOf('+CGREG')],
  ['+CEREG', registrationOf('+CEREG')],
  ['+CIREG', answerIms],
  ['+COPS', answerOperator],
  ['+CSQ', tells(({ registration }) => [`+CSQ: ${registration === 1 ? '20' : '99'},0`])],
  ['+CBC', tells(answerVoltage)],
  ['+CPAS', tells(modem => [`+CPAS: ${activity(modem)}`])],
  ['+CLCC', answerCalls],
  ['+CEER', answerCause],
  ['+CLIP', withProvision(1)],
  ['+CLIR', withProvision(4)],
  ['+COLP', withProvision(1)],
  ['+CMGR', asksSim(answerMessages)],
  ['+CMGL', asksSim(answerMessages)],
  ['+CMGD', asksSim(answerMessages)],
  ['+CPMS', asksSim(answerMessages)],
  [
    '+VTS',
    ({ calls }, { form }) =>
      form === 'test' ? says('+VTS: (0-9,*,#,A-D)') : calls.size > 0 && form === 'set' ? ok : cme(3),
  ],
  ['+CPOWD', answerPowerDown],
  ['+CPOF', switchesOff('NORMAL POWER DOWN')],
  ['+QPOWD', switchesOff('POWERED DOWN')],
  ...otherAnswers,
  ['A', modem => ({ lines: [], result: answerCall(modem) ? 'OK' : 'NO CARRIER' })],
  ['Z', act(({ settings }) => resetProfile(settings, 'stored'))],
  ['&F', act(({ settings }) => resetProfile(settings, 'factory'))],
  ['&W', act(({ settings }) => storeProfile(settings))],
])

/** An unknown extended command is an error of the equipment, worded by AT+CMEE; an unknown basic one is not. */
const unknownCommand = (name: string): Answer => (/^[+^*]/.test(name) ? cme(100) : failed)

function answerSetting(modem: Sim800, { name, form, text }: Command): Answer {
  const range = settingRange(name)
  if (range === undefined) return unknownCommand(name)
  // A basic command without a digit means 0 (V.250 5.3.1).
  if (!name.startsWith('+') && form === 'run')
    return changeSetting(modem.settings, name, text === '' ? '0' : text) ? ok : failed
  if (form === 'test') return range === '' ? ok : says(`${name}: ${range}`)
  if (form === 'set') return changeSetting(modem.settings, name, text) ? ok : cme(50)
  const value = settingOf(modem.settings, name)
  if (form === 'read') return says(name.startsWith('+') ? `${name}: ${value}` : value.padStart(3, '0'))
  return failed
}

/** The names of all commands that some model knows, without those of its identity. */
export const commandNames = (): readonly string[] => [...new Set([...handlers.keys(), ...settingNames()])]

/** Carries out one command. An unknown one, or one of another model, is an error. */
export function answerCommand(modem: Sim800, command: Command): Answer {
  if (modem.model.lacks.has(command.name)) return unknownCommand(command.name)
  const identity = identityOf(modem, command.name)
  if (identity) {
    const answer = command.name in modem.model.simNumbers ? simTells(() => identity) : tells(() => identity)
    return answer(modem, command)
  }
  const handler = handlers.get(command.name) ?? answerSetting
  return handler(modem, command)
}
