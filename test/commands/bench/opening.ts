// The path of one opening: from the POST to the ATD on the serial line, and from the modem's last line to the answer.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type DemoProcess, runCommand } from '../../processes/endToEnd/demoProcess.ts'
import type { Baseline } from './baseline.ts'
import type { Leg } from './figures.ts'
import type { Round } from './hops.ts'

export interface WireLine {
  readonly atMs: number
  readonly direction: 'toModem' | 'fromModem'
  readonly text: string
}

/** Where gates are opened: the demo, or a house with the same parts. */
export interface OpenedHouse extends Pick<DemoProcess, 'call' | 'dataFolder'> {
  readonly ready: Pick<DemoProcess['ready'], 'simulatorUrl' | 'spaceId'>
}

/** Milliseconds of the machine's monotonic clock, which the simulator's wire log uses as well. */
export const nowMs = () => Number(process.hrtime.bigint()) / 1e6

/** Makes a gate without a cool-down, so that the next press calls at once. */
export async function prepareGate(demo: OpenedHouse, phoneNumber: string): Promise<string> {
  const made = await demo.call('POST', '/api/v1/gates', { name: 'Bench', phoneNumber })
  const { gate } = made.body as { gate: { id: string } }
  await fetch(`${demo.ready.simulatorUrl}/gates`, {
    method: 'POST',
    body: JSON.stringify({ phoneNumber, farEnd: 'reject_busy' }),
  })
  const file = join(demo.dataFolder, 'bench.json')
  await writeFile(
    file,
    JSON.stringify({ mode: 'reject', coolDownMs: 0, learned: true, discriminating: true }),
  )
  const command = ['packages/cloud/src/main.ts', 'gate', 'profile', '--gate', gate.id, '--file', file]
  const set = await runCommand(command, { CALLGATE_DATA: demo.dataFolder })
  if (set.code !== 0) throw new Error(set.stderr)
  return gate.id
}

/** A key opens ten times a minute. */
const roundsPerKey = 10

async function makeKeys(demo: OpenedHouse, rounds: number): Promise<string[]> {
  const command = ['packages/cloud/src/main.ts', 'key', 'create', '--space', demo.ready.spaceId]
  const keys: string[] = []
  while (keys.length * roundsPerKey < rounds) {
    const args = [...command, '--name', `Bench ${keys.length}`, '--scopes', 'gates:open', '--json']
    const made = await runCommand(args, { CALLGATE_DATA: demo.dataFolder })
    if (made.code !== 0) throw new Error(made.stderr)
    keys.push((JSON.parse(made.stdout) as { key: string }).key)
  }
  return keys
}

export async function wireSince(demo: OpenedHouse, sinceMs: number): Promise<WireLine[]> {
  const response = await fetch(`${demo.ready.simulatorUrl}/wire`)
  const { lines } = (await response.json()) as { lines: WireLine[] }
  return lines.filter(line => line.atMs >= sinceMs)
}

const quietMs = 300

/** Waits until the serial line is quiet: after a call the driver asks the modem for its state, and a dial waits for that. */
export async function untilQuiet(demo: OpenedHouse): Promise<void> {
  for (;;) {
    const sinceMs = nowMs()
    await pause(quietMs)
    if ((await wireSince(demo, sinceMs)).length === 0) return
  }
}

/** One round with its times, in milliseconds by the machine's clock, or the answer where the gate was not opened. */
async function oneRound(
  demo: OpenedHouse,
  gateId: string,
  key: string | undefined,
): Promise<Round | { readonly failure: string }> {
  await untilQuiet(demo)
  const startMs = nowMs()
  const answer = await demo
    .call('POST', `/api/v1/gates/${gateId}/open`, undefined, key)
    .catch((error: unknown) => ({ status: 0, body: String(error) }))
  const endMs = nowMs()
  if (answer.status !== 200) return { failure: JSON.stringify(answer) }
  const lines = await wireSince(demo, startMs)
  const dialled = lines.find(line => line.direction === 'toModem' && line.text.startsWith('ATD'))
  const lastLine = lines.filter(line => line.direction === 'fromModem' && line.atMs <= endMs).at(-1)
  if (!dialled || !lastLine) throw new Error('the wire log does not show the call')
  return { startMs, dialledMs: dialled.atMs, wordMs: lastLine.atMs, endMs }
}

export const legOf = ({ dialledMs, endMs, startMs, wordMs }: Round): Leg => ({
  toLine: dialledMs - startMs,
  toAnswer: endMs - wordMs,
})

export interface OpeningBench {
  /** Opens the gate once the line is quiet, so that the driver's questions after a call are not measured. */
  round(): Promise<Round | { readonly failure: string }>
  /** Opens the gate `rounds` times. Openings that failed are listed separately. */
  measure(
    rounds: number,
  ): Promise<{ readonly toLine: readonly number[]; readonly failures: readonly string[] }>
}

/** Makes a gate, and keys for `rounds` openings in all. */
export async function openingBench(demo: OpenedHouse, rounds: number): Promise<OpeningBench> {
  const gateId = await prepareGate(demo, '+40722000099')
  const keys = await makeKeys(demo, rounds)
  let done = 0
  const round = () => oneRound(demo, gateId, keys[Math.floor(done++ / roundsPerKey)])
  return {
    round,
    async measure(rounds) {
      const toLine: number[] = []
      const failures: string[] = []
      for (let count = 0; count < rounds; count++) {
        const measured = await round()
        if ('failure' in measured) failures.push(measured.failure)
        else toLine.push(legOf(measured).toLine)
      }
      return { toLine, failures }
    },
  }
}

/** The pause of both sides between two rounds, in milliseconds: people press only now and then. */
export const pauseMs = 1_000

/**
 * Rounds of ours and of the baseline in turn, preceded by the first round of each after its start. Throws when an opening fails.
 */
export async function measureOpening(
  demo: DemoProcess,
  baseline: Baseline,
  rounds: number,
): Promise<{
  readonly first: { readonly ours: Leg; readonly baseline: Leg }
  readonly ours: readonly Round[]
  readonly baseline: readonly Leg[]
}> {
  const bench = await openingBench(demo, rounds + 1)
  const ours: Round[] = []
  const baselines: Leg[] = []
  for (let count = 0; count <= rounds; count++) {
    await pause(pauseMs)
    const measured = await bench.round()
    if ('failure' in measured) throw new Error(`an opening failed: ${measured.failure}`)
    await pause(pauseMs)
    const leg = await baseline.round()
    ours.push(measured)
    baselines.push(leg)
  }
  const [first, ...others] = ours
  const [firstFloor, ...otherFloors] = baselines
  if (!first || !firstFloor) throw new Error('no round was measured')
  return { first: { ours: legOf(first), baseline: firstFloor }, ours: others, baseline: otherFloors }
}
