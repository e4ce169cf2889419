// Keeping the modem alive: opens the line, sets the modem up, asks for its health, resets and reopens when it is lost.

import type { World } from '@callgate/world/world'
import { type AtLine, openAtLine } from './atLine.ts'
import { type Bell, createBell } from './bell.ts'
import type { OpenLine } from './byteLine.ts'
import type { RunningCall } from './callRun.ts'
import { commands } from './commands.ts'
import type { Answer, Command } from './core/dialogue.ts'
import type { Urc } from './core/lines.ts'
import {
  operatorReading,
  type Registration,
  registrationOf,
  registrationReading,
  signalReading,
  voltageReading,
} from './core/readings.ts'
import { type Identity, startUp } from './startUp.ts'

export interface ModemStatus {
  readonly state: 'starting' | 'ready' | 'calling' | 'no_network' | 'sim_error' | 'lost'
  /** The IMEI. */
  readonly modemId: string | null
  readonly model: string | null
  readonly operator: string | null
  readonly registration: Registration
  readonly signalDbm: number | null
  readonly voltageMv: number | null
}

export interface ModemOptions {
  readonly world: World
  readonly openLine: OpenLine
  /** The SIM card's PIN; tried once, and never again when it was refused. */
  readonly pin?: string
  /** The port's rate, to fix it in a modem that finds it by itself; without it such a modem is left as it is. */
  readonly baudRate?: number
  /** Every line, phone numbers and PIN masked. */
  readonly trace?: (direction: 'to' | 'from', line: string) => void
}

/** What the parts of the driver share. */
export interface Rig {
  readonly options: ModemOptions
  /** Rings when anything here changed. */
  readonly changed: Bell
  at: AtLine | null
  identity: Identity | null
  /** The modem is set up and its line is free, or carries our call. */
  isSetUp: boolean
  hasSimError: boolean
  isResetWanted: boolean
  isReserved: boolean
  isClosing: boolean
  call: RunningCall | null
  readonly pinRefused: { value: boolean }
  health: Pick<ModemStatus, 'operator' | 'registration' | 'signalDbm' | 'voltageMv'>
  status: ModemStatus
  readonly listeners: ((status: ModemStatus) => void)[]
}

const noHealth: Rig['health'] = { operator: null, registration: 'unknown', signalDbm: null, voltageMv: null }

export function createRig(options: ModemOptions): Rig {
  return {
    options,
    changed: createBell(options.world),
    at: null,
    identity: null,
    isSetUp: false,
    hasSimError: false,
    isResetWanted: false,
    isReserved: false,
    isClosing: false,
    call: null,
    pinRefused: { value: false },
    health: noHealth,
    status: { ...noHealth, state: 'starting', modemId: null, model: null },
    listeners: [],
  }
}

function stateOf(rig: Rig): ModemStatus['state'] {
  if (rig.call) return 'calling'
  if (!rig.at) return 'lost'
  if (rig.hasSimError) return 'sim_error'
  if (!rig.isSetUp) return 'starting'
  const { registration } = rig.health
  return registration === 'home' || registration === 'roaming' ? 'ready' : 'no_network'
}

/** Tells the listeners when the status is another one than before. */
export function publish(rig: Rig): void {
  const next: ModemStatus = {
    ...rig.health,
    state: stateOf(rig),
    modemId: rig.identity?.modemId ?? null,
    model: rig.identity?.model ?? null,
  }
  rig.changed.ring()
  if (JSON.stringify(next) === JSON.stringify(rig.status)) return
  if (next.state !== rig.status.state) rig.options.world.log.info('Modem', { state: next.state })
  rig.status = next
  for (const listener of rig.listeners) listener(next)
}

/** The modem has to be set up anew: no reservation and no call survives that. */
function unsettle(rig: Rig, why: string): void {
  rig.isSetUp = false
  rig.isReserved = false
  rig.health = noHealth
  rig.call?.lose(why)
  publish(rig)
}

function hear(rig: Rig, urc: Urc): void {
  const { log } = rig.options.world
  rig.call?.hear(urc)
  if (urc.urc === 'restarted' || urc.urc === 'poweredDown') unsettle(rig, urc.urc)
  // +CFUN: 1 also follows RDY; only out of the blue is it a restart.
  else if (urc.urc === 'radioOn' && rig.isSetUp) unsettle(rig, 'restarted')
  else if (urc.urc === 'sim' && urc.state !== 'READY' && rig.isSetUp) {
    log.warn('The SIM card went away', { state: urc.state })
    if (!rig.call) unsettle(rig, 'sim')
  } else if (urc.urc === 'registration') {
    rig.health = { ...rig.health, registration: registrationOf(urc.stat) }
    publish(rig)
  } else if (urc.urc === 'voltage') log.warn('The modem reports its supply voltage', { report: urc.text })
}

interface HealthQuestion {
  readonly command: Command
  readonly reading: (line: string | undefined) => Partial<Rig['health']>
}

const attention: HealthQuestion = { command: commands.attention, reading: () => ({}) }

