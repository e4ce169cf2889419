// Health: one question a second while the line is idle, and the effect of its answer or of silence.

import type { AtLine } from './atLine.ts'
import { commands, otherCommands } from './commands.ts'
import type { Answer, Command } from './core/dialogue.ts'
import type { ModemEvent } from './core/modemEvents.ts'
import { isBusy, isFree, isSetUp } from './core/modemState.ts'
import {
  allowsCalls,
  imsReading,
  isStorageFull,
  operatorReading,
  registrationReading,
  settingsReading,
  signalReading,
  voltageReading,
} from './core/readings.ts'
import type { Driver } from './driver.ts'
import { quirksOf } from './quirks.ts'

interface HealthQuestion {
  readonly command: Command
  /** The reading in the first line of its answer. */
  readonly read: (line: string | undefined) => Omit<ModemEvent<'healthRead'>, 'type'>
}

const attention: HealthQuestion = { command: commands.attention, read: () => ({ reading: {} }) }

const registration: HealthQuestion = {
  command: commands.registration,
  read: line => ({
    reading: { registration: registrationReading(line) ?? 'unknown' },
    ...(line === undefined ? {} : { hasSettings: settingsReading(line) }),
  }),
}
const signal: HealthQuestion = {
  command: commands.signal,
  read: line => ({ reading: { signalDbm: signalReading(line) } }),
}
const operator: HealthQuestion = {
  command: commands.operator,
  read: line => ({ reading: { operator: operatorReading(line) } }),
}
const voltage: HealthQuestion = {
  command: commands.voltage,
  read: line => ({ reading: { voltageMv: voltageReading(line) } }),
}

/** Messages of operators and gates stay on the SIM card until it is full. After that no gate can confirm by one. */
const storage: HealthQuestion = {
  command: commands.storage,
  read: line => ({ reading: {}, isStorageFull: isStorageFull(line) }),
}

const healthQuestions = [registration, attention, signal, attention, operator, attention, voltage, storage]

type Read = ReturnType<HealthQuestion['read']>

/**
 * A modem on LTE may be registered there alone. Then it can call only over LTE (VoLTE, by the network's IMS). Without IMS it has
 * data and no calls.
 */
async function withLte(line: AtLine, read: Read): Promise<Read> {
  const lte = await line.ask(otherCommands.lteRegistration)
  const there = lte.result === 'ok' ? registrationReading(lte.lines[0]) : undefined
  if (there === undefined || !allowsCalls(there)) return { ...read, isDataOnly: false }
  const ims = await line.ask(otherCommands.imsRegistration)
  const isCalling = ims.result === 'ok' && imsReading(ims.lines[0])
  return isCalling
    ? { ...read, isDataOnly: false, reading: { ...read.reading, registration: there } }
    : { ...read, isDataOnly: true }
}

async function askHealth(driver: Driver, line: AtLine, { command, read }: HealthQuestion): Promise<Answer> {
  const answer = await line.ask(command)
  if (answer.result !== 'ok') return answer
  const said = read(answer.lines[0])
  const { registration: is } = said.reading
  const asksLte = is !== undefined && !allowsCalls(is) && quirksOf(driver.status.model).usesLte
  driver.apply({ type: 'healthRead', ...(asksLte ? await withLte(line, said) : said) })
  return answer
}

const probeEveryMs = 1_000
const missesAllowed = 3

/**
 * Takes every reading once, for a person who has just plugged the modem in. The registration makes the modem ready and comes
 * last, because it is also the first question of the rounds that follow.
 */
async function takeReadings(driver: Driver, line: AtLine): Promise<void> {
  for (const question of [signal, operator, voltage]) {
    if (!isFree(driver.state)) return
    if ((await askHealth(driver, line, question)).result === 'silent') return
  }
}

/**
 * Monitors a modem that is set up, until it has to be set up again (`unsettled`), or nothing answers, not even the questions that
 * bring the dialogue back in step (`silent`).
 */
export async function watchHealth(driver: Driver, line: AtLine): Promise<'unsettled' | 'silent'> {
  let misses = 0
  const isOn = () => isSetUp(driver.state) && line.isOpen()
  await takeReadings(driver, line)
  for (let turn = 0; isOn() && !driver.state.isClosing; ) {
    const question = healthQuestions[turn % healthQuestions.length]
    if (question && isFree(driver.state)) {
      const { result } = await askHealth(driver, line, question)
      misses = result === 'silent' ? misses + 1 : 0
      turn += 1
      if (misses >= missesAllowed && !isBusy(driver.state)) {
        driver.apply({ type: 'fellSilent' })
        return 'silent'
      }
      driver.apply({ type: 'probed' })
    }
    await driver.pauseWhile(probeEveryMs, isOn)
  }
  return 'unsettled'
}
