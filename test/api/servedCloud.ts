// A cloud that serves on a free port, with a database of its own and a scripted gateway for each Space.

import { createApi } from '@callgate/cloud/api'
import { noteDrift } from '@callgate/cloud/calibration/profileDoubts'
import { type Database, openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { testDatabase } from '@callgate/cloud/database/postgres.kit'
import { memoryDatabase } from '@callgate/cloud/database/tables.kit'
import { createEventStreams } from '@callgate/cloud/event/eventStreams'
import { createHttpServer } from '@callgate/cloud/http/server'
import { type Limits, limitsInMemory } from '@callgate/cloud/limit/limits'
import { createExchange, type Exchange } from '@callgate/cloud/opening/exchange'
import { playedEndpoint, playedKey } from '@callgate/cloud/opening/gatewayEndpoint.kit'
import { createSandbox } from '@callgate/cloud/sandbox/sandboxes'
import { StandIns } from '@callgate/cloud/sandbox/standIn'
import { createSeal } from '@callgate/cloud/secrets/sealing'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { createSpace } from '@callgate/cloud/space/spaces'
import { type Scope, scopeNames } from '@callgate/contract/rest/scope'
import type { DeclineReason } from '@callgate/contract/wire/messages'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import { auditActivity } from './contractCheck.ts'
import { type ScriptedGateway, scriptedGateway } from './scriptedGateway.ts'

export interface NewKey {
  readonly key: string
  readonly apiKeyId: string
}

export interface Tenant {
  readonly spaceId: string
  /** Its only gateway. */
  readonly gatewayId: string
  /** A key with every scope. */
  readonly key: string
  /** With the scopes of the specification, unless others are given. */
  addKey(given?: {
    scopes?: readonly Scope[]
    gateIds?: readonly string[]
    expiresAt?: string
    name?: string
  }): Promise<NewKey>
  /** The Space's gateway is offline from now on, until the answer is called. */
  unplug(): () => void
  /** The gateway declines every opening from now on. */
  declineAll(reason: DeclineReason): void
}

export type TenantPlan = 'free' | 'pro' | 'business' | 'trial'

export interface ServedCloud {
  readonly database: Database
  readonly exchange: Exchange
  readonly gateway: ScriptedGateway
  /** The address where it serves. */
  readonly base: string
  addSpace(plan?: TenantPlan): Promise<Tenant>
  /** Makes a sandbox, with a key of the specified scopes. */
  addSandbox(): Promise<Pick<Tenant, 'spaceId' | 'key' | 'addKey'>>
  /** Fails when a change has no entry in the activity. */
  stop(): Promise<void>
}

/** Makes keys of a Space, with the scopes of the specification where none are given. */
function keyMaker(
  parts: { readonly database: Database; readonly world: World },
  spaceId: string,
): Tenant['addKey'] {
  const specified = scopeNames.filter(scope => scope !== 'members:read_email')
  return async ({ expiresAt = null, gateIds = null, name = 'Desk', scopes = specified } = {}) => {
    const given = { spaceId, name, scopes, gateIds, expiresAt }
    const made = await createApiKey(parts, { ...given, actor: 'operator' })
    if (!made) throw new Error('there is no such Space')
    return made
  }
}

/** Makes Spaces, each with its own gateway. `gatewayOf` holds the gateways that are online. */
function spaceMaker(
  parts: { readonly database: Database; readonly world: World },
  gatewayOf: Map<string, string>,
  gateway: ScriptedGateway,
): ServedCloud['addSpace'] {
  const { database, world } = parts
  return async (plan = 'pro') => {
    const zone = { country: 'RO', timezone: 'Europe/Bucharest' }
    const { spaceId } = await createSpace(parts, { name: 'Test', plan, ...zone })
    const id = newId(world, 'gw')
    const createdAt = isoTime(world.nowMs())
    const keys = { publicKey: id.slice(-26), passwordHash: 'none' }
    await database.knex('gateways').insert({ id, spaceId, name: 'Pi', ...keys, createdAt })
    gatewayOf.set(spaceId, id)
    const addKey = keyMaker(parts, spaceId)
    return {
      spaceId,
      gatewayId: id,
      key: (await addKey()).key,
      addKey,
      unplug() {
        gatewayOf.delete(spaceId)
        return () => void gatewayOf.set(spaceId, id)
      },
      declineAll: reason => gateway.declineAll(id, reason),
    }
  }
}

interface CloudSetting {
  readonly appUrl?: string
  readonly host?: string
  /** Any free port where it is not given. */
  readonly port?: number
  /** Where neither is given, the cloud has a new database. */
  readonly database?: Database
  readonly url?: string
  /** In memory where they are not given. */
  readonly limits?: Limits
}

async function databaseAt(url: string): Promise<Database> {
  if (url === ':memory:') return memoryDatabase()
  const database = await openDatabase({ url })
  await migrate(database)
  return database
}

/** The sealing key, the same after a restart. */
export const sealingKey = new Uint8Array(32).fill(7)

/**
 * Serves the whole API with its pages. `url` names the database, and `host` is the name of this machine in the address. Without
 * `appUrl`, the links lead to the serving address, so that a browser can follow them.
 */
export async function serveCloud(
  world: World,
  {
    appUrl: given,
    limits = limitsInMemory(world),
    host = '127.0.0.1',
    port: wanted = 0,
    ...at
  }: CloudSetting = {},
): Promise<ServedCloud> {
  const database =
    at.database ?? (at.url === undefined ? await testDatabase(world) : await databaseAt(at.url))
  const seal = createSeal(world, new Map([[1, sealingKey]]))
  const gatewayOf = new Map<string, string>()
  const gateway = scriptedGateway(world, () => exchange)
  const wire = playedEndpoint(spaceId => [gatewayOf.get(spaceId) ?? []].flat(), gateway.hint)
  const endpoint = new StandIns({ world, database, wire })
  const exchange = createExchange({ noteDrift, world, database, endpoint })
  endpoint.start(exchange)
  const server = createHttpServer(world, (request, response) => void answer(request, response))
  // Idle connections stay open, so that a test that is slow for a moment does not fail.
  server.keepAliveTimeout = 0
  await new Promise<void>(resolve => server.listen(wanted, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const base = `http://${host}:${port}`
  const appUrl = given ?? base
  const streams = createEventStreams({ world, database })
  const login = () => ({
    mqttUrl: 'mqtt://localhost:1883',
    cloudKeys: [playedKey.publicKey],
    hasOwnBroker: false,
  })
  const answer = createApi({
    world,
    database,
    seal,
    exchange,
    streams,
    limits,
    appUrl,
    login,
    signing: () => ({ keys: [playedKey], number: 0 }),
  }).callback()

  return {
    database,
    exchange,
    gateway,
    base,
    addSpace: spaceMaker({ database, world }, gatewayOf, gateway),
    async addSandbox() {
      const given = { name: 'Tests', plan: 'business', country: 'RO', timezone: 'Europe/Bucharest' } as const
      const { spaceId } = await createSandbox({ database, world }, given)
      const addKey = keyMaker({ database, world }, spaceId)
      return { spaceId, addKey, key: (await addKey()).key }
    },
    async stop() {
      streams.stop()
      exchange.stop()
      endpoint.stop()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await auditActivity(database).finally(() => database.close())
    },
  }
}
