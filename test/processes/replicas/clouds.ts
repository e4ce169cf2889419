// Several clouds as processes on one Postgres and one broker, with a fleet of gateways.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '@callgate/cloud/database/database'
import { openPostgres } from '@callgate/cloud/database/postgres'
import { realWorld } from '@callgate/world/real'
import { environmentOfParts } from '../../../packages/demo/src/arguments.ts'
import { FleetGateway, type FleetNotes } from '../../commands/bench/fleetGateway.ts'
import { openBroker } from '../chaos/engines.ts'
import { type PartProcess, partProcess } from '../chaos/processes.ts'
import { freePort } from '../freePort.ts'

export interface Clouds {
  readonly baseUrls: readonly string[]
  readonly database: Database
  /** By the place of its address in the list. */
  readonly parts: readonly PartProcess[]
  /** When the grant of each opening reached its gateway. */
  readonly granted: ReadonlyMap<string, number>
  /** Connects gateways, and waits until every cloud knows that they are online. */
  connect(gatewayIds: readonly string[]): Promise<void>
  close(): Promise<void>
}

const bundle = new URL('../../../packages/cloud/dist/callgate.mjs', import.meta.url).pathname
const readyWithinMs = 90_000
/** How long a call lasts: long enough to kill a cloud in it. */
const usualCallMs = 1_500

async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const endMs = performance.now() + readyWithinMs
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`${what}: not within ${readyWithinMs} ms`)
    await pause(200)
  }
}

const isOk = (url: string) =>
  fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  )

/** The processes, not started: a broker, and the given number of clouds. */
async function newParts(count: number, databaseUrl: string, folder: string) {
  const brokerPort = await freePort()
  const environment = environmentOfParts(process.env)
  const broker = partProcess({
    ...openBroker(brokerPort),
    environment,
    logPath: join(folder, 'broker.log'),
  })
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  const baseUrls = ports.map(port => `http://127.0.0.1:${port}`)
  const parts = ports.map((port, place) => {
    const own = {
      CALLGATE_DATA: folder,
      PORT: String(port),
      APP_URL: baseUrls[0] ?? '',
      DATABASE_URL: databaseUrl,
      MQTT_URL: `mqtt://127.0.0.1:${brokerPort}`,
      LOG_LEVEL: 'warn',
    }
    return partProcess({
      args: [bundle, 'serve'],
      environment: { ...environment, ...own },
      logPath: join(folder, `cloud${place}.log`),
    })
  })
  return { baseUrls, broker, brokerPort, parts }
}

async function startParts({ baseUrls, broker, parts }: Awaited<ReturnType<typeof newParts>>): Promise<void> {
  broker.start()
  const [first, ...rest] = parts
  first?.start()
  // The first one makes the tables and the keys.
  await until('the first cloud answers', () => isOk(`${baseUrls[0]}/healthz`))
  for (const one of rest) one.start()
  for (const baseUrl of baseUrls) await until(`${baseUrl} is ready`, () => isOk(`${baseUrl}/readyz`))
}

/** Gateways at a broker, which connect when they are asked to. */
function newFleet(database: Database, brokerPort: number, callForMs: number | undefined) {
  const notes: FleetNotes = { beats: 0, since: new Map(), granted: new Map() }
  const world = realWorld({ logLevel: 'silent' })
  const fleet: FleetGateway[] = []
  return {
    granted: notes.granted,
    stop: () => {
      for (const gateway of fleet) gateway.stop()
    },
    async connect(gatewayIds: readonly string[]) {
      const at = {
        port: brokerPort,
        localAddress: '127.0.0.1',
        ...(callForMs !== undefined && { callForMs }),
      }
      for (const id of gatewayIds) {
        const gateway = new FleetGateway(id, world, at, notes)
        fleet.push(gateway)
        gateway.connect()
      }
      const online = () =>
        database
          .knex('gateways')
          .whereIn('id', [...gatewayIds])
          .whereNotNull('onlineSince')
      await until('the gateways are online', async () => (await online()).length === gatewayIds.length)
      const { beats } = notes
      // After another beat of each gateway, every cloud has received all of them.
      await until('the gateways beat again', () => notes.beats >= beats + 2 * gatewayIds.length)
    },
  }
}

/**
 * Starts the given number of clouds on an empty Postgres. They are ready when it resolves. `isBrief`: a gateway
 * reports the end of a call at once. `cloudsUrl`: how the clouds reach the database.
 */
export async function startClouds(
  count: number,
  databaseUrl: string,
  {
    cloudsUrl = databaseUrl,
    isBrief = false,
  }: { readonly cloudsUrl?: string; readonly isBrief?: boolean } = {},
): Promise<Clouds> {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-replicas-'))
  const made = await newParts(count, cloudsUrl, folder)
  const { baseUrls, broker, brokerPort, parts } = made
  const database = await openPostgres({ url: databaseUrl })
  const { connect, granted, stop } = newFleet(database, brokerPort, isBrief ? undefined : usualCallMs)
  async function close(): Promise<void> {
    stop()
    for (const one of [...parts, broker]) one.kill()
    await Promise.all([...parts, broker].map(one => one.ended()))
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await startParts(made)
  } catch (error) {
    await close()
    throw error
  }
  return { baseUrls, database, parts, granted, connect, close }
}
