// A house of real processes: cloud, gateway and simulator from their bundles, with our proxy between gateway and broker.

import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, openDatabase } from '@callgate/cloud/database/database'
import { readJournal } from '@callgate/gateway/journalLines'
import { environmentOfParts } from '../../../packages/demo/src/arguments.ts'
import { type BundlePaths, openBundles } from '../../../packages/demo/src/bundles.ts'
import { type Callgate, createCallgate } from '../../../packages/demo/src/callgate.ts'
import { member, parseJson, text } from '../../../packages/demo/src/json.ts'
import { RunningParts } from '../../../packages/demo/src/parts.ts'
import { postgresFolderOf } from './engines.ts'
import { type Follower, followersOf } from './follower.ts'
import { isFree } from './freeNumber.ts'
import { type ChaosActor, type ChaosGate, type Furniture, furnish, must } from './furnish.ts'
import {
  buildParts,
  cloudEnvironment,
  type GatewayPlace,
  type HouseKind,
  type HouseParts,
  type HouseSize,
  type Layout,
  layOut,
  type MessageWatcher,
} from './layout.ts'
import { top } from './processes.ts'
import { type Records, recordsIn } from './records.ts'
import type { Standbys } from './standbys.ts'
import { verifyData } from './verifyData.ts'

export interface RealHouse
  extends Pick<Layout, 'engines' | 'folder' | 'ports' | 'cloudClocks' | 'gatewayClock' | 'proxies'>,
    Pick<GatewayPlace, 'said' | 'modem' | 'journal' | 'simulatorLog'> {
  readonly kind: HouseKind
  /** The addresses of the clouds. Presses go to the first one, and to the next when it does not answer. */
  readonly baseUrls: readonly string[]
  readonly controlUrl: string
  readonly actors: readonly ChaosActor[]
  readonly gates: readonly ChaosGate[]
  readonly parts: HouseParts
  /** The gateways, the first one first. */
  readonly gatewayIds: readonly [first: string, other?: string]
  /** The gates whose last rows may be lost, because a standby without the last commits has taken over. */
  readonly lostAt: Set<string>
  /** The servers of the database of two clouds. */
  readonly standbys: Standbys | undefined
  readonly records: Records
  /** The followers of the Space, one at each of several clouds. */
  readonly followers: readonly Follower[]
  /** The second gateway of a house of two, and a function that makes it the second one again. */
  readonly other:
    | (Pick<GatewayPlace, 'said' | 'simulatorLog'> & {
        readonly gatewayIds: readonly [first: string, other: string]
        /** After an opening by the second gateway, the cloud knows that its number works at the gate, and may ask it first. */
        askedSecond(gate: ChaosGate): Promise<void>
        /** The same as `ready` below, for this gateway. */
        ready(sinceMs: number): Promise<void>
      })
    | undefined
  watch(watcher: MessageWatcher | undefined): void
  /** Waits until the cloud answers and its gateway, by a beat later than `sinceMs`, can take an opening. */
  ready(sinceMs: number): Promise<void>
  /** Whether a press would place a call of its own now, by the gate's number; its last trial ended at `heardMs`. */
  isFree(gate: ChaosGate, heardMs: number): Promise<boolean>
  /** Waits until no journal of a gateway has anything more to report. */
  reported(): Promise<void>
  /** The findings of `callgate verify` in the data, while the cloud serves. */
  verify(): Promise<readonly string[]>
  close(): Promise<void>
}

const readyWithinMs = 90_000

/** Polls every few milliseconds until `fact` is there; throws, with `what` and what is `seen`, after `withinMs`. */
export async function eventually<T>(
  what: string,
  withinMs: number,
  fact: () => T | undefined | Promise<T | undefined>,
  seen: () => string = () => '',
): Promise<T> {
  const endMs = performance.now() + withinMs
  for (;;) {
    const found = await fact()
    if (found !== undefined) return found
    if (performance.now() > endMs) throw new Error(`${what}: not within ${withinMs} ms${seen()}`)
    await pause(10)
  }
}

