// Prepares a house of real processes: its folder, ports and proxies, and its parts, ready to be started.

import { mkdirSync, mkdtempSync, readdirSync, renameSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallProfileUpdate } from '@callgate/contract/call/callProfile'
import type { FarEndName } from '@callgate/simulator/presets'
import { environmentOfParts } from '../../../packages/demo/src/arguments.ts'
import type { BundlePaths } from '../../../packages/demo/src/bundles.ts'
import { member, text } from '../../../packages/demo/src/json.ts'
import { machinePorts } from '../../../packages/demo/src/ports.ts'
import { type PartProcess, partProcess } from './processes.ts'
import { type Direction, startProxy } from './proxy.ts'
import { wallClock } from './wallClock.ts'

export const partNames = ['broker', 'cloud', 'gateway', 'simulator'] as const
export type PartName = (typeof partNames)[number]

/** A PUBLISH that passes the gateway's proxy. */
export interface Message {
  readonly direction: Direction
  /** The last word of its topic. */
  readonly kind: string
  readonly openingId: string | undefined
  /** Of a report: what it says. */
  readonly report: unknown
}

/** What passed the proxy from the gateway, by opening. */
export interface SeenMessages {
  /** When it first claimed, wall clock milliseconds. */
  readonly claimedAtMs: ReadonlyMap<string, number>
  /** The reasons of its verdicts. There may be two when it was killed before the first was on its disk. */
  readonly verdicts: ReadonlyMap<string, ReadonlySet<string>>
}

/** Called with each message before it is forwarded. The message is held until the promise resolves. */
export type MessageWatcher = (message: Message) => Promise<void>

/** `plain`: the usual parts. `apart`: the broker is its own process, and the gateway's clock can be moved where possible. */
export type HouseKind = 'plain' | 'apart'

export interface HouseSize {
  readonly kind: HouseKind
  readonly gates: number
  /** API keys, each of which may press ten times a minute. */
  readonly actors: number
}

const learned = { learned: true, discriminating: true } as const

/**
 * The modules of the gates, in turn, with the profile that a calibration on the fast network would find. Each moves its
 * relay whenever it reacts; the last stays on the line until the gateway hangs up.
 */
export const modules = [
  { farEnd: 'reject_busy', profile: { mode: 'reject', ...learned, reactMaxMs: 4_000 } },
  { farEnd: 'answer_release_2s', profile: { mode: 'answer_release', ...learned, reactMaxMs: 4_000 } },
  { farEnd: 'answer_hold', profile: { mode: 'answer_hold', ...learned, holdMs: 300 } },
] as const satisfies readonly { readonly farEnd: FarEndName; readonly profile: CallProfileUpdate }[]

/** The module of the gate at that place. */
export const moduleAt = (place: number) => modules[place % modules.length] ?? modules[0]

const phoneNumberOf = (place: number) => `+407220001${String(place).padStart(2, '0')}`

function readMessage(direction: Direction, published: { topic: string; payload: string }): Message {
  const { payload, topic } = published
  const envelope: unknown = JSON.parse(payload)
  const kind = topic.slice(topic.lastIndexOf('/') + 1)
  const report = kind === 'report' ? JSON.parse(text(envelope, 'body') ?? '') : undefined
  return { direction, kind, openingId: text(envelope, 'openingId'), report }
}

/** Notes the claims and verdicts of a gateway. */
function createListener() {
  const claimedAtMs = new Map<string, number>()
  const verdicts = new Map<string, Set<string>>()
  const said: SeenMessages = { claimedAtMs, verdicts }
  return {
    said,
    note({ kind, openingId, report }: Message) {
      if (openingId === undefined) return
      if (kind === 'claim' && !claimedAtMs.has(openingId)) claimedAtMs.set(openingId, Date.now())
      const reason = text(member(report, 'verdict'), 'reason')
      if (reason !== undefined) verdicts.set(openingId, new Set([...(verdicts.get(openingId) ?? []), reason]))
    },
  }
}

/** The modem's port: the simulator's link, and the name by which the gateway finds it. The name may change. */
function modemPort(folder: string) {
  const names = join(folder, 'ports')
  mkdirSync(names)
  const link = join(folder, 'simulated-port')
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

export async function layOut({ gates, kind }: HouseSize) {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-chaos-'))
  for (const name of ['logs', 'gateway']) mkdirSync(join(folder, name), { mode: 0o700 })
  const http = await machinePorts.anyFree()
  const broker = await machinePorts.anyFree()
  const control = await machinePorts.anyFree()
  const { note, said } = createListener()
  const seen: { watcher: MessageWatcher | undefined } = { watcher: undefined }
  const gatewayProxy = await startProxy(broker, async (direction, { published }) => {
    if (!published) return 'forward'
    const message = readMessage(direction, published)
    note(message)
    await seen.watcher?.(message)
    return 'forward'
  })
  const cloudProxy = kind === 'apart' ? await startProxy(broker, async () => 'forward') : undefined
  return {
    folder,
    phoneNumbers: Array.from({ length: gates }, (_, place) => phoneNumberOf(place)),
    ports: { http, broker, control },
    proxies: { gateway: gatewayProxy, cloud: cloudProxy },
    said,
    seen,
    modem: modemPort(folder),
    gatewayClock: kind === 'apart' ? wallClock(join(folder, 'clock')) : undefined,
  }
}

export type Layout = Awaited<ReturnType<typeof layOut>>

/** The environment variables of the cloud. */
export function cloudEnvironment({
  folder,
  ports,
  proxies,
}: Pick<Layout, 'folder' | 'ports' | 'proxies'>): Record<string, string> {
  return {
    CALLGATE_DATA: folder,
    PORT: String(ports.http),
    MQTT_PORT: String(ports.broker),
    ...(proxies.cloud && { MQTT_URL: `mqtt://127.0.0.1:${proxies.cloud.port}` }),
    APP_URL: `http://127.0.0.1:${ports.http}`,
  }
}

export type HouseParts = Readonly<Record<PartName, PartProcess>>

export function buildParts(layout: Layout, bundles: BundlePaths): HouseParts {
  const { folder, gatewayClock, modem, ports } = layout
  const part = (name: PartName, args: readonly string[], own: Record<string, string> = {}) =>
    partProcess({
      args,
      environment: { ...environmentOfParts(process.env), ...own },
      logPath: join(folder, 'logs', `${name}.log`),
    })
  const gates = layout.phoneNumbers.flatMap((number, place) => [
    '--gate',
    `${number}=${moduleAt(place).farEnd}`,
  ])
  const line = ['--link', modem.link, '--log', join(folder, 'simulator.jsonl')]
  const control = ['--control-port', String(ports.control), '--network', 'fast', '--registered', '--json']
  const gateway = [bundles.gateway, 'run', '--config', join(folder, 'gateway', 'callgate-gateway.yaml')]
  return {
    broker: part('broker', ['--import', 'tsx', join(import.meta.dirname, 'broker.ts'), String(ports.broker)]),
    cloud: part('cloud', [bundles.cloud, 'serve'], cloudEnvironment(layout)),
    simulator: part('simulator', [bundles.simulator, ...line, ...control, ...gates]),
    gateway: part('gateway', gateway, gatewayClock?.environment),
  }
}
