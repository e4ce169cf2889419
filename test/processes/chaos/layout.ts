// Prepares a house of real processes: its folder, ports and proxies, and its parts, ready to be started.

import { mkdirSync, mkdtempSync, readdirSync, renameSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallProfileUpdate } from '@callgate/contract/call/callProfile'
import type { FarEndName } from '@callgate/simulator/presets'
import { environmentOfParts } from '../../../packages/demo/src/arguments.ts'
import type { BundlePaths } from '../../../packages/demo/src/bundles.ts'
import { member, text } from '../../../packages/demo/src/json.ts'
import { freePort } from '../freePort.ts'
import { type Engines, layOutEngines, openBroker } from './engines.ts'
import { type MovedClock, movedClock } from './movedClock.ts'
import { type PartProcess, type Program, partProcess } from './processes.ts'
import { type Direction, type Reach, reachPort, startProxy, type WireProxy } from './proxy.ts'
import type { Standbys } from './standbys.ts'
import { wallClock } from './wallClock.ts'

/**
 * `cloud` takes the presses of a trial. `otherCloud` and `postgres` are in houses of two clouds only, `otherGateway` and its
 * `otherSimulator` in houses of two gateways.
 */
export type PartName =
  | 'broker'
  | 'cloud'
  | 'gateway'
  | 'simulator'
  | 'otherCloud'
  | 'postgres'
  | 'otherGateway'
  | 'otherSimulator'
export type CloudName = Extract<PartName, 'cloud' | 'otherCloud'>

/** The connections with a proxy: those of the gateway and each cloud to the broker, and those of each cloud to the database. */
export type Link = 'gateway' | 'otherGateway' | CloudName | `${CloudName}Database`

/** A PUBLISH that passes the gateway's proxy. */
export interface Message {
  readonly direction: Direction
  /** The last word of its topic. */
  readonly kind: string
  readonly openingId: string | undefined
  /** The content of a report or a beat. */
  readonly body: unknown
}

/** The messages of the gateway that passed the proxy, by opening. */
export interface SeenMessages {
  /** The time of its first claim, in milliseconds by the wall clock. */
  readonly claimedAtMs: ReadonlyMap<string, number>
  /** The reasons of its verdicts. There may be two when it was killed before the first was on its disk. */
  readonly verdicts: ReadonlyMap<string, ReadonlySet<string>>
}

/** Called with each message before it is forwarded. The message is held until the promise resolves. */
export type MessageWatcher = (message: Message) => Promise<void>

/**
 * `plain`: the usual parts. `apart`: the broker is its own process, and the gateway's clock can be moved where possible.
 * `clouds`: two clouds on one Postgres and one broker. `gateways`: the usual parts, and a second gateway with a modem of its own.
 */
export type HouseKind = 'plain' | 'apart' | 'clouds' | 'gateways'

export interface HouseSize {
  readonly kind: HouseKind
  readonly gates: number
  /** API keys, each of which may press ten times a minute. */
  readonly actors: number
}

const learned = { learned: true, discriminating: true } as const

/**
 * The modules of the gates, in turn, with the profile that a calibration on the fast network would propose. Each moves its relay
 * whenever it reacts; the last stays on the line until the gateway hangs up.
 */
export const modules = [
  { farEnd: 'reject_busy', profile: { mode: 'reject', ...learned, reactMaxMs: 4_000 } },
  { farEnd: 'answer_release_2s', profile: { mode: 'answer_release', ...learned, reactMaxMs: 4_000 } },
  { farEnd: 'answer_hold', profile: { mode: 'answer_hold', ...learned, holdMs: 300 } },
] as const satisfies readonly { readonly farEnd: FarEndName; readonly profile: CallProfileUpdate }[]

/** The module of the gate at that place in the list. */
export const moduleAt = (place: number) => modules[place % modules.length] ?? modules[0]

const phoneNumberOf = (place: number) => `+407220001${String(place).padStart(2, '0')}`

