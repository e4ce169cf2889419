// Openings a second on Postgres, with and without the locks of the Spaces, and on SQLite.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noteDrift } from '@callgate/cloud/calibration/profileDoubts'
import { type Database, openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { openPostgres } from '@callgate/cloud/database/postgres'
import { createExchange, type Exchange } from '@callgate/cloud/opening/exchange'
import { said } from '@callgate/cloud/opening/exchange.kit'
import { playedBoot, playedEndpoint } from '@callgate/cloud/opening/gatewayEndpoint.kit'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { createSpace } from '@callgate/cloud/space/spaces'
import { callProfile } from '@callgate/contract/call/callProfile'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import { isoTime, moment } from '@callgate/world/world'
import { startPostgres } from '../../postgres/postgresServer.ts'

const world = realWorld({ logLevel: 'silent' })
export const spaces = 32
const openingsOfSpace = 12

export interface Rate {
  readonly perSecond: number
  /** The duration of each press, in milliseconds. */
  readonly pressMs: readonly number[]
}

export interface Tenant {
  readonly spaceId: string
  readonly gateId: string
  readonly gatewayId: string
  readonly apiKeyId: string
}

let tenants = 0

/** A Space with a gate of a number of its own: a number that another Space calls is not called. */
export async function newTenant(database: Database): Promise<Tenant> {
  const number = ++tenants
  const place = { plan: 'business', country: 'RO', timezone: 'Europe/Bucharest' } as const
  const { spaceId } = await createSpace({ database, world }, { name: 'Space', ...place })
  const [gateId, gatewayId] = [newId(world, 'gate'), newId(world, 'gw')]
  const profile = callProfile({ mode: 'reject', coolDownMs: 0, learned: true, discriminating: true })
  const createdAt = isoTime(world.nowMs())
  const gate = {
    id: gateId,
    spaceId,
    phoneNumber: `+407220${String(number).padStart(5, '0')}`,
    name: 'Gate',
    location: '',
    isActive: true,
  }
  const gateway = { id: gatewayId, spaceId, name: 'Pi', publicKey: gatewayId, passwordHash: 'p' }
  await database.write(async tx => {
    await tx('gates').insert({ ...gate, createdAt, callProfile: JSON.stringify(profile) })
    await tx('gateways').insert({ ...gateway, createdAt, bootId: playedBoot })
  })
  const key = { spaceId, name: 'Desk', scopes: ['gates:open'], expiresAt: null, actor: 'operator' } as const
  const apiKeyId = (await createApiKey({ database, world }, key))?.apiKeyId ?? ''
  return { spaceId, gateId, gatewayId, apiKeyId }
}

/** One opening: three transactions, one after the other. Returns the duration of the press, in milliseconds. */
export async function open(exchange: Exchange, tenant: Tenant, seq: number): Promise<number> {
  const { apiKeyId, gateId, gatewayId, spaceId } = tenant
  const actor = { actorType: 'owner', actorName: 'Desk', actorEmail: null, apiKeyId } as const
  const since = moment(world)
  const { openingId = '' } = (await exchange.press({ spaceId, gateId, since, actor })) ?? {}
  const pressMs = world.monotonicMs() - since.monotonicMs
  const of = { gatewayId, bootId: playedBoot, openingId }
  const grant = await exchange.claim({ ...of, nonce: 'N'.repeat(22), sinceBootMs: world.sinceBootMs() })
  if (!grant?.granted) throw new Error(`no grant for ${openingId}: ${JSON.stringify(grant)}`)
  await exchange.report({ ...of, seq, report: said.completed, body: `${seq}`, signature: 's' })
  return pressMs
}

/** An endpoint with gateways that are all online and send nothing. */
export function endpointOf(tenants: readonly Tenant[]) {
  return playedEndpoint((id: string) =>
    tenants.flatMap(({ gatewayId, spaceId }) => (spaceId === id ? gatewayId : [])),
  )
}

/**
 * The openings of a round: those of one tenant one after the other, and all tenants at once. Returns the durations of the
 * presses.
 */
export async function openAll(
  exchange: Exchange,
  tenants: readonly Tenant[],
  round: number,
): Promise<readonly number[]> {
  const pressMs: number[] = []
  const inTurn = async (tenant: Tenant) => {
    for (let place = 1; place <= openingsOfSpace; place++)
      pressMs.push(await open(exchange, tenant, round * openingsOfSpace + place))
  }
  await Promise.all(tenants.map(inTurn))
  return pressMs
}

async function rateOn(database: Database, tenants: readonly Tenant[], round: number): Promise<Rate> {
  const exchange = createExchange({ noteDrift, world, database, endpoint: endpointOf(tenants) })
  const beganMs = world.monotonicMs()
  const pressMs = await openAll(exchange, tenants, round)
  const tookMs = world.monotonicMs() - beganMs
  exchange.stop()
  return { perSecond: (pressMs.length / tookMs) * 1_000, pressMs }
}

/** The baseline: the same sessions and statements, without those that take the locks. */
function withoutLocks(database: Database): void {
  const { client } = database.knex
  const acquire = client.acquireConnection.bind(client)
  const changed = new WeakSet<object>()
  client.acquireConnection = async () => {
    const session = await acquire()
    if (changed.has(session)) return session
    changed.add(session)
    const query = session.query.bind(session)
    const bare = (sql: unknown) =>
      typeof sql === 'string' ? sql.replace(/select pg_advisory_xact_lock[^;]*;/g, '') : sql
    session.query = (sql: unknown, ...rest: unknown[]) => query(bare(sql), ...rest)
    return session
  }
}

const sides = ['Postgres', 'Postgres without locks', 'SQLite'] as const
export type Side = (typeof sides)[number]

/** Measures each side in the given number of consecutive rounds. Every commit is on the disk before it is answered. */
export async function measurePostgres(rounds: number): Promise<ReadonlyMap<Side, readonly Rate[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-rate-'))
  const server = await startPostgres({ isDurable: true })
  const { url } = await server.newDatabase(false)
  const databases = new Map<Side, Database>()
  for (const side of sides) {
    const file = join(folder, 'callgate.sqlite')
    const onPostgres = () => openPostgres({ url, serverTime: world })
    databases.set(side, side === 'SQLite' ? await openDatabase({ url: file }) : await onPostgres())
  }
  const rates = new Map<Side, Rate[]>(sides.map(side => [side, []]))
  const tenants = new Map<Side, readonly Tenant[]>()
  for (const [side, database] of databases) {
    await migrate(database)
    if (side === 'Postgres without locks') withoutLocks(database)
    tenants.set(side, await Promise.all(Array.from({ length: spaces }, () => newTenant(database))))
  }
  // The first round warms the caches and is not counted.
  for (let round = 0; round <= rounds; round++)
    for (const [side, database] of databases) {
      const rate = await rateOn(database, tenants.get(side) ?? [], round)
      if (round > 0) rates.get(side)?.push(rate)
    }
  for (const database of databases.values()) await database.close()
  await server.stop()
  rmSync(folder, { recursive: true })
  return rates
}
