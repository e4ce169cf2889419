// Health: one question a second while the line is idle, and what follows from its answer, or from none.

import type { AtLine } from './atLine.ts'
import { commands } from './commands.ts'
import type { Answer, Command } from './core/dialogue.ts'
import {
  isStorageFull,
  operatorReading,
  registrationReading,
  settingsReading,
  signalReading,
  voltageReading,
} from './core/readings.ts'
import { isRegistered, pauseWhile, publish, type Rig, unsettle } from './rig.ts'

interface HealthQuestion {
  readonly command: Command
  readonly reading: (line: string | undefined) => Partial<Rig['health']>
}

const attention: HealthQuestion = { command: commands.attention, reading: () => ({}) }

const registration: HealthQuestion = {
  command: commands.registration,
  reading: line => ({ registration: registrationReading(line) ?? 'unknown' }),
}
const signal: HealthQuestion = {
  command: commands.signal,
  reading: line => ({ signalDbm: signalReading(line) }),
}
const operator: HealthQuestion = {
  command: commands.operator,
  reading: line => ({ operator: operatorReading(line) }),
}
const voltage: HealthQuestion = {
  command: commands.voltage,
  reading: line => ({ voltageMv: voltageReading(line) }),
}

/** What operators and gates write stays on the SIM card until it is full, and no gate can confirm any more. */
const storage: HealthQuestion = { command: commands.storage, reading: () => ({}) }

const healthQuestions = [registration, attention, signal, attention, operator, attention, voltage, storage]

/** A module that lost its supply for a moment comes back without a word where its rate is not fixed. */
function watchSettings(rig: Rig, line: string | undefined): void {
  const hasThem = settingsReading(line)
  rig.showsSettings ??= hasThem
  if (hasThem || !rig.showsSettings || rig.call) return
  rig.options.world.log.warn('The modem has lost its settings: it restarted unseen')
  unsettle(rig, 'settingsGone')
}

async function askHealth(rig: Rig, at: AtLine, { command, reading }: HealthQuestion): Promise<Answer> {
  const answer = await at.ask(command)
  if (answer.result === 'ok' && rig.isSetUp) {
    rig.health = { ...rig.health, ...reading(answer.lines[0]) }
    if (command === commands.storage) rig.isStorageFull = isStorageFull(answer.lines[0])
    publish(rig)
    if (command === commands.registration && answer.lines.length > 0) watchSettings(rig, answer.lines[0])
  }
  return answer
}

const probeEveryMs = 1_000
const missesAllowed = 3
/** Modules are known to forget how to find a network; doubled each time that a restart did not help. */
const networkPatienceMs = 300_000
const longestPatienceMs = 3_600_000

/** When the network has been away for too long. */
export interface NetworkWatch {
  awaySinceMs: number | null
  restarts: number
}

function isNetworkOverdue(rig: Rig, watch: NetworkWatch): boolean {
  const nowMs = rig.options.world.monotonicMs()
  if (isRegistered(rig.health.registration)) {
    watch.awaySinceMs = null
    watch.restarts = 0
    return false
  }
  watch.awaySinceMs ??= nowMs
  if (nowMs - watch.awaySinceMs < Math.min(longestPatienceMs, networkPatienceMs * 2 ** watch.restarts))
    return false
  watch.awaySinceMs = nowMs
  watch.restarts += 1
  return true
}

/**
 * Every reading once, the registration, which makes it ready, last (it is the first question of the rounds that
 * follow): whoever has just plugged the modem in is looking for them.
 */
async function takeReadings(rig: Rig, at: AtLine): Promise<void> {
  for (const question of [signal, operator, voltage]) {
    if (!rig.isSetUp || rig.isReserved || rig.call) return
    if ((await askHealth(rig, at, question)).result === 'silent') return
  }
}

/**
 * Watches over a modem that is set up, until it has to be set up again (`unsettled`), or nothing answers, not even
 * the questions with which the dialogue gets in step again (`silent`).
 */
export async function idle(rig: Rig, at: AtLine, watch: NetworkWatch): Promise<'unsettled' | 'silent'> {
  const { log } = rig.options.world
  let misses = 0
  await takeReadings(rig, at)
  for (let turn = 0; rig.isSetUp && at.isOpen() && !rig.isClosing; ) {
    const question = healthQuestions[turn % healthQuestions.length]
    if (question && !rig.isReserved && !rig.call) {
      const { result } = await askHealth(rig, at, question)
      misses = result === 'silent' ? misses + 1 : 0
      turn += 1
      const isFree = !rig.isReserved && !rig.call
      if (misses >= missesAllowed && isFree) {
        log.warn('The modem has stopped answering')
        rig.lineTrouble = 'silent'
        unsettle(rig, 'silent')
        return 'silent'
      }
      if (isFree && rig.isSetUp && isNetworkOverdue(rig, watch)) {
        log.warn('No network for long: the modem is restarted')
        rig.isResetWanted = true
        unsettle(rig, 'silent')
      }
    }
    await pauseWhile(rig, probeEveryMs, () => rig.isSetUp && at.isOpen())
  }
  return 'unsettled'
}
