// The modem: bytes, timers and the network's reports come in; replies, timers and calls go out; without clock and I/O.

import { type Answer, answerCommand } from './answers.ts'
import {
  attach,
  becomeCallReady,
  changeFault,
  changeRegistration,
  findSim,
  finishBoot,
  keepFlooding,
  loseCable,
  powerOff,
  powerOn,
  restart,
  start,
} from './boot.ts'
import { connectedLine } from './callReports.ts'
import { delayMs } from './commandDelay.ts'
import { type Command, parseCommands } from './commandLine.ts'
import { answerHangUp, hangsUp } from './hangUp.ts'
import { receiveCall, ring } from './incomingCall.ts'
import { drawMs } from './latency.ts'
import {
  beginDial,
  callInDuring,
  finishHidden,
  followCall,
  hangUpCalls,
  losesAnswer,
  placeAfterFallBack,
  placeCall,
  reportDialling,
  reportEarlyEnd,
} from './modemCall.ts'
import {
  type CallProgress,
  inputBufferSize,
  type ModemEffect,
  type ModemEvent,
  type Sim800,
} from './modemState.ts'
import { finishSubmit, openPrompt, typeMessage } from './sentMessage.ts'
import { settingOf } from './settings.ts'
import { receiveMessage } from './shortMessage.ts'
import { startTimer, stopTimer } from './timer.ts'
import { echo, sendHeld, sendResponse, sendShifted, sendUrc } from './wording.ts'

/** Begins the command that is next on the running line; its answer comes with the timer. */
function beginCommand(modem: Sim800): void {
  const running = modem.running
  const command = running?.commands[running.at]
  if (!running || !command) return
  running.dial = command.name === 'D' ? beginDial(modem, command) : undefined
  modem.effects.push(startTimer('command', delayMs(modem, command)))
}

/** The line is done: the bytes that came meanwhile are read now. */
function finishLine(modem: Sim800): void {
  modem.running = undefined
  const waiting = modem.waiting
  modem.waiting = ''
  typeIn(modem, waiting)
}

function carryOut(modem: Sim800, command: Command): Answer {
  const dial = modem.running?.dial
  if (dial) return { lines: [], result: placeCall(modem, dial) }
  return hangsUp(command) ? answerHangUp(modem, command) : answerCommand(modem, command)
}

/** The running command has taken its time. */
function finishCommand(modem: Sim800): void {
  const running = modem.running
  if (!running) return
  const command = running.commands[running.at]
  if (!command) {
    sendResponse(modem, [], 'OK')
    finishLine(modem)
    return
  }
  if (losesAnswer(modem, command)) {
    finishLine(modem)
    return
  }
  const { lines, result } = carryOut(modem, command)
  // A command that switched the modem off has also ended the line.
  if (modem.running !== running || result === undefined) return
  running.lines.push(...lines)
  if (running.dial && result === 'OK') {
    const { dialOkDelayMs } = modem.fault
    if (settingOf(modem.settings, '+COLP') === '1') return
    if (dialOkDelayMs !== undefined) {
      modem.effects.push(startTimer('dialOk', dialOkDelayMs * modem.latencies.scale))
      return
    }
  }
  running.dial = undefined
  running.at += 1
  if (result === 'OK' && running.at < running.commands.length) {
    beginCommand(modem)
    return
  }
  sendResponse(modem, running.lines, result)
  finishLine(modem)
}

/** The OK to ATD that was kept back (the fault dialOkDelayMs). */
function finishLateDial(modem: Sim800): void {
  if (!modem.running?.dial) return
  sendResponse(modem, modem.running.lines, 'OK')
  finishLine(modem)
}

function runLine(modem: Sim800, line: string): void {
  const start = line.search(/at/i)
  if (start < 0) return
  if (modem.deafFor > 0) {
    // Only a plain AT reveals the rate to it (V1.09 1.4).
    if (/at$/i.test(line)) modem.deafFor -= 1
    return
  }
  modem.lastLine = line
  modem.lineCount += 1
  const { hangsAfterCommands } = modem.fault
  if (hangsAfterCommands !== undefined && modem.lineCount > hangsAfterCommands) {
    modem.hung = true
    return
  }
  const commands = parseCommands(line.slice(start + 2))
  modem.running = { commands, at: 0, lines: [], dial: undefined }
  if (commands.length > 0) {
    beginCommand(modem)
    return
  }
  modem.effects.push(startTimer('command', drawMs(modem.random, modem.latencies.commandMs)))
}

/** A character between ATD and its OK aborts the dial (V1.09 2.2.3); only an ATH is no mistake. */
function abortDial(modem: Sim800): void {
  const dial = modem.running?.dial
  if (!dial) return
  modem.interruption = ''
  modem.effects.push(stopTimer('command'), stopTimer('dialOk'))
  if (modem.calls.has(dial.callId)) hangUpCalls(modem, 'aborted')
  else modem.effects.push({ kind: 'refused', callId: dial.callId, why: 'aborted' })
  sendResponse(modem, [], 'NO CARRIER')
  modem.running = undefined
}

