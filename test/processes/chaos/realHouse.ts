// A house of real processes: cloud, gateway and simulator from their bundles, with our proxy between gateway and broker.

import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readJournal } from '@callgate/gateway/journalLines'
import Sqlite from 'better-sqlite3'
import { environmentOfParts } from '../../../packages/demo/src/arguments.ts'
import { type BundlePaths, openBundles } from '../../../packages/demo/src/bundles.ts'
import { createCallgate } from '../../../packages/demo/src/callgate.ts'
import {
  allScopes,
  openGateway,
  openSpace,
  privateKeyFileName,
} from '../../../packages/demo/src/demoSpace.ts'
import { writePrivately } from '../../../packages/demo/src/folder.ts'
import { member, text } from '../../../packages/demo/src/json.ts'
import { Parts } from '../../../packages/demo/src/parts.ts'
import { openMemory } from '../../../packages/demo/src/remembered.ts'
import type { Result } from '../../../packages/demo/src/result.ts'
import { freeNumbers } from './freeNumber.ts'
import {
  buildParts,
  cloudEnvironment,
  type HouseParts,
  type HouseSize,
  type Layout,
  layOut,
  type MessageWatcher,
  moduleAt,
} from './layout.ts'
import { top } from './processes.ts'
import { verifyData } from './verifyData.ts'

export interface ChaosGate {
  readonly id: string
  readonly phoneNumber: string
  /** Of its profile. */
  readonly coolDownMs: number
}

/** Somebody who may press, within the rates of their key. */
export interface ChaosActor {
  readonly apiKeyId: string
  readonly apiKey: string
}

export interface RealHouse
  extends Pick<Layout, 'folder' | 'ports' | 'said' | 'gatewayClock' | 'modem' | 'proxies'> {
  readonly baseUrl: string
  readonly controlUrl: string
  readonly actors: readonly ChaosActor[]
  readonly gates: readonly ChaosGate[]
  readonly parts: HouseParts
  readonly database: Sqlite.Database
  /** The simulator's own log: the judge's witness. */
  readonly simulatorLog: string
  readonly journal: string
  watch(watcher: MessageWatcher | undefined): void
  /** Waits until the cloud answers and its gateway, by a beat later than `sinceMs`, can take an opening. */
  ready(sinceMs: number): Promise<void>
  /** Whether a press would place a call of its own now, by the gate's number; its last trial was over at `heardMs`. */
  isFree(gate: ChaosGate, heardMs: number): boolean
  /** Waits until the gateway's journal has nothing more to report. */
  reported(): Promise<void>
  /** What `callgate verify` finds in the data, while it is served. */
  verify(): Promise<readonly string[]>
  close(): Promise<void>
}

const readyWithinMs = 90_000

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
  return new Parts({
    node: process.execPath,
    top,
    logFolder,
    environment,
    over,
    onLost: () => {},
    onNotice: () => {},
  })
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

/** The Space with its keys, gateway and gates, by the same commands and requests as the demo's. */
async function furnish(
  { folder, modem, phoneNumbers, proxies }: Layout,
  actorCount: number,
  bundles: BundlePaths,
  callgate: ReturnType<typeof createCallgate>,
  commands: Parts,
) {
  const gatewayFolder = join(folder, 'gateway')
  const memory = await openMemory(join(folder, 'chaos.json'))
  const space = { callgate, parts: commands, memory, network: 'fast', gatewayFolder } as const
  const spaceId = must(await openSpace(space))
  must(await callgate.command('space', 'limits', '--space', spaceId, '--gates', String(phoneNumbers.length)))
  const keys = Array.from({ length: actorCount }, async (_, place) => {
    const given = ['--space', spaceId, '--name', `Actor ${place}`, '--scopes', allScopes.join(',')]
    const made = must(await callgate.command('key', 'create', ...given))
    return { apiKey: text(made, 'key') ?? '', apiKeyId: text(made, 'apiKeyId') ?? '' }
  })
  const actors: readonly ChaosActor[] = await Promise.all(keys)
  const gateway = must(await openGateway(space, spaceId, bundles.gateway))
  await writePrivately(join(gatewayFolder, 'callgate-gateway.yaml'), {
    ...gateway,
    mqttUrl: `mqtt://127.0.0.1:${proxies.gateway.port}`,
    privateKeyFile: join(gatewayFolder, privateKeyFileName),
    serialPort: modem.pattern,
    dataFolder: gatewayFolder,
    logLevel: 'info',
  })
  const gates: ChaosGate[] = []
  for (const [place, phoneNumber] of phoneNumbers.entries()) {
    const body = { name: `Gate ${place}`, phoneNumber, location: 'Chaos' }
    const { apiKey = '' } = actors[place % actors.length] ?? {}
    const made = must(await callgate.request(apiKey, 'POST', '/api/v1/gates', body))
    const id = text(member(made, 'gate'), 'id') ?? ''
    const path = `/api/v1/gates/${id}/profile`
    const kept = must(await callgate.request(apiKey, 'PATCH', path, moduleAt(place).profile))
    const coolDownMs = member(member(kept, 'profile'), 'coolDownMs')
    if (typeof coolDownMs !== 'number') throw new Error('the profile has no cool-down')
    gates.push({ id, phoneNumber, coolDownMs })
  }
  return { actors, gates }
}