function newParts(logFolder: string, over: AbortSignal): RunningParts {
  const environment = environmentOfParts(process.env)
  return new RunningParts({
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

async function allReported(journals: readonly string[]): Promise<void> {
  const isDone = () => journals.every(hasReported) || undefined
  await eventually('the gateways have reported all', readyWithinMs, isDone)
}

/** Builds the bundles that are out of date, once for all houses. */
export async function chaosBundles(say: (line: string) => void): Promise<BundlePaths> {
  return must(await openBundles(top, newParts(tmpdir(), new AbortController().signal), say))
}

/**
 * Whether a cloud knows the gateway as online and ready for an opening, by a beat later than `sinceMs`. A beat that has only passed
 * on its way to the cloud is not enough, because a busy cloud may read a press before it.
 */
async function knowsReady(
  baseUrl: string,
  { apiKey }: ChaosActor,
  gatewayId: string,
  sinceMs: number,
): Promise<boolean> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const signal = AbortSignal.timeout(2_000)
  const answer = await fetch(`${baseUrl}/api/v1/gateways/${gatewayId}`, { headers, signal }).catch(() => null)
  const body = parseJson((await answer?.text().catch(() => '')) ?? '')
  const now = member(member(body, 'gateway'), 'now')
  const heardMs = Date.parse(text(now, 'lastHeardAt') ?? '')
  return (
    heardMs >= sinceMs && text(now, 'state') === 'online' && text(member(now, 'modem'), 'state') === 'ready'
  )
}

/** Waits until the cloud answers, and records since when it does. */
function createAvailability({ cloud }: HouseParts, callgate: Callgate) {
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

/**
 * Waits until every cloud is ready for a load balancer, which means that it knows who is online. A cloud that cannot reach the
 * database at its start ends, and its supervisor starts it again.
 */
async function allReady({ cloud, otherCloud }: HouseParts, baseUrls: readonly string[]): Promise<void> {
  for (const baseUrl of baseUrls)
    await eventually(`${baseUrl} is ready`, readyWithinMs, async () => {
      const signal = AbortSignal.timeout(2_000)
      const answer = await fetch(`${baseUrl}/readyz`, { signal }).catch(() => undefined)
      if (answer?.status === 200) return true
      await pause(200)
      for (const part of [cloud, otherCloud]) part?.revive()
      return undefined
    })
}

/** The checks' own connection to the database. A file is made by the cloud that serves it. */
const openData = ({ engines, folder }: Layout) =>
  engines?.openDatabase() ?? openDatabase({ url: join(folder, 'callgate.sqlite'), onlyReads: true })

/**
 * Makes the second gateway one that has never called the gate. The number of the first one is known there, so the first is asked
 * first.
 */
async function mayCallSecond(callgate: Callgate, { id }: ChaosGate, gatewayId: string): Promise<void> {
  const given = ['--gate', id, '--gateway', gatewayId, '--number-known', 'unknown']
  must(await callgate.command('gate', 'gateways', ...given))
}

/** Starts the second cloud after the first one, which makes the tables and the keys. */
async function startClouds({ cloud, otherCloud }: HouseParts, callgate: Callgate): Promise<void> {
  cloud.start()
  must(await callgate.answers())
  otherCloud?.start()
}

interface Serving {
  readonly layout: Layout
  readonly parts: HouseParts
  readonly records: Records
  readonly callgate: Callgate
  readonly baseUrls: readonly string[]
}

/** The questions to a house in service, answered by its clouds and from their records. */
function whatIsKnown(
  { baseUrls, callgate, layout: { engines, other, place }, parts, records }: Serving,
  { actors: [actor], gatewayIds: [gatewayId, otherId] }: Furniture,
): Pick<RealHouse, 'ready' | 'isFree' | 'reported' | 'other'> {
  const { answers, servingSinceMs } = createAvailability(parts, callgate)
  const becomesReady = async (id: string, sinceMs: number) => {
    if (!actor) throw new Error('nobody may ask')
    if (engines) await allReady(parts, baseUrls)
    else await answers()
    for (const baseUrl of baseUrls)
      await eventually(`${baseUrl} knows the gateway as ready`, readyWithinMs, async () => {
        if (await knowsReady(baseUrl, actor, id, sinceMs)) return true
        // The key's requests a minute are limited.
        await pause(300)
        return undefined
      })
  }
  const second = otherId !== undefined && {
    gatewayIds: [gatewayId, otherId] as const,
    askedSecond: (gate: ChaosGate) => mayCallSecond(callgate, gate, otherId),
    ready: (sinceMs: number) => becomesReady(otherId, sinceMs),
  }
  return {
    ready: sinceMs => becomesReady(gatewayId, sinceMs),
    isFree: (gate, heardMs) =>
      isFree(records, { ...gate, heardMs, nowMs: Date.now(), servingSinceMs: servingSinceMs() }),
    reported: () => allReported([place.journal, ...(other ? [other.journal] : [])]),
    other: other && second ? { ...other, ...second } : undefined,
  }
}

/** Starts a house in a temporary folder, with its Space, keys and gates. `close` ends all processes and removes the folder. */
export async function startRealHouse(bundles: BundlePaths, size: HouseSize): Promise<RealHouse> {
  const layout = await layOut(size)
  const { engines, folder, place, ports, proxies } = layout
  const baseUrl = `http://127.0.0.1:${ports.http}`
  const baseUrls = engines ? [baseUrl, `http://127.0.0.1:${ports.otherHttp}`] : [baseUrl]
  const over = new AbortController()
  const commands = newParts(join(folder, 'logs'), over.signal)
  const { parts, standbys } = buildParts(layout, bundles)
  let database: Database | undefined
  let followers: readonly Follower[] = []
  async function close() {
    over.abort()
    for (const follower of followers) follower.stop()
    await database?.close()
    for (const part of Object.values(parts)) part.kill()
    await standbys?.close()
    await Promise.all(Object.values(parts).map(part => part.ended()))
    await Promise.all(Object.values(proxies).map(proxy => proxy.close()))
    for (const path of [folder, postgresFolderOf(folder)]) rmSync(path, { recursive: true, force: true })
  }
  try {
    const environment = cloudEnvironment(layout)
    const known = { baseUrl, bundle: bundles.cloud, environment }
    const callgate = createCallgate({ ...known, parts: commands, over: over.signal })
    parts.postgres?.start()
    if (size.kind === 'apart' || size.kind === 'clouds') parts.broker.start()
    parts.simulator.start()
    parts.otherSimulator?.start()
    if (engines) database = await openData(layout)
    await startClouds(parts, callgate)
    const furniture = await furnish(layout, size.actors, bundles, callgate, commands)
    database ??= await openData(layout)
    const records = recordsIn(database)
    if (engines) followers = await followersOf(database, furniture.spaceId, baseUrls)
    const house: RealHouse = {
      ...layout,
      ...place,
      ...furniture,
      ...whatIsKnown({ layout, parts, records, callgate, baseUrls }, furniture),
      folder,
      baseUrls,
      controlUrl: `http://127.0.0.1:${place.control}`,
      followers,
      kind: size.kind,
      parts,
      standbys,
      lostAt: new Set(),
      records,
      watch(watcher) {
        place.seen.watcher = watcher
      },
      verify: async () => (engines ? [] : verifyData(folder)),
      close,
    }
    const startedMs = Date.now()
    parts.gateway.start()
    parts.otherGateway?.start()
    await house.ready(startedMs)
    await house.other?.ready(startedMs)
    return house
  } catch (error) {
    await close()
    throw error
  }
}
