// The path of one opening: from the POST to the ATD on the serial line, and from the modem's last word to the answer.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type DemoProcess, runCommand } from '../endToEnd/demoProcess.ts'
import type { Legs } from './figures.ts'

interface WireLine {
  readonly atMs: number
  readonly direction: 'toModem' | 'fromModem'
  readonly text: string
}

const phoneNumber = '+40722000099'

/** Milliseconds of the machine's monotonic clock, which the simulator's wire log counts by as well. */
const nowMs = () => Number(process.hrtime.bigint()) / 1e6

/** A gate of its own that takes the next press at once. */
async function prepareGate(demo: DemoProcess): Promise<string> {
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
  const command = ['packages/cloud/src/cli.ts', 'gate', 'profile', '--gate', gate.id, '--file', file]
  const set = await runCommand(command, { CALLGATE_DATA: demo.dataFolder })
  if (set.code !== 0) throw new Error(set.stderr)
  return gate.id
}

/** A key opens ten times a minute. */
const roundsPerKey = 10

async function makeKeys(demo: DemoProcess, rounds: number): Promise<string[]> {
  const command = ['packages/cloud/src/cli.ts', 'key', 'create', '--space', demo.ready.spaceId]
  const keys: string[] = []
  while (keys.length * roundsPerKey < rounds) {
    const args = [...command, '--name', `Bench ${keys.length}`, '--scopes', 'gates:open', '--json']
    const made = await runCommand(args, { CALLGATE_DATA: demo.dataFolder })
    if (made.code !== 0) throw new Error(made.stderr)
    keys.push((JSON.parse(made.stdout) as { key: string }).key)
  }
  return keys
}

async function wireSince(demo: DemoProcess, sinceMs: number): Promise<WireLine[]> {
  const response = await fetch(`${demo.ready.simulatorUrl}/wire`)
  const { lines } = (await response.json()) as { lines: WireLine[] }
  return lines.filter(line => line.atMs >= sinceMs)
}

const restMs = 300

/** Waits until the modem says nothing any more: after a call the driver asks how it is, and a dial waits for that. */
async function atRest(demo: DemoProcess): Promise<void> {
  for (;;) {
    const sinceMs = nowMs()
    await pause(restMs)
    if ((await wireSince(demo, sinceMs)).length === 0) return
  }
}

/** Opens a gate `rounds` times, each time by a modem at rest. The driver's own questions after the call belong to the modem, not to the way back. */
export async function measureOpening(demo: DemoProcess, rounds: number): Promise<Legs> {
  const gateId = await prepareGate(demo)
  const keys = await makeKeys(demo, rounds)
  const legs: Legs = { toLine: [], toAnswer: [] }
  for (let round = 0; round < rounds; round++) {
    const key = keys[Math.floor(round / roundsPerKey)]
    await atRest(demo)
    const startMs = nowMs()
    const answer = await demo.call('POST', `/api/v1/gates/${gateId}/open`, undefined, key)
    const endMs = nowMs()
    if (answer.status !== 200) throw new Error(`an opening failed: ${JSON.stringify(answer.body)}`)
    const lines = await wireSince(demo, startMs)
    const dialled = lines.find(line => line.direction === 'toModem' && line.text.startsWith('ATD'))
    const lastWord = lines.filter(line => line.direction === 'fromModem' && line.atMs <= endMs).at(-1)
    if (!dialled || !lastWord) throw new Error('the wire log does not show the call')
    legs.toLine.push(dialled.atMs - startMs)
    legs.toAnswer.push(endMs - lastWord.atMs)
  }
  return legs
}
