// Servers of the benchmark of lists, each in a process of its own, and their client.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { type Agent, request as httpRequest } from 'node:http'
import type { Database } from '@callgate/cloud/database/database'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { createSpace } from '@callgate/cloud/space/spaces'
import { callProfile } from '@callgate/contract/call/callProfile'
import { scopeNames } from '@callgate/contract/rest/scope'
import { newId } from '@callgate/world/ids'
import type { World } from '@callgate/world/world'
import type { ServerKind, ServerMessage } from './restServer.ts'

/** A server whose processor time is measured without that of the client. */
export interface Server {
  readonly port: number
  /** Microseconds of processor time that it has used so far. */
  usedUs(): Promise<number>
  stop(): Promise<void>
}

async function nextMessage(child: ChildProcess): Promise<ServerMessage> {
  const [message] = (await once(child, 'message')) as [ServerMessage]
  return message
}

/** The sealing keys of the measured servers. */
export const benchSeal: ReadonlyMap<number, Uint8Array> = new Map([[1, new Uint8Array(32).fill(7)]])

/** Serves the database in `file`, or behind `url`. The log goes to a file beside `file`, as on a real machine. */
export async function serve(kind: ServerKind, file: string, url = file): Promise<Server> {
  const log = await open(`${file}.log`, 'a')
  const child = fork(new URL('restServer.ts', import.meta.url), [kind, url], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', log.fd, 'ipc'],
  })
  const { port = 0 } = await nextMessage(child)
  return {
    port,
    async usedUs() {
      child.send('used')
      return (await nextMessage(child)).usedUs ?? Number.NaN
    },
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
      await log.close()
    },
  }
}

export type Ask = (path: string, body?: string) => Promise<string>

/**
 * Sends requests with a key, or with the headers of a browser, over connections that stay open; with a body it posts. With
 * `zipped` the answers may come compressed, and are not decompressed.
 */
export function requester(
  { port }: Pick<Server, 'port'>,
  asking: string | Readonly<Record<string, string>>,
  agent: Agent,
  zipped = false,
): Ask {
  const own = typeof asking === 'string' ? { authorization: `Bearer ${asking}` } : asking
  return (path, body) =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      const headers = {
        ...own,
        ...(zipped && { 'accept-encoding': 'gzip' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }
      const asked = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent }, response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', chunk => {
          text += chunk
        })
        response.on('end', () =>
          (response.statusCode ?? 500) < 300 ? resolve(text) : reject(new Error(text)),
        )
      })
      asked.on('error', reject)
      asked.end(body)
    })
}

export interface Tenant {
  readonly spaceId: string
  readonly key: string
  readonly gateId: string
}

/** A Space with a key and the given number of gates. */
export async function furnish(world: World, database: Database, gates: number): Promise<Tenant> {
  const home = { country: 'RO', timezone: 'Europe/Bucharest' }
  const { spaceId } = await createSpace({ database, world }, { name: 'Bench', plan: 'business', ...home })
  const key = await createApiKey(
    { database, world },
    { spaceId, name: 'bench', scopes: scopeNames, expiresAt: null, actor: 'bench' },
  )
  if (!key) throw new Error('no key')
  const rows = Array.from({ length: gates }, (_, place) => ({
    id: newId(world, 'gate'),
    spaceId,
    name: `Gate ${place}`,
    phoneNumber: `+407220${10_000 + place}`,
    location: 'North',
    isActive: true,
    createdAt: new Date(1_700_000_000_000 + place).toISOString(),
    callProfile: JSON.stringify(callProfile({ mode: 'unverified' })),
  }))
  await database.knex.batchInsert('gates', rows, 20)
  return { spaceId, key: key.key, gateId: rows[0]?.id ?? '' }
}
