// A house of real processes: cloud, gateway and simulator from their bundles, with our proxy between gateway and broker.

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readJournal } from '@callgate/gateway/journalLines'
import Sqlite from 'better-sqlite3'
import { environmentOfParts } from '../../packages/demo/src/arguments.ts'
import { type BundlePaths, openBundles } from '../../packages/demo/src/bundles.ts'
import { createCallgate } from '../../packages/demo/src/callgate.ts'
import { freshKey, openGateway, openSpace, privateKeyFileName } from '../../packages/demo/src/demoSpace.ts'
import { writePrivately } from '../../packages/demo/src/folder.ts'
import { member, text } from '../../packages/demo/src/json.ts'
import { createParts, type Parts } from '../../packages/demo/src/parts.ts'
import { machinePorts } from '../../packages/demo/src/ports.ts'
import { openMemory } from '../../packages/demo/src/remembered.ts'
import type { Result } from '../../packages/demo/src/result.ts'
import { type PartProcess, partProcess, top } from './processes.ts'
import { type Direction, startProxy, type WireProxy } from './proxy.ts'

export type PartName = 'cloud' | 'gateway' | 'simulator'

export interface ChaosGate {
  readonly id: string
  readonly phoneNumber: string
}

/** A PUBLISH that passes the proxy. */
export interface Message {
  readonly direction: Direction
  /** The last word of its topic. */
  readonly kind: string
  readonly openingId: string | undefined
  readonly payload: string
}

/** Sees a message before it is handed on, and holds it until it resolves. */
export type Onlooker = (message: Message) => Promise<void>

export interface RealHouse {
  /** The path by which the gateway finds its modem. */
  readonly link: string
  readonly baseUrl: string
  readonly controlUrl: string
  readonly apiKeys: readonly string[]
  readonly gates: readonly ChaosGate[]
  readonly parts: Readonly<Record<PartName, PartProcess>>
  readonly proxy: WireProxy
  readonly database: Sqlite.Database
  /** The simulator's own log: the judge's witness. */
  readonly simulatorLog: string
  readonly journal: string
  /** When the proxy first saw each opening's claim, wall clock milliseconds. */
  readonly claimedAtMs: ReadonlyMap<string, number>
  watch(onlooker: Onlooker | undefined): void
  /** Waits until the cloud answers and its gateway, by a beat later than `sinceMs`, can take an opening. */
  ready(sinceMs: number): Promise<void>
  /** Waits until the gateway's journal has nothing more to report. */
  reported(): Promise<void>
  close(): Promise<void>
}

const readyWithinMs = 90_000
const gateCount = 20
const keyCount = 4

export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.message)
  return result.value
}

/** Asks every few milliseconds until `fact` is there; throws, with `what`, after `withinMs`. */
export async function eventually<T>(what: string, withinMs: number, fact: () => T | undefined): Promise<T> {
  const endMs = performance.now() + withinMs
  for (;;) {
    const found = fact()
    if (found !== undefined) return found
    if (performance.now() > endMs) throw new Error(`${what}: not within ${withinMs} ms`)
    await pause(10)
  }
}

function newParts(logFolder: string, over: AbortSignal): Parts {
  const environment = environmentOfParts(process.env)
  return createParts({ node: process.execPath, top, logFolder, environment, over, onLost: () => {} })
}

/** Whether every report in a journal is acknowledged, and every intent reported. */
function hasReported(journal: string): boolean {
  const read = readJournal(readFileSync(journal))
  return read.ok && read.content.intents.size + read.content.reports.size === 0
}

/** Builds what is stale, once for all houses. */
export async function chaosBundles(say: (line: string) => void): Promise<BundlePaths> {
  return must(await openBundles(top, newParts(tmpdir(), new AbortController().signal), say))
}

function readMessage(direction: Direction, published: { topic: string; payload: string }): Message {
  const { payload, topic } = published
  const openingId = text(JSON.parse(payload), 'openingId')
  return { direction, kind: topic.slice(topic.lastIndexOf('/') + 1), openingId, payload }
}

const linkIn = (folder: string) => join(folder, 'modem-tty')
const phoneNumberOf = (place: number) => `+407220001${String(place).padStart(2, '0')}`

/** What stands before the first part runs: folder, ports, proxy. */
async function layOut() {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-chaos-'))
  for (const name of ['logs', 'gateway']) mkdirSync(join(folder, name), { mode: 0o700 })
  const http = await machinePorts.anyFree()
  const mqtt = await machinePorts.anyFree()
  const control = await machinePorts.anyFree()
  const claimedAtMs = new Map<string, number>()
  const seen: { onlooker: Onlooker | undefined } = { onlooker: undefined }
  const proxy = await startProxy(mqtt, async (direction, { published }) => {
    if (!published) return 'forward'
    const message = readMessage(direction, published)
    const { kind, openingId } = message
    if (kind === 'claim' && openingId && !claimedAtMs.has(openingId)) claimedAtMs.set(openingId, Date.now())
    await seen.onlooker?.(message)
    return 'forward'
  })
  return { folder, ports: { http, mqtt, control }, claimedAtMs, seen, proxy }
}

type Layout = Awaited<ReturnType<typeof layOut>>

