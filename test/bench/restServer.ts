// One server of the REST benchmark as a process of its own: ours, or the floor that GET /gates is compared with.

import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApi } from '@callgate/cloud/api'
import { openDatabase } from '@callgate/cloud/database/database'
import { createEventStreams } from '@callgate/cloud/event/eventStreams'
import { createExchange } from '@callgate/cloud/opening/exchange'
import { playedDoor } from '@callgate/cloud/opening/gatewayDoor.kit'
import { createSeal } from '@callgate/cloud/secrets/sealing'
import { signingKey } from '@callgate/contract/wire/signature'
import { realWorld } from '@callgate/world/real'
import type { World } from '@callgate/world/world'
import openSqlite from 'better-sqlite3'

/** What the server sends to the benchmark: the port once, and its processor time so far whenever it is asked for. */
export interface ServerMessage {
  readonly port?: number
  /** Microseconds, user and system. */
  readonly usedUs?: number
}

/** A world whose clock runs 10,000 times as fast, so that the rate limits do not slow the benchmark down. */
function fastWorld(): World {
  const world = realWorld({ logLevel: 'info' })
  return { ...world, monotonicMs: () => world.monotonicMs() * 10_000 }
}

async function ours(file: string): Promise<RequestListener> {
  const world = fastWorld()
  const database = await openDatabase({ url: file })
  const seal = createSeal(world, new Map([[1, new Uint8Array(32).fill(7)]]))
  const appUrl = 'http://localhost'
  // Nothing is opened here.
  const exchange = createExchange({ world, database, door: playedDoor() })
  const streams = createEventStreams({ world, database })
  const cloudKey = signingKey(new Uint8Array(32).fill(9))
  const login = () => ({ mqttUrl: 'mqtt://localhost:1883', cloudKeys: [], hasOwnBroker: false })
  return createApi({
    world,
    database,
    seal,
    exchange,
    streams,
    appUrl,
    login,
    signingKey: cloudKey,
  }).callback()
}

/** The floor of GET /gates: the key looked up by its hash, the gates of its Space, and nothing else. */
function bare(file: string): RequestListener {
  const database = openSqlite(file, { readonly: true })
  const findKey = database.prepare(
    `select key.id, key.spaceId, key.scopes, key.revokedAt, key.expiresAt, space.plan from apiKeys as key
     join spaces as space on space.id = key.spaceId where key.keyHash = ?`,
  )
  const listGates = database.prepare(
    `select id, name, phoneNumber, location, description, isActive, openCount, lastOpenedAt, createdAt
     from gates where spaceId = ? order by createdAt, id`,
  )
  return (request, response) => {
    const key = request.headers.authorization?.slice('Bearer '.length) ?? ''
    const found = findKey.get(createHash('sha256').update(key).digest('hex')) as { spaceId: string }
    const body = JSON.stringify({ gates: listGates.all(found.spaceId) })
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    response.writeHead(200, headers).end(body)
  }
}

const send = (message: ServerMessage) => process.send?.(message)
const [kind, file = ''] = process.argv.slice(2)
const server = createServer(kind === 'bare' ? bare(file) : await ours(file))
server.listen(0, '127.0.0.1', () => send({ port: (server.address() as AddressInfo).port }))
process.on('message', () => {
  const { system, user } = process.cpuUsage()
  send({ usedUs: user + system })
})
// The command has ended.
process.on('disconnect', () => process.exit(0))