function readMessage(direction: Direction, published: { topic: string; payload: string }): Message {
  const { payload, topic } = published
  const envelope: unknown = JSON.parse(payload)
  const kind = topic.slice(topic.lastIndexOf('/') + 1)
  const isRead = kind === 'report' || kind === 'beat'
  const body = isRead ? JSON.parse(text(envelope, 'body') ?? '') : undefined
  return { direction, kind, openingId: text(envelope, 'openingId'), body }
}

/** Records the claims and verdicts of a gateway. */
function createListener() {
  const claimedAtMs = new Map<string, number>()
  const verdicts = new Map<string, Set<string>>()
  const said: SeenMessages = { claimedAtMs, verdicts }
  return {
    said,
    note({ body, kind, openingId }: Message) {
      if (openingId === undefined) return
      if (kind === 'claim' && !claimedAtMs.has(openingId)) claimedAtMs.set(openingId, Date.now())
      const reason = text(member(body, 'verdict'), 'reason')
      if (reason !== undefined) verdicts.set(openingId, new Set([...(verdicts.get(openingId) ?? []), reason]))
    },
  }
}

/** The modem's port: the simulator's link, and the name by which the gateway finds it. The name may change. */
function modemPort(folder: string, of: string) {
  const names = join(folder, `ports-${of}`)
  mkdirSync(names)
  const link = join(folder, `simulated-port-${of}`)
  symlinkSync(link, join(names, 'modem-0'))
  let renamed = 0
  return {
    link,
    /** A glob pattern that matches every name. */
    pattern: join(names, 'modem-*'),
    rename() {
      renamed++
      for (const name of readdirSync(names)) renameSync(join(names, name), join(names, `modem-${renamed}`))
    },
  }
}

/** The proxies of the clouds; none where a cloud contains the broker and the database itself. */
async function cloudProxies(
  kind: HouseKind,
  broker: Reach,
  engines: Engines | undefined,
): Promise<Partial<Record<Link, WireProxy>>> {
  if (kind === 'plain' || kind === 'gateways') return {}
  const cloud = await startProxy(broker)
  if (!engines) return { cloud }
  return {
    cloud,
    otherCloud: await startProxy(broker),
    cloudDatabase: await startProxy(engines.postgres.reach),
    otherCloudDatabase: await startProxy(engines.postgres.reach),
  }
}

/** The set-up of a gateway: its folder, its modem, and the proxy before its broker. */
async function layOutGateway(
  folder: string,
  name: 'gateway' | 'otherGateway',
  toBroker: (pass: Parameters<typeof startProxy>[1]) => Promise<WireProxy>,
) {
  const own = join(folder, name)
  mkdirSync(own, { mode: 0o700 })
  const { note, said } = createListener()
  const seen: { watcher: MessageWatcher | undefined } = { watcher: undefined }
  const proxy = await toBroker(async (direction, { published }) => {
    if (!published) return 'forward'
    const message = readMessage(direction, published)
    note(message)
    await seen.watcher?.(message)
    return 'forward'
  })
  return {
    folder: own,
    journal: join(own, 'journal'),
    proxy,
    said,
    seen,
    modem: modemPort(folder, name),
    simulatorLog: join(folder, `simulator-of-${name}.jsonl`),
    control: await freePort(),
  }
}
export type GatewayPlace = Awaited<ReturnType<typeof layOutGateway>>

/** The wall clocks of two clouds. */
const cloudClocks = (folder: string): Readonly<Record<CloudName, MovedClock>> => ({
  cloud: movedClock(join(folder, 'clock-of-cloud')),
  otherCloud: movedClock(join(folder, 'clock-of-otherCloud')),
})