function buildParts({ folder, ports }: Layout, bundles: BundlePaths, environment: Record<string, string>) {
  const part = (name: PartName, args: readonly string[], own: Record<string, string> = {}) =>
    partProcess({
      args,
      environment: { ...environmentOfParts(process.env), ...own },
      logPath: join(folder, 'logs', `${name}.log`),
    })
  const farEnd = (place: number) => (place % 2 === 0 ? 'reject_busy' : 'answer_release_2s')
  const gates = Array.from({ length: gateCount }, (_, place) => [
    '--gate',
    `${phoneNumberOf(place)}=${farEnd(place)}`,
  ]).flat()
  const line = ['--link', linkIn(folder), '--log', join(folder, 'simulator.jsonl')]
  const control = ['--control-port', String(ports.control), '--network', 'fast', '--registered', '--json']
  return {
    cloud: part('cloud', [bundles.cloud, 'serve'], environment),
    simulator: part('simulator', [bundles.simulator, ...line, ...control, ...gates]),
    gateway: part('gateway', [bundles.gateway, 'run', '--config', join(folder, 'gateway', 'gateway.json')]),
  }
}

/** The Space with its keys, gateway and gates, by the same commands and requests as the demo's. */
async function furnish(
  { folder, proxy }: Layout,
  bundles: BundlePaths,
  callgate: ReturnType<typeof createCallgate>,
  commands: Parts,
) {
  const gatewayFolder = join(folder, 'gateway')
  const memory = await openMemory(join(folder, 'chaos.json'))
  const space = { callgate, parts: commands, memory, network: 'fast', gatewayFolder } as const
  const spaceId = must(await openSpace(space))
  const apiKeys: string[] = []
  for (let count = 0; count < keyCount; count++) {
    apiKeys.push(must(await freshKey(space, spaceId)))
    // A fresh key revokes those that are remembered.
    await memory.keep({ apiKeyIds: [] })
  }
  const gateway = must(await openGateway(space, spaceId, bundles.gateway))
  await writePrivately(join(gatewayFolder, 'gateway.json'), {
    ...gateway,
    mqttUrl: `mqtt://127.0.0.1:${proxy.port}`,
    privateKeyFile: join(gatewayFolder, privateKeyFileName),
    serialPort: linkIn(folder),
    dataFolder: gatewayFolder,
    logLevel: 'info',
  })
  const gates: ChaosGate[] = []
  for (let place = 0; place < gateCount; place++) {
    const phoneNumber = phoneNumberOf(place)
    const body = { name: `Gate ${place}`, phoneNumber, location: 'Chaos' }
    const made = must(await callgate.request(apiKeys[0] ?? '', 'POST', '/api/v1/gates', body))
    gates.push({ id: text(member(made, 'gate'), 'id') ?? '', phoneNumber })
  }
  return { apiKeys, gates }
}

/** Starts a house in a temporary folder, furnished and ready; `close` leaves neither process nor folder behind. */
export async function startRealHouse(bundles: BundlePaths): Promise<RealHouse> {
  const layout = await layOut()
  const { claimedAtMs, folder, ports, proxy, seen } = layout
  const baseUrl = `http://127.0.0.1:${ports.http}`
  const environment = {
    CALLGATE_DATA: folder,
    PORT: String(ports.http),
    MQTT_PORT: String(ports.mqtt),
    APP_URL: baseUrl,
  }
  const over = new AbortController()
  const commands = newParts(join(folder, 'logs'), over.signal)
  const parts = buildParts(layout, bundles, environment)
  let database: Sqlite.Database | undefined
  async function close() {
    over.abort()
    for (const part of Object.values(parts)) part.kill()
    await Promise.all(Object.values(parts).map(part => part.ended()))
    database?.close()
    await proxy.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const callgate = createCallgate({
      baseUrl,
      bundle: bundles.cloud,
      environment,
      parts: commands,
      over: over.signal,
    })
    parts.simulator.start()
    parts.cloud.start()
    must(await callgate.answers())
    const furniture = await furnish(layout, bundles, callgate, commands)
    const opened = new Sqlite(join(folder, 'callgate.sqlite'), { readonly: true })
    database = opened
    const lastBeat = opened.prepare<[], { lastBeatAt: string | null; lastBeat: string | null }>(
      'select "lastBeatAt", "lastBeat" from "gateways"',
    )
    const isReady = (sinceMs: number) => {
      const row = lastBeat.get()
      const isNew = row?.lastBeatAt && Date.parse(row.lastBeatAt) >= sinceMs
      return isNew && row.lastBeat && text(member(JSON.parse(row.lastBeat), 'modem'), 'state') === 'ready'
    }
    const house: RealHouse = {
      ...furniture,
      link: linkIn(folder),
      baseUrl,
      controlUrl: `http://127.0.0.1:${ports.control}`,
      parts,
      proxy,
      database: opened,
      simulatorLog: join(folder, 'simulator.jsonl'),
      journal: join(folder, 'gateway', 'journal'),
      claimedAtMs,
      watch(onlooker) {
        seen.onlooker = onlooker
      },
      async ready(sinceMs) {
        must(await callgate.answers())
        await eventually('the gateway is ready', readyWithinMs, () => (isReady(sinceMs) ? true : undefined))
      },
      async reported() {
        const isDone = () => hasReported(house.journal) || undefined
        await eventually('the gateway has reported all', readyWithinMs, isDone)
      },
      close,
    }
    const startedMs = Date.now()
    parts.gateway.start()
    await house.ready(startedMs)
    return house
  } catch (error) {
    await close()
    throw error
  }
}
