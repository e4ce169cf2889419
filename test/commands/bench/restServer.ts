// One server of the REST benchmark as a process of its own: ours, or one with which GET /gates is compared.

import { createHash } from 'node:crypto'
import {
  createServer,
  type Server as HttpServer,
  type IncomingHttpHeaders,
  type RequestListener,
} from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { createApi } from '@callgate/cloud/api'
import { noteDrift } from '@callgate/cloud/calibration/profileDoubts'
import { openData } from '@callgate/cloud/database/openData'
import { createEventStreams } from '@callgate/cloud/event/eventStreams'
import { createHttpServer } from '@callgate/cloud/http/server'
import { limitsInMemory } from '@callgate/cloud/limit/limits'
import { createExchange } from '@callgate/cloud/opening/exchange'
import { playedEndpoint, playedKey } from '@callgate/cloud/opening/gatewayEndpoint.kit'
import { createSeal } from '@callgate/cloud/secrets/sealing'
import { realWorld } from '@callgate/world/real'
import type { World } from '@callgate/world/world'
import openSqlite from 'better-sqlite3'
import { floor } from './gateFloor.ts'
import { benchSeal } from './served.ts'

/** The messages of the server to the benchmark: the port once, and its processor time so far on each request. */
export interface ServerMessage {
  readonly port?: number
  /** Microseconds, user and system. */
  readonly usedUs?: number
}

/** A world whose clock runs 10,000 times as fast, only because of the rate limits, which would slow the benchmark down. */
function fastWorld(world: World): World {
  return { ...world, monotonicMs: () => world.monotonicMs() * 10_000 }
}

async function ours(url: string): Promise<HttpServer> {
  const world = realWorld({ logLevel: 'info' })
  const database = await openData({ url, world, patience: { world, withinMs: 2_000 } })
  const seal = createSeal(world, benchSeal)
  const appUrl = 'http://localhost'
  // Nothing is opened here.
  const exchange = createExchange({ noteDrift, world, database, endpoint: playedEndpoint() })
  const streams = createEventStreams({ world, database })
  const login = () => ({ mqttUrl: 'mqtt://localhost:1883', cloudKeys: [], hasOwnBroker: false })
  const api = createApi({
    world,
    database,
    seal,
    exchange,
    streams,
    limits: limitsInMemory(fastWorld(world)),
    appUrl,
    login,
    signing: () => ({ keys: [playedKey], number: 0 }),
  })
  return createHttpServer(world, api.callback())
}

/** Looks up the key by its hash, then the gates of its Space. */
function gatesByKey(file: string): (key: string) => object {
  const database = openSqlite(file, { readonly: true })
  const findKey = database.prepare(
    `select key.id, key.spaceId, key.scopes, key.revokedAt, key.expiresAt, space.plan from apiKeys as key
     join spaces as space on space.id = key.spaceId where key.keyHash = ?`,
  )
  const listGates = database.prepare(
    `select id, name, phoneNumber, location, description, isActive, openCount, lastOpenedAt, createdAt
     from gates where spaceId = ? order by createdAt, id`,
  )
  return key => {
    const found = findKey.get(createHash('sha256').update(key).digest('hex')) as { spaceId: string }
    return { gates: listGates.all(found.spaceId) }
  }
}

const keyOf = (authorization = '') => authorization.slice('Bearer '.length)

/** The baseline of GET /gates: the statements and nothing else. */
function bare(file: string): RequestListener {
  const read = gatesByKey(file)
  return (request, response) => {
    const body = JSON.stringify(read(keyOf(request.headers.authorization)))
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    response.writeHead(200, headers).end(body)
  }
}

/** The modules that `gateList.ts` has installed. The compiler does not know them. */
async function other(name: string): Promise<unknown> {
  const { resolve } = createRequire(new URL('others/package.json', import.meta.url))
  const loaded = (await import(pathToFileURL(resolve(name)).href)) as { readonly default: unknown }
  return loaded.default
}

interface Fastify {
  get(path: string, handle: (request: { headers: IncomingHttpHeaders }) => Promise<object>): void
  ready(): Promise<void>
  readonly server: HttpServer
}

async function fastify(file: string): Promise<HttpServer> {
  const create = (await other('fastify')) as () => Fastify
  const app = create()
  const read = gatesByKey(file)
  app.get('/gates', async ({ headers }) => read(keyOf(headers.authorization)))
  await app.ready()
  return app.server
}

interface JsonServer {
  create(): RequestListener & { use(layer: unknown): void }
  router(content: object): unknown
}

/** It holds the gates in memory and asks for no key. */
async function jsonServer(file: string): Promise<HttpServer> {
  const { create, router } = (await other('json-server')) as JsonServer
  const database = openSqlite(file, { readonly: true })
  const gates = database
    .prepare(
      'select id, name, phoneNumber, location, description, isActive, openCount, lastOpenedAt, createdAt from gates',
    )
    .all()
  database.close()
  const app = create()
  app.use(router({ gates }))
  return createServer(app)
}

const servers = {
  ours,
  bare: async (file: string) => createServer(bare(file)),
  floor: async (file: string) => createServer(floor(file)),
  fastify,
  'json-server': jsonServer,
}
export type ServerKind = keyof typeof servers

const send = (message: ServerMessage) => process.send?.(message)
const [kind = 'ours', file = ''] = process.argv.slice(2)
const server = await servers[kind as ServerKind](file)
server.listen(0, '127.0.0.1', () => send({ port: (server.address() as AddressInfo).port }))
process.on('message', () => {
  const { system, user } = process.cpuUsage()
  send({ usedUs: user + system })
})
// The command has ended.
process.on('disconnect', () => process.exit(0))
