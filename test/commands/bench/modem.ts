// The modem driver: bytes read a second, verdicts a second and the processor time of a call, each beside its baseline.

import { callProfile } from '@callgate/contract/call/callProfile'
import { openAtLine } from '@callgate/modem/atLine'
import type { CallFact } from '@callgate/modem/core/callFacts'
import { emptyRecord, recordFact } from '@callgate/modem/core/callTracker'
import { callVerdict } from '@callgate/modem/core/callVerdict'
import { createModem, type DialResult } from '@callgate/modem/modem'
import { quirksOf } from '@callgate/modem/quirks'
import { phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { type FakeWorld, fakeWorld, settle } from '@callgate/world/fake'
import { percentile } from './figures.ts'

interface Pair {
  readonly ours: number
  readonly baseline: number
}

export interface ModemFigures {
  /** From the port to unsolicited result codes; the baseline only splits the same text into lines. */
  readonly bytesPerSecond: Pair
  /** Recording the facts of a call and deciding the verdict; the baseline only copies the facts into a list. */
  readonly verdictsPerSecond: Pair
  /** A call on the fake clock, in milliseconds of processor time; the baseline is the simulator, dialled directly. */
  readonly callCpuMs: Pair
}

const nowMs = () => Number(process.hrtime.bigint()) / 1e6
const median = (samples: readonly number[]) => percentile(samples, 0.5)
const profile = callProfile({
  mode: 'reject',
  learned: true,
  discriminating: true,
  reactMinMs: 500,
  reactMaxMs: 9_000,
})

const modemText = [
  '\r\n+CLCC: 1,0,2,0,0,"+40722000001",145,""\r\n',
  '\r\n+CLCC: 1,0,3,0,0,"+40722000001",145,""\r\n\r\nMO RING\r\n',
  '\r\nBUSY\r\n\r\n+CLCC: 1,0,6,0,0,"+40722000001",145,""\r\n',
  '\r\n+CREG: 1,"1816","F9A1"\r\n\r\n*PSUTTZ: 2026,1,5,8,0,0,"+8",0\r\n',
].join('')
/** How many unsolicited result codes in it the driver knows. */
const codesInText = 6
const repetitions = 4_000
/** The number of bytes that one read of a port returns. */
const pieceLength = 64

async function readOnce(): Promise<Pair> {
  const text = modemText.repeat(repetitions)
  const bytes = Buffer.from(text, 'latin1')
  const world = fakeWorld()
  let feed: (bytes: Uint8Array) => void = () => {}
  let codes = 0
  openAtLine({
    world,
    line: {
      write() {},
      writeNow: () => 'written',
      flush() {},
      onBytes(listener) {
        feed = listener
      },
      onClose() {},
      async close() {},
    },
    onUrc: () => codes++,
    onClose() {},
  })
  const startMs = nowMs()
  for (let at = 0; at < bytes.length; at += pieceLength) feed(bytes.subarray(at, at + pieceLength))
  while (codes < repetitions * codesInText) await settle(1)
  const endMs = nowMs()
  const lines = bytes.toString('latin1').split('\r\n')
  const baselineMs = nowMs() - endMs
  if (lines.join('\r\n') !== text) throw new Error('the baseline lost a line')
  return {
    ours: (1000 * bytes.length) / (endMs - startMs),
    baseline: (1000 * bytes.length) / baselineMs,
  }
}

const facts: readonly (readonly [number, CallFact])[] = [
  [200, { fact: 'accepted' }],
  [350, { fact: 'state', state: 2, by: 'urc' }],
  [5_000, { fact: 'state', state: 3, by: 'urc' }],
  [5_010, { fact: 'moRing' }],
  [6_000, { fact: 'state', state: 3, by: 'poll' }],
  [8_000, { fact: 'token', token: 'BUSY' }],
  [8_100, { fact: 'state', state: 6, by: 'urc' }],
  [8_300, { fact: 'cause', cause: 17 }],
]
const conclusions = 2_000

function concludeOnce(): Pair {
  const empty = emptyRecord(quirksOf('SIM800L').senses)
  let completed = 0
  const startMs = nowMs()
  for (let turn = 0; turn < conclusions; turn++) {
    const record = facts.reduce((known, [atMs, fact]) => recordFact(known, atMs, fact), empty)
    if (callVerdict(record, profile).status === 'completed') completed++
  }
  const endMs = nowMs()
  let noted = 0
  for (let turn = 0; turn < conclusions; turn++) {
    const list: { atMs: number; fact: CallFact }[] = []
    for (const [atMs, fact] of facts) list.push({ atMs, fact })
    noted += list.length
  }
  const baselineMs = nowMs() - endMs
  if (completed !== conclusions || noted !== conclusions * facts.length)
    throw new Error('a call was not judged')
  return { ours: (1000 * conclusions) / (endMs - startMs), baseline: (1000 * conclusions) / baselineMs }
}

function connected(world: FakeWorld) {
  const simulator = usualSimulator({ world, network: 'normal' })
  const line = simulator.connect()
  if (!line) throw new Error('the simulator is not plugged in')
  return { line, simulator }
}

function cpuMs(): number {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

/** Processor time of one call by the driver. */
async function driverCall(calls: number): Promise<number> {
  const world = fakeWorld()
  const { line, simulator } = connected(world)
  const modem = createModem({ world, openLine: async () => ({ ok: true, line }) })
  modem.start()
  await world.until(() => modem.status().state === 'ready')
  const startMs = cpuMs()
  for (let turn = 0; turn < calls; turn++) {
    let result: DialResult | undefined
    void modem
      .reserve()
      .then(() => modem.dial({ phoneNumber, profile, mayDial: () => true, onProgress() {} }))
      .then(given => {
        result = given
      })
    await world.until(() => result !== undefined)
  }
  const spentMs = cpuMs() - startMs
  if (simulator.state().calls.length !== calls) throw new Error('not every call was placed')
  simulator.stop()
  return spentMs / calls
}

/** The same call without the driver: an ATD to the simulator, and its lines until the end. */
async function bareCall(calls: number): Promise<number> {
  const world = fakeWorld()
  const { line, simulator } = connected(world)
  let heard = ''
  line.onBytes(bytes => {
    heard += Buffer.from(bytes).toString('latin1')
  })
  await world.advance(1_000)
  const startMs = cpuMs()
  for (let turn = 0; turn < calls; turn++) {
    heard = ''
    line.writeNow(Buffer.from(`ATD${phoneNumber};\r`))
    await world.until(() => /\r\n(?:BUSY|NO CARRIER|NO ANSWER)\r\n/.test(heard))
    await world.advance(500)
  }
  const spentMs = cpuMs() - startMs
  if (simulator.state().calls.length !== calls) throw new Error('not every call was placed')
  simulator.stop()
  return spentMs / calls
}

async function pairs(rounds: number, measure: () => Promise<Pair> | Pair): Promise<Pair> {
  await measure()
  const samples: Pair[] = []
  for (let round = 0; round < rounds; round++) samples.push(await measure())
  return {
    ours: median(samples.map(({ ours }) => ours)),
    baseline: median(samples.map(({ baseline }) => baseline)),
  }
}

/** Medians of `rounds` rounds, ours and the baseline in turn. */
export async function measureModem(rounds: number): Promise<ModemFigures> {
  return {
    bytesPerSecond: await pairs(rounds, readOnce),
    verdictsPerSecond: await pairs(rounds, concludeOnce),
    callCpuMs: await pairs(rounds, async () => ({
      ours: await driverCall(20),
      baseline: await bareCall(20),
    })),
  }
}
