// A dial over a pseudo-terminal: the time to the ATD with our driver and with gammu, a phone utility.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callProfile } from '@callgate/contract/call/callProfile'
import { createModem } from '@callgate/modem/modem'
import { serialLine } from '@callgate/modem/serial'
import { openPort } from '@callgate/simulator/port'
import { run } from '@callgate/simulator/programs.kit'
import type { Simulator } from '@callgate/simulator/simulator'
import { phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { realWorld } from '@callgate/world/real'

export interface DialFigures {
  /** From the reservation of a ready modem to the ATD on its line, in milliseconds. */
  readonly readyMs: readonly number[]
  /** From the start of the driver, with all its questions to the modem before the dial. */
  readonly fromStartMs: readonly number[]
  /** From the start of gammu; undefined where it is not installed. */
  readonly gammuMs: readonly number[] | undefined
}

const world = realWorld({ logLevel: 'silent' })
const longestMs = 30_000

async function until(isSo: () => boolean): Promise<void> {
  const startMs = world.monotonicMs()
  while (!isSo()) {
    if (world.monotonicMs() - startMs > longestMs) throw new Error('the modem did not come that far')
    await pause(5)
  }
}

/** The time of the last ATD. */
async function dialledAtMs(simulator: Simulator, sinceMs: number): Promise<number> {
  const dials = () =>
    simulator
      .wireLog()
      .filter(
        ({ atMs, direction, text }) => atMs >= sinceMs && direction === 'toModem' && text.startsWith('ATD'),
      )
  await until(() => dials().length > 0)
  return dials()[0]?.atMs ?? Number.NaN
}

/** Waits until the gate has rejected the call, and the line is quiet again. */
async function untilOver(simulator: Simulator, calls: number): Promise<void> {
  await until(() => simulator.state().gates[0]?.relayCount === calls)
  await pause(1_500)
}

/** One dial by a driver that is started for it. */
async function ours(simulator: Simulator, tty: string): Promise<{ readyMs: number; fromStartMs: number }> {
  const startMs = world.monotonicMs()
  const modem = createModem({ world, openLine: serialLine({ world, paths: [tty], baudRate: 115_200 }) })
  modem.start()
  try {
    await until(() => modem.status().state === 'ready')
    const reservedMs = world.monotonicMs()
    if (!(await modem.reserve()).ok) throw new Error('the modem was not ready')
    const profile = callProfile({ mode: 'reject', learned: true, discriminating: true })
    const dialled = modem.dial({ phoneNumber, profile, mayDial: () => true, onProgress() {} })
    const atMs = await dialledAtMs(simulator, startMs)
    await dialled
    return { readyMs: atMs - reservedMs, fromStartMs: atMs - startMs }
  } finally {
    await modem.close()
  }
}

/** `rounds` dials of ours and of gammu in turn, on the same simulated modem. */
export async function measureDial(rounds: number): Promise<DialFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-dial-'))
  const simulator = usualSimulator({ world })
  const tty = join(folder, 'tty')
  const opened = openPort({ world, simulator, link: tty })
  if (!opened.ok) throw new Error(opened.message)
  const settings = join(folder, 'gammurc')
  await writeFile(settings, `[gammu]\ndevice = ${tty}\nconnection = at115200\n`)
  const [readyMs, fromStartMs, gammuMs]: [number[], number[], number[]] = [[], [], []]
  let hasGammu = true
  let calls = 0
  try {
    for (let round = 0; round < rounds; round++) {
      const mine = await ours(simulator, tty)
      readyMs.push(mine.readyMs)
      fromStartMs.push(mine.fromStartMs)
      await untilOver(simulator, ++calls)
      if (!hasGammu) continue
      const startMs = world.monotonicMs()
      const ran = await run('gammu', ['-c', settings, 'dialvoice', phoneNumber])
      hasGammu = ran !== undefined
      if (!ran) continue
      if (ran.code !== 0) throw new Error(`gammu failed: ${ran.said}`)
      gammuMs.push((await dialledAtMs(simulator, startMs)) - startMs)
      await untilOver(simulator, ++calls)
    }
    return { readyMs, fromStartMs, gammuMs: hasGammu ? gammuMs : undefined }
  } finally {
    simulator.stop()
    await opened.port.close()
    await rm(folder, { recursive: true, force: true })
  }
}
