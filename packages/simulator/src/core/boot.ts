// Power, SIM and registration: what a modem goes through before it can call, and loses when power fails.

import { drawMs } from './latency.ts'
import { hangUpCalls } from './modemCall.ts'
import { cellOf, type Registration, type Sim800, sendUrc } from './modemState.ts'
import { restartSettings, settingOf } from './settings.ts'
import { startTimer } from './timer.ts'

const correctPin = '1234'

/** What it forgets whenever it starts or stops. */
function forget(modem: Sim800): void {
  modem.hung = false
  modem.sim = 'starting'
  modem.pinGiven = false
  modem.callReady = false
  modem.registration = 0
  modem.input = ''
  modem.waiting = ''
  modem.running = undefined
  modem.interruption = undefined
  modem.lineCount = 0
  modem.later.clear()
  modem.held = []
}

/** Power fails: calls are gone without a word. */
export function powerOff(modem: Sim800): void {
  if (modem.power === 'off') return
  const dial = modem.running?.dial
  if (dial && !modem.calls.has(dial.callId))
    modem.effects.push({ kind: 'refused', callId: dial.callId, why: 'power_lost' })
  hangUpCalls(modem, 'power_lost')
  forget(modem)
  modem.power = 'off'
  modem.effects.push({ kind: 'stopAllTimers' }, { kind: 'detach' })
}

/** Power comes: silence, then RDY, the SIM, the network and Call Ready. */
export function powerOn(modem: Sim800): void {
  if (modem.power !== 'off') return
  restartSettings(modem.settings)
  forget(modem)
  modem.power = 'booting'
  modem.effects.push(startTimer('boot', drawMs(modem.random, modem.latencies.bootMs)))
}

/** Already up and on the network when the simulation begins, as if it had been on for hours. */
export function startRegistered(modem: Sim800): void {
  modem.power = 'on'
  modem.sim = modem.fault.sim ?? 'ready'
  modem.callReady = modem.sim === 'ready'
  if (modem.sim !== 'ready') return
  if (modem.fault.registration) attach(modem)
  else modem.registration = 1
}

/** RDY and `+CFUN` come only at a fixed rate (V1.09 1.4). */
export function finishBoot(modem: Sim800): void {
  modem.power = 'on'
  if (settingOf(modem.settings, '+IPR') !== '0') {
    sendUrc(modem, 'RDY')
    sendUrc(modem, `+CFUN: ${settingOf(modem.settings, '+CFUN')}`)
  }
  modem.effects.push(startTimer('sim', drawMs(modem.random, modem.latencies.simMs)))
}

/** The SIM has been looked at. */
export function findSim(modem: Sim800): void {
  const found = modem.fault.sim ?? 'ready'
  if (found === 'absent') {
    modem.sim = 'absent'
    sendUrc(modem, '+CPIN: NOT INSERTED')
  } else if (found === 'locked' && !modem.pinGiven) {
    modem.sim = modem.pinTries > 0 ? 'locked' : 'blocked'
    sendUrc(modem, `+CPIN: ${modem.pinTries > 0 ? 'SIM PIN' : 'SIM PUK'}`)
  } else acceptSim(modem)
}

function acceptSim(modem: Sim800): void {
  modem.sim = 'ready'
  sendUrc(modem, '+CPIN: READY')
  modem.effects.push(startTimer('callReady', drawMs(modem.random, modem.latencies.callReadyMs)))
  if (settingOf(modem.settings, '+CFUN') === '1') attach(modem)
}

/** Tries a PIN; the OK comes first, then what the SIM says. Three wrong ones block the SIM (only its PUK, given by a person, would free it). */
export function tryPin(modem: Sim800, pin: string): boolean {
  if (pin !== correctPin) {
    modem.pinTries -= 1
    if (modem.pinTries <= 0) modem.sim = 'blocked'
    return false
  }
  modem.pinTries = 3
  modem.pinGiven = true
  modem.sim = 'starting'
  modem.effects.push(startTimer('sim', drawMs(modem.random, modem.latencies.simMs)))
  return true
}

export function becomeCallReady(modem: Sim800): void {
  modem.callReady = true
  if (settingOf(modem.settings, '+CIURC') !== '1') return
  sendUrc(modem, 'Call Ready')
  sendUrc(modem, 'SMS Ready')
}

export function attach(modem: Sim800): void {
  modem.effects.push({ kind: 'attach', reach: modem.fault.registration ?? 'home' })
}

/** The network has taken the modem, lost it or turned it away. */
export function changeRegistration(modem: Sim800, registration: Registration): void {
  if (modem.registration === registration) return
  modem.registration = registration
  if (settingOf(modem.settings, '+CREG') !== '0')
    sendUrc(modem, `+CREG: ${registration}${cellOf(modem, '+CREG')}`)
}

/** A fault comes or goes while the modem runs. A modem that hung is alive again. */
export function changeFault(modem: Sim800, fault: Sim800['fault']): void {
  const before = modem.fault
  modem.fault = fault
  modem.hung = false
  modem.lineCount = 0
  if (modem.power !== 'on' || modem.sim === 'starting') return
  if (before.sim !== fault.sim) {
    modem.pinGiven = false
    modem.callReady = false
    modem.effects.push({ kind: 'detach' })
    findSim(modem)
  } else if (before.registration !== fault.registration && modem.sim === 'ready') attach(modem)
}