function checkInterruption(modem: Sim800, character: string): void {
  if (modem.interruption === undefined) return
  modem.interruption += character.toUpperCase()
  if (!'ATH\r'.startsWith(modem.interruption)) {
    modem.effects.push({ kind: 'violation', violation: 'byte_during_dial', text: modem.interruption })
    modem.interruption = undefined
  } else if (character === '\r') modem.interruption = undefined
}

/** The network has taken the message, or not. */
function finishMessage(modem: Sim800): void {
  finishSubmit(modem)
  finishLine(modem)
}

function typeCharacter(modem: Sim800, character: string): void {
  if (modem.prompt !== undefined) {
    if (typeMessage(modem, character)) finishLine(modem)
    return
  }
  // NUL and 0xFF are noise of a line that is being opened, and no characters.
  if (character === '\n' || character === '\0' || character === '\xff') return
  if (modem.running?.dial) abortDial(modem)
  checkInterruption(modem, character)
  if (modem.running) {
    if (modem.waiting.length < inputBufferSize) modem.waiting += character
    return
  }
  if (character === '\x1b') return
  echo(modem, character)
  if (character === '\r') {
    const line = modem.input
    modem.input = ''
    runLine(modem, line)
  } else if (character === '\b') modem.input = modem.input.slice(0, -1)
  else if (character === '/' && /^a$/i.test(modem.input)) {
    modem.input = ''
    runLine(modem, modem.lastLine)
  } else if (modem.input.length < inputBufferSize) modem.input += character
}

function typeIn(modem: Sim800, text: string): void {
  for (const character of text) {
    if (modem.power !== 'on' || modem.hung || modem.fault.garbles) return
    typeCharacter(modem, character)
  }
}

function fireLater(modem: Sim800, timer: string): void {
  const lines = modem.later.get(timer) ?? []
  modem.later.delete(timer)
  for (const line of lines) sendUrc(modem, line)
}

const ofCall =
  (action: (modem: Sim800, callId: number) => void) =>
  (modem: Sim800, timer: string): void =>
    action(modem, Number(timer.split(':')[1]))

/** By the timer's name up to its colon. */
const timers: Readonly<Record<string, (modem: Sim800, timer: string) => void>> = {
  command: finishCommand,
  dialOk: finishLateDial,
  held: sendHeld,
  prompt: openPrompt,
  submit: finishMessage,
  boot: finishBoot,
  sim: findSim,
  callReady: becomeCallReady,
  dialling: ofCall(reportDialling),
  ring: ofCall(ring),
  earlyEnd: ofCall(reportEarlyEnd),
  hiddenEnd: ofCall(finishHidden),
  callIn: ofCall(callInDuring),
  place: ofCall(placeAfterFallBack),
  shifted: sendShifted,
  flood: keepFlooding,
  coverageLost: attach,
  later: fireLater,
  undervoltage(modem) {
    sendUrc(modem, 'UNDER-VOLTAGE WARNNING')
    modem.effects.push(startTimer('brownout', 200 * modem.latencies.scale))
  },
  brownout: restart,
  portGoes: modem => loseCable(modem, modem.model.portAwayMs ?? 2000),
  unplugged: modem => loseCable(modem, 2000),
}

/**
 * A report about a call whose ATD has no final result yet. With AT+COLP=1 the answer brings the OK (V1.09 3.2.9); the token of an
 * end is the final result, and no OK follows.
 */
function followOpenDial(modem: Sim800, callId: number, progress: CallProgress): void {
  if (modem.running?.dial?.callId !== callId) return
  if (progress.kind === 'ended' && !modem.calls.has(callId)) {
    modem.effects.push(stopTimer('dialOk'))
    finishLine(modem)
  } else if (progress.kind === 'answered' && settingOf(modem.settings, '+COLP') === '1') {
    const call = modem.calls.get(callId)
    if (call) modem.running.lines.push(connectedLine(call))
    finishLateDial(modem)
  }
}

/** The effects of an event, in order. The modem's memory changes in place. */
export function hearModem(modem: Sim800, event: ModemEvent): readonly ModemEffect[] {
  switch (event.kind) {
    case 'bytes':
      typeIn(modem, event.text)
      break
    case 'timer':
      timers[event.timer.split(':')[0] ?? '']?.(modem, event.timer)
      break
    case 'call':
      followCall(modem, event.callId, event.progress)
      followOpenDial(modem, event.callId, event.progress)
      break
    case 'registration':
      changeRegistration(modem, event.registration)
      break
    case 'fault':
      changeFault(modem, event.fault)
      break
    case 'incoming':
      receiveCall(modem, event.callId, event.callerNumber)
      break
    case 'message':
      receiveMessage(modem, event.message)
      break
    case 'start':
      start(modem, event.registered)
      break
    case 'restart':
      restart(modem)
      break
    case 'powerOn':
      powerOn(modem)
      break
    case 'powerOff':
      powerOff(modem)
      break
  }
  return modem.effects.splice(0)
}