export async function layOut({ gates, kind }: HouseSize) {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-chaos-'))
  mkdirSync(join(folder, 'logs'), { mode: 0o700 })
  const http = await freePort()
  const otherHttp = await freePort()
  const broker = await freePort()
  const engines = kind === 'clouds' ? await layOutEngines(folder) : undefined
  const reachBroker = engines?.broker.reach ?? reachPort(broker)
  const reachFromGateway = engines?.broker.reachUnencrypted ?? reachBroker
  const toBroker = (pass: Parameters<typeof startProxy>[1]) => startProxy(reachFromGateway, pass)
  const place = await layOutGateway(folder, 'gateway', toBroker)
  const other = kind === 'gateways' ? await layOutGateway(folder, 'otherGateway', toBroker) : undefined
  const proxies: Partial<Record<Link, WireProxy>> & { readonly gateway: WireProxy } = {
    ...(await cloudProxies(kind, reachBroker, engines)),
    gateway: place.proxy,
    ...(other && { otherGateway: other.proxy }),
  }
  return {
    folder,
    phoneNumbers: Array.from({ length: gates }, (_, place) => phoneNumberOf(place)),
    ports: { http, otherHttp, broker },
    engines,
    proxies,
    /** The gateway that the faults hit; of two, the one that is asked first. */
    place,
    /** The second gateway, in a house of two. */
    other,
    gatewayClock: kind === 'apart' ? wallClock(join(folder, 'clock')) : undefined,
    cloudClocks: kind === 'clouds' ? cloudClocks(folder) : undefined,
  }
}

export type Layout = Awaited<ReturnType<typeof layOut>>

/** The environment variables of a cloud. */
export function cloudEnvironment(
  { engines, folder, ports, proxies }: Pick<Layout, 'engines' | 'folder' | 'ports' | 'proxies'>,
  name: CloudName = 'cloud',
): Record<string, string> {
  const broker = proxies[name]
  const database = proxies[`${name}Database`]
  const usual = broker && { MQTT_URL: `mqtt://127.0.0.1:${broker.port}` }
  return {
    CALLGATE_DATA: folder,
    PORT: String(name === 'cloud' ? ports.http : ports.otherHttp),
    MQTT_PORT: String(ports.broker),
    ...(engines && broker ? engines.broker.environment(broker.port) : usual),
    ...(engines && database && engines.postgres.environment(database.port)),
    APP_URL: `http://127.0.0.1:${ports.http}`,
  }
}

type RarePart = 'otherCloud' | 'postgres' | 'otherGateway' | 'otherSimulator'
export type HouseParts = Readonly<
  Record<Exclude<PartName, RarePart>, PartProcess> & Partial<Record<RarePart, PartProcess>>
>

/** The parts, and the servers of the database where there are some. */
export interface Built {
  readonly parts: HouseParts
  readonly standbys: Standbys | undefined
}

export function buildParts(layout: Layout, bundles: BundlePaths): Built {
  const { cloudClocks, engines, folder, gatewayClock, other, place, ports } = layout
  const part = (name: string, program: Program, own: Readonly<Record<string, string>> = {}) =>
    partProcess({
      ...program,
      environment: { ...environmentOfParts(process.env), ...own },
      logPath: join(folder, 'logs', `${name}.log`),
    })
  const gates = layout.phoneNumbers.flatMap((number, at) => ['--gate', `${number}=${moduleAt(at).farEnd}`])
  const simulator = (name: PartName, { control, modem, simulatorLog }: GatewayPlace) => {
    const line = ['--link', modem.link, '--log', simulatorLog, '--control-port', String(control)]
    return part(name, {
      args: [bundles.simulator, ...line, '--network', 'fast', '--registered', '--json', ...gates],
    })
  }
  const gateway = (name: PartName, of: GatewayPlace) =>
    part(
      name,
      { args: [bundles.gateway, 'run', '--config', join(of.folder, 'callgate-gateway.yaml')] },
      gatewayClock?.environment,
    )
  const cloud = (name: CloudName) => {
    const clock = cloudClocks ? ['--import', cloudClocks[name].module] : []
    return part(name, { args: [...clock, bundles.cloud, 'serve'] }, cloudEnvironment(layout, name))
  }
  const standbys = engines?.standbys((program, name) => part(name, program))
  const parts = {
    broker: part('broker', engines?.broker.program ?? openBroker(ports.broker)),
    cloud: cloud('cloud'),
    simulator: simulator('simulator', place),
    gateway: gateway('gateway', place),
    ...(other && {
      otherSimulator: simulator('otherSimulator', other),
      otherGateway: gateway('otherGateway', other),
    }),
    ...(standbys && { otherCloud: cloud('otherCloud'), postgres: standbys.serving }),
  }
  return { parts, standbys }
}