/** Whether the last beat came later than `sinceMs` and says that an opening can be taken. */
function readinessOf(database: Sqlite.Database) {
  const lastBeat = database.prepare<[], { lastBeatAt: string | null; lastBeat: string | null }>(
    'select "lastBeatAt", "lastBeat" from "gateways"',
  )
  return (sinceMs: number) => {
    const { lastBeat: body, lastBeatAt } = lastBeat.get() ?? {}
    if (!body || !lastBeatAt || Date.parse(lastBeatAt) < sinceMs) return false
    const beat: unknown = JSON.parse(body)
    return member(beat, 'online') === true && text(member(beat, 'modem'), 'state') === 'ready'
  }
}

/** Waits until the cloud answers, and notes since when it does. */
function createAvailability({ cloud }: HouseParts, callgate: ReturnType<typeof createCallgate>) {
  let servingSinceMs = 0
  return {
    servingSinceMs: () => servingSinceMs,
    async answers() {
      must(await callgate.answers())
      const cameBackMs = cloud.absences().at(-1)?.untilMs ?? 0
      if (servingSinceMs <= cameBackMs) servingSinceMs = Date.now()
    },
  }
}

/** Starts a house in a temporary folder, with its Space, keys and gates. `close` ends all processes and removes the folder. */
export async function startRealHouse(bundles: BundlePaths, size: HouseSize): Promise<RealHouse> {
  const layout = await layOut(size)
  const { folder, ports, proxies, seen } = layout
  const baseUrl = `http://127.0.0.1:${ports.http}`
  const over = new AbortController()
  const commands = newParts(join(folder, 'logs'), over.signal)
  const parts = buildParts(layout, bundles)
  let database: Sqlite.Database | undefined
  async function close() {
    over.abort()
    for (const part of Object.values(parts)) part.kill()
    await Promise.all(Object.values(parts).map(part => part.ended()))
    database?.close()
    await Promise.all([proxies.gateway.close(), proxies.cloud?.close()])
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const callgate = createCallgate({
      baseUrl,
      bundle: bundles.cloud,
      environment: cloudEnvironment(layout),
      parts: commands,
      over: over.signal,
    })
    if (size.kind === 'apart') parts.broker.start()
    parts.simulator.start()
    parts.cloud.start()
    must(await callgate.answers())
    const furniture = await furnish(layout, size.actors, bundles, callgate, commands)
    const opened = new Sqlite(join(folder, 'callgate.sqlite'), { readonly: true })
    database = opened
    const isReady = readinessOf(opened)
    const isFree = freeNumbers(opened)
    const { answers, servingSinceMs } = createAvailability(parts, callgate)
    const journal = join(folder, 'gateway', 'journal')
    const house: RealHouse = {
      ...layout,
      ...furniture,
      baseUrl,
      controlUrl: `http://127.0.0.1:${ports.control}`,
      parts,
      database: opened,
      simulatorLog: join(folder, 'simulator.jsonl'),
      journal,
      watch(watcher) {
        seen.watcher = watcher
      },
      async ready(sinceMs) {
        await answers()
        await eventually('the gateway is ready', readyWithinMs, () => isReady(sinceMs) || undefined)
      },
      isFree: (gate, heardMs) =>
        isFree({ ...gate, heardMs, nowMs: Date.now(), servingSinceMs: servingSinceMs() }),
      async reported() {
        const isDone = () => hasReported(journal) || undefined
        await eventually('the gateway has reported all', readyWithinMs, isDone)
      },
      verify: () => verifyData(folder),
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
