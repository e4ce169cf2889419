// Power, SIM and registration: the steps of a modem before it can call, and what it loses when power fails.

import { drawMs } from './latency.ts'
import { hangUpCalls } from './modemCall.ts'
import type { Registration, Sim800 } from './modemState.ts'
import { restartSettings, settingOf } from './settings.ts'
import { startTimer } from './timer.ts'
import { cellOf, registrationFor, sendUrc } from './wording.ts'

const correctPin = '1234'

/** Forgets the state that does not survive a start or a stop. */
function forget(modem: Sim800): void {
  modem.hung = false
  modem.deafFor = 0
  modem.shifting = false
  modem.shifted = undefined
  modem.flooding = false
  modem.deregistered = false
  modem.operatorFormat = '0'
  modem.sim = 'starting'
  modem.pinGiven = false
  modem.callReady = false
  modem.registration = 0
  modem.input = ''
  modem.waiting = ''
  modem.running = undefined
  modem.interruption = undefined
  modem.lineCount = 0
  modem.prompt = undefined
  modem.ussdUntilMs = 0
  modem.menuFromMs = Number.POSITIVE_INFINITY
  modem.submitted = undefined
  modem.clock = undefined
  modem.storages = ['SM', 'SM', 'SM']
  modem.startsQuietly = false
  modem.later.clear()
  modem.held = []
}

/** The bytes at power-on that V1.09 1.4 shows for a module at 115200. */
const garbage = '\0IIII\xff\xff\xff\xff'
const floodEveryMs = 100
/** Sent every 100 ms: ten times the 200 NULs a second that count as a line without a modem. */
const flood = '\0'.repeat(200)

/** Power fails: calls end without a report. */
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

/** Power comes: silence, then RDY, the SIM card, the network and Call Ready. */
export function powerOn(modem: Sim800): void {
  if (modem.power !== 'off') return
  const { current } = modem.settings
  restartSettings(modem.settings)
  if (modem.fault.echoAfterReset) current.set('E', '1')
  if (modem.fault.autobaud) current.set('+IPR', '0')
  forget(modem)
  modem.power = 'booting'
  if (modem.fault.bootGarbage) modem.effects.push({ kind: 'send', text: garbage })
  modem.effects.push(startTimer('boot', drawMs(modem.random, modem.latencies.bootMs)))
}

/** Off and on again. */
export function restart(modem: Sim800): void {
  powerOff(modem)
  powerOn(modem)
}

/** A module without power leaves its line floating, and the other end reads NULs. */
export function keepFlooding(modem: Sim800): void {
  if (!modem.flooding) return
  modem.effects.push({ kind: 'send', text: flood }, startTimer('flood', floodEveryMs))
}

function startFlood(modem: Sim800): void {
  powerOff(modem)
  modem.flooding = true
  keepFlooding(modem)
}

/** The simulation begins: with the modem already on the network, as after hours of service, or at power-on. */
export function start(modem: Sim800, registered: boolean): void {
  if (modem.flooding) return
  if (!registered) {
    powerOn(modem)
    return
  }
  modem.power = 'on'
  modem.sim = modem.fault.sim ?? 'ready'
  modem.callReady = modem.sim === 'ready'
  if (modem.sim !== 'ready') return
  if (modem.fault.registration) attach(modem)
  else {
    modem.registration = 1
    modem.effects.push({ kind: 'attached' })
  }
}

/** Start lines come only at a fixed rate (V1.09 1.4). */
export function finishBoot(modem: Sim800): void {
  modem.power = 'on'
  if (modem.fault.autobaud) modem.deafFor = 3
  modem.startsQuietly = settingOf(modem.settings, '+IPR') === '0'
  if (!modem.startsQuietly)
    for (const line of modem.model.started)
      sendUrc(modem, line === '+CFUN: 1' ? `+CFUN: ${settingOf(modem.settings, '+CFUN')}` : line)
  modem.effects.push(startTimer('sim', drawMs(modem.random, modem.latencies.simMs)))
}

/** The SIM was read. */
export function findSim(modem: Sim800): void {
  const found = modem.fault.sim ?? 'ready'
  const tell = modem.startsQuietly ? () => {} : (line: string) => sendUrc(modem, line)
  modem.startsQuietly = false
  if (found === 'absent') {
    modem.sim = 'absent'
    tell('+CPIN: NOT INSERTED')
  } else if (found === 'blocked' || (found === 'locked' && !modem.pinGiven)) {
    const isBlocked = found === 'blocked' || modem.pinTries <= 0
    modem.sim = isBlocked ? 'blocked' : 'locked'
    tell(`+CPIN: ${isBlocked ? 'SIM PUK' : 'SIM PIN'}`)
  } else {
    tell('+CPIN: READY')
    acceptSim(modem)
  }
}

function acceptSim(modem: Sim800): void {
  modem.sim = 'ready'
  modem.effects.push(startTimer('callReady', drawMs(modem.random, modem.latencies.callReadyMs)))
  if (settingOf(modem.settings, '+CFUN') === '1') attach(modem)
}

/**
 * Tries a PIN; the OK comes first, then the answer of the SIM card. Three wrong PINs block the card; only its PUK unblocks it,
 * which a person enters.
 */
export function tryPin(modem: Sim800, pin: string): boolean {
  if (pin !== correctPin || modem.fault.strangePin) {
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
  if (modem.model.callSigns === 'moRing' && settingOf(modem.settings, '+CIURC') !== '1') return
  for (const line of modem.model.usable) sendUrc(modem, line)
}

export function attach(modem: Sim800): void {
  modem.effects.push({ kind: 'attach', reach: modem.fault.registration ?? 'home' })
}

/** The network has accepted, lost or refused the modem. */
export function changeRegistration(modem: Sim800, registration: Registration): void {
  if (modem.registration === registration) return
  modem.registration = registration
  for (const name of ['+CREG', '+CGREG', '+CEREG'] as const)
    if (settingOf(modem.settings, name) !== '0')
      sendUrc(modem, `${name}: ${registrationFor(modem, name)}${cellOf(modem, name)}`)
}

/** The faults change while the modem runs. A modem that hung runs again. */
export function changeFault(modem: Sim800, fault: Sim800['fault']): void {
  const before = modem.fault
  modem.fault = fault
  modem.hung = false
  modem.lineCount = 0
  modem.shifting = fault.shiftsReplies === true
  if (fault.nulFlood) {
    startFlood(modem)
    return
  }
  if (modem.flooding) {
    modem.flooding = false
    powerOn(modem)
  }
  if (modem.power !== 'on' || modem.sim === 'starting') return
  if (before.sim !== fault.sim) {
    // Another SIM is inserted.
    modem.pinTries = 3
    modem.pinGiven = false
    modem.callReady = false
    modem.effects.push({ kind: 'detach' })
    findSim(modem)
  } else if (before.registration !== fault.registration && modem.sim === 'ready') attach(modem)
}

/** The port goes away for this long, on a normal network. */
export function loseCable({ effects, latencies }: Sim800, forMs: number): void {
  effects.push({ kind: 'reenumerate', outForMs: forMs * latencies.scale })
}