const healthQuestions: readonly HealthQuestion[] = [
  {
    command: commands.registration,
    reading: line => ({ registration: registrationReading(line) ?? 'unknown' }),
  },
  attention,
  { command: commands.signal, reading: line => ({ signalDbm: signalReading(line) }) },
  attention,
  { command: commands.operator, reading: line => ({ operator: operatorReading(line) }) },
  attention,
  { command: commands.voltage, reading: line => ({ voltageMv: voltageReading(line) }) },
  attention,
]

async function askHealth(rig: Rig, at: AtLine, { command, reading }: HealthQuestion): Promise<Answer> {
  const answer = await at.ask(command)
  if (answer.result === 'ok' && rig.isSetUp) {
    rig.health = { ...rig.health, ...reading(answer.lines[0]) }
    publish(rig)
  }
  return answer
}

const probeEveryMs = 1_000
const missesAllowed = 3

/** Asks one question a second while the line is idle, until the modem has to be set up or reset. */
async function idle(rig: Rig, at: AtLine): Promise<void> {
  let misses = 0
  for (let turn = 0; rig.isSetUp && at.isOpen() && !rig.isClosing; ) {
    const question = healthQuestions[turn % healthQuestions.length]
    if (question && !rig.isReserved && !rig.call) {
      const { result } = await askHealth(rig, at, question)
      misses = result === 'silent' ? misses + 1 : 0
      turn += 1
      if (misses >= missesAllowed && !rig.isReserved && !rig.call) {
        rig.options.world.log.warn('The modem has stopped answering')
        rig.isResetWanted = true
        unsettle(rig, 'silent')
      }
    }
    await pauseWhile(rig, probeEveryMs, () => rig.isSetUp && at.isOpen())
  }
}

/** Waits `durationMs`, or less when the modem is closed or `isWanted` no longer holds. */
async function pauseWhile(rig: Rig, durationMs: number, isWanted: () => boolean): Promise<void> {
  const { world } = rig.options
  const endMs = world.monotonicMs() + durationMs
  while (world.monotonicMs() < endMs && isWanted() && !rig.isClosing)
    await rig.changed.heard(endMs - world.monotonicMs())
}

function pause(rig: Rig, durationMs: number): Promise<void> {
  return new Promise(resolve => rig.options.world.after(durationMs, resolve))
}

/** Ends a half-written line, then restarts the module, so that nothing it was told before can happen. */
async function resetModem(rig: Rig, at: AtLine): Promise<void> {
  rig.options.world.log.warn('Resetting the modem')
  await at.ask(commands.spoilLine)
  await at.ask(commands.reset)
  rig.isResetWanted = false
}

const startUpsPerLine = 3
const simRetryMs = 10_000
const simRetriesPerReset = 6

/** Serves an open line until it is gone, or until it has to be opened anew. True when the modem was once set up. */
async function serve(rig: Rig, at: AtLine): Promise<boolean> {
  const { world, pin, baudRate } = rig.options
  let wasSetUp = false
  let simFailures = 0
  for (let failures = 0; failures < startUpsPerLine && at.isOpen() && !rig.isClosing; ) {
    if (rig.isResetWanted) await resetModem(rig, at)
    publish(rig)
    const { pinRefused } = rig
    const started = await startUp({
      world,
      at,
      pin,
      baudRate,
      pinRefused,
      pause: durationMs => pause(rig, durationMs),
    })
    rig.hasSimError = !started.ok && started.why === 'sim'
    if (started.ok) {
      failures = 0
      simFailures = 0
      wasSetUp = true
      rig.identity = started.identity
      rig.isSetUp = true
      publish(rig)
      await idle(rig, at)
      continue
    }
    world.log.warn('The modem could not be set up', { why: started.why, detail: started.detail })
    publish(rig)
    if (started.why === 'silent') {
      if (at.nulCount() > 200) world.log.warn('The line carries only zeros: the modem may be off')
      return wasSetUp
    }
    if (started.why === 'sim') {
      rig.isResetWanted = ++simFailures % simRetriesPerReset === 0
      await pauseWhile(rig, simRetryMs, at.isOpen)
    } else {
      failures += 1
      rig.isResetWanted = at.isOpen() && failures > 1
    }
  }
  return wasSetUp
}

const backOffMs = (failures: number) => Math.min(30_000, 500 * 2 ** Math.min(failures, 6))

/** Opens and serves the line until the modem is closed; with a growing pause while that fails. */
export async function keepAlive(rig: Rig): Promise<void> {
  const { world, openLine, trace } = rig.options
  let saidCode = ''
  for (let failures = 0; !rig.isClosing; ) {
    const opened = await openLine()
    if (opened.ok && rig.isClosing) await opened.line.close()
    else if (opened.ok) {
      saidCode = ''
      const at = openAtLine({
        world,
        line: opened.line,
        trace,
        onUrc: urc => hear(rig, urc),
        onClose: reason => {
          if (!rig.isClosing) world.log.warn('The serial port is gone', { reason })
          if (rig.at === at) rig.at = null
          unsettle(rig, 'port')
        },
      })
      rig.at = at
      failures = (await serve(rig, at)) ? 0 : failures + 1
      if (!rig.isClosing) await at.close()
    } else {
      failures += 1
      if (opened.code !== saidCode) world.log.error(opened.message, { code: opened.code })
      saidCode = opened.code
      publish(rig)
    }
    await pauseWhile(rig, backOffMs(failures), () => true)
  }
}
