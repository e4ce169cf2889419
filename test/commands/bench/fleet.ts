// A fleet at one cloud: both as processes, started, asked and stopped, and openings through it.

import { type ChildProcess, fork, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { CloudMessage, CloudQuestion } from './cloudProcess.ts'
import { type FleetData, furnishFleet } from './fleetData.ts'
import type { FleetOrder, FleetReport } from './fleetProcess.ts'

export const nowMs = () => Number(process.hrtime.bigint()) / 1e6

/** One opening with the times of its request and its answer, in milliseconds by the machine's clock. */
export interface TimedPress {
  readonly startMs: number
  readonly endMs: number
  readonly status: number
  readonly openingId: string
}

export interface Fleet {
  readonly data: FleetData
  cloud(question: Exclude<CloudQuestion, 'stop'>): Promise<CloudMessage>
  report(): Promise<FleetReport>
  /** Waits until the given number of gateways are connected and each has had a beat accepted. */
  connect(count: number): Promise<void>
  /** Stops the cloud and starts it again on the same ports. Returns when it was asked to stop, and when it served. */
  restart(): Promise<{ readonly stoppedMs: number; readonly servingMs: number }>
  /** Opens the gate at `place`, with its keys in turn. */
  open(place: number): Promise<TimedPress>
  remove(): Promise<void>
}

async function answerOf<T>(child: ChildProcess, question?: CloudQuestion | FleetOrder): Promise<T> {
  const answer = once(child, 'message')
  if (question !== undefined) child.send(question)
  const [message] = (await answer) as [T]
  return message
}

/** Without tsx, which keeps the name of each function in a table of its own; the bundle does not. Its log goes to a file. */
export function startProcess(
  file: string,
  args: readonly (string | number)[],
  { flags = [], log }: { readonly flags?: readonly string[]; readonly log: string },
) {
  const logged = openSync(log, 'a')
  const stdio: StdioOptions = ['ignore', logged, logged, 'ipc']
  const child = fork(new URL(file, import.meta.url), args.map(String), { execArgv: [...flags], stdio })
  closeSync(logged)
  return child
}

function ask(agent: Agent, port: number, path: string, key: string): Promise<Omit<TimedPress, 'startMs'>> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-length': 0 }
    const sent = request({ agent, port, path, headers, method: 'POST' }, response => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', text => {
        body += text
      })
      response.on('end', () => {
        const { openingId = '' } = JSON.parse(body) as { openingId?: string }
        resolve({ endMs: nowMs(), status: response.statusCode ?? 0, openingId })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Makes the data of a fleet, to which `fill` may add, and starts its cloud; no gateway is connected. */
export async function startFleet(
  gateways: number,
  spaces: number,
  fill: (file: string, data: FleetData) => Promise<void> = async () => {},
): Promise<Fleet> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-fleet-'))
  const data = await furnishFleet(folder, gateways, spaces)
  await fill(join(folder, 'callgate.sqlite'), data)
  const ids = join(folder, 'gateways.json')
  await writeFile(ids, JSON.stringify(data.gatewayIds))
  const ofCloud = { flags: ['--expose-gc'], log: join(folder, 'cloud.log') }
  let child = startProcess('cloudProcess.ts', [folder], ofCloud)
  const { mqttPort = 0, port = 0 } = await answerOf<CloudMessage>(child)
  const members = startProcess('fleetProcess.ts', [ids, mqttPort], { log: join(folder, 'fleet.log') })
  const agent = new Agent({ keepAlive: true, maxSockets: 1_024 })
  const turns = new Map<number, number>()
  const report = () => answerOf<FleetReport>(members, {})
  return {
    data,
    report,
    cloud: question => answerOf<CloudMessage>(child, question),
    async connect(count) {
      members.send({ connect: count } satisfies FleetOrder)
      while ((await report()).sinceMs.length < count) await pause(100)
    },
    async restart() {
      const stoppedMs = nowMs()
      child.send('stop' satisfies CloudQuestion)
      await once(child, 'exit')
      child = startProcess('cloudProcess.ts', [folder, port, mqttPort], ofCloud)
      await answerOf<CloudMessage>(child)
      return { stoppedMs, servingMs: nowMs() }
    },
    async open(place) {
      const { gateId, keys } = data.gates[place % data.gates.length] ?? { gateId: '', keys: [] }
      const turn = turns.get(place) ?? 0
      turns.set(place, turn + 1)
      const startMs = nowMs()
      const path = `/api/v1/gates/${gateId}/open`
      return { startMs, ...(await ask(agent, port, path, keys[turn % keys.length] ?? '')) }
    },
    async remove() {
      for (const one of [child, members]) one.kill('SIGKILL')
      agent.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export interface Openings {
  /** The times from the request to the grant at the gateway, and to the answer, in milliseconds. */
  readonly grantMs: readonly number[]
  readonly answerMs: readonly number[]
  /** The count of each answer other than 200. */
  readonly refused: Readonly<Record<string, number>>
  readonly perSecond: number
}

async function sum(fleet: Fleet, asked: readonly TimedPress[]): Promise<Openings> {
  const { granted } = await fleet.report()
  const done = asked.filter(({ status }) => status === 200)
  const refused: Record<string, number> = {}
  for (const { status } of asked) if (status !== 200) refused[status] = (refused[status] ?? 0) + 1
  const tookMs = Math.max(...asked.map(({ endMs }) => endMs)) - Math.min(...asked.map(one => one.startMs))
  return {
    grantMs: done.map(({ openingId, startMs }) => (granted[openingId] ?? Number.NaN) - startMs),
    answerMs: done.map(({ endMs, startMs }) => endMs - startMs),
    refused,
    perSecond: (done.length / tookMs) * 1_000,
  }
}

/** The given number of openings a second for the given time, however long they take, each at the next gate. */
export async function openAtRate(fleet: Fleet, perSecond: number, seconds: number): Promise<Openings> {
  const asked: Promise<TimedPress>[] = []
  const beginMs = nowMs()
  for (let place = 0; place < perSecond * seconds; place++) {
    const waitMs = beginMs + (place * 1_000) / perSecond - nowMs()
    if (waitMs > 0) await pause(waitMs)
    asked.push(fleet.open(place % fleet.data.gates.length))
  }
  return sum(fleet, await Promise.all(asked))
}

/** As many openings as possible, with `atOnce` running at any time: each is followed by one at another gate. */
export async function openInLoop(fleet: Fleet, atOnce: number, seconds: number): Promise<Openings> {
  const asked: TimedPress[] = []
  const gates = fleet.data.gates.length
  const endMs = nowMs() + seconds * 1_000
  await Promise.all(
    Array.from({ length: atOnce }, async (_, worker) => {
      for (let place = worker; nowMs() < endMs; place += atOnce) asked.push(await fleet.open(place % gates))
    }),
  )
  return sum(fleet, asked)
}
