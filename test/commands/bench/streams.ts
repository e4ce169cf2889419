// Open event streams: the memory of each, and the time until all have received an event.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { createSpace } from '@callgate/cloud/space/spaces'
import { beginSession } from '@callgate/cloud/user/sessions'
import { insertUser } from '@callgate/cloud/user/users'
import { scopeNames } from '@callgate/contract/rest/scope'
import { realWorld } from '@callgate/world/real'
import { isoTime } from '@callgate/world/world'
import type { CloudMessage } from './cloudProcess.ts'
import { percentile } from './figures.ts'
import { startProcess } from './fleet.ts'

export interface StreamsFigures {
  readonly streams: number
  /** The number of addresses of this machine from which they come. */
  readonly addresses: number
  readonly openedPerS: number
  /** The memory of each in the server's process, in bytes. */
  readonly residentBytes: number
  readonly heapBytes: number
  /** The time from the request with the change to the event at half of the streams, and at the last one, in milliseconds. */
  readonly halfMs: readonly number[]
  readonly lastMs: readonly number[]
}

/** A session has at most eight streams, and a user at most 120 requests a minute. */
const streamsOfSession = 8
const sessionsOfUser = 14
/** As with a mobile network, which has many guests behind few addresses. */
const streamsOfAddress = 10
const openedAtOnce = 100
const events = 5

const nowMs = () => Number(process.hrtime.bigint()) / 1e6

interface Tenant {
  readonly spaceId: string
  readonly key: string
  /** The secrets of the sessions. */
  readonly tokens: readonly string[]
}

async function furnish(dataFolder: string, sessions: number): Promise<Tenant> {
  const world = realWorld({ logLevel: 'silent' })
  const database = await openDatabase({ url: join(dataFolder, 'callgate.sqlite') })
  await migrate(database)
  const place = { plan: 'business', country: 'RO', timezone: 'Europe/Bucharest' } as const
  const { spaceId } = await createSpace({ database, world }, { name: 'Bench', ...place })
  const given = { spaceId, name: 'Bench', scopes: scopeNames, expiresAt: null, actor: 'operator' }
  const key = (await createApiKey({ database, world }, given))?.key ?? ''
  const tokens = await database.write(async tx => {
    const made: string[] = []
    while (made.length < sessions) {
      const email = `admin${made.length}@example.com`
      const user = await insertUser(tx, world, { email, name: 'Admin', language: 'en', passwordHash: null })
      if (!user) throw new Error('the user is there already')
      const createdAt = isoTime(world.nowMs())
      await tx('userRoles').insert({ userId: user.id, spaceId, role: 'admin', memberId: null, createdAt })
      for (let session = 0; session < sessionsOfUser && made.length < sessions; session++)
        made.push((await beginSession(tx, world, { userId: user.id, userAgent: 'bench' })).token)
    }
    return made
  })
  await database.close()
  return { spaceId, key, tokens }
}

async function nextMessage(child: ChildProcess): Promise<CloudMessage> {
  const [message] = (await once(child, 'message')) as [CloudMessage]
  return message
}

async function memoryOf(child: ChildProcess): Promise<CloudMessage> {
  child.send('memory')
  return nextMessage(child)
}

/** An open stream. `heard` is the number of events that have come. */
interface Stream {
  readonly socket: Socket
  heard: number
}

function openStream(
  port: number,
  { spaceId }: Tenant,
  given: { readonly token: string; readonly address: string; readonly onEvent: () => void },
): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: given.address })
    const stream: Stream = { socket, heard: 0 }
    const request = `GET /app/v1/spaces/${spaceId}/events HTTP/1.1\r\nHost: localhost\r\nCookie: sid=${given.token}\r\nSec-Fetch-Site: same-origin\r\n\r\n`
    socket.setEncoding('latin1')
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('a stream was closed')))
    socket.once('connect', () => socket.write(request))
    socket.on('data', text => {
      if (
        stream.heard === 0 &&
        String(text).startsWith('HTTP/1.1 ') &&
        !String(text).startsWith('HTTP/1.1 200')
      )
        return reject(new Error(String(text).slice(0, 400)))
      const ids = String(text).match(/^id: /gm)?.length ?? 0
      if (ids === 0) return
      const isFirst = stream.heard === 0
      stream.heard += ids
      if (isFirst) resolve(stream)
      else given.onEvent()
    })
  })
}

/** Changes the Space once, and measures the time until every stream has the event. */
async function tellAll(port: number, { key }: Tenant, streams: number, wait: (onEvent: () => void) => void) {
  const times: number[] = []
  const all = new Promise<void>(resolve =>
    wait(() => {
      times.push(nowMs())
      if (times.length === streams) resolve()
    }),
  )
  const sinceMs = nowMs()
  const body = JSON.stringify({ name: `Gate ${sinceMs}`, phoneNumber: '+40722000099' })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const made = await fetch(`http://127.0.0.1:${port}/api/v1/gates`, { method: 'POST', headers, body })
  if (made.status !== 201) throw new Error(await made.text())
  await all
  return { halfMs: percentile(times, 0.5) - sinceMs, lastMs: Math.max(...times) - sinceMs }
}

/** Opens the given number of streams of one Space, each from one of many loopback addresses, and sends some events to all. */
export async function measureStreams(wanted: number): Promise<StreamsFigures> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'callgate-streams-'))
  const tenant = await furnish(dataFolder, Math.ceil(wanted / streamsOfSession))
  const log = join(dataFolder, 'cloud.log')
  const child = startProcess('cloudProcess.ts', [dataFolder], { flags: ['--expose-gc'], log })
  const streams: Stream[] = []
  try {
    const { port = 0 } = await nextMessage(child)
    let onEvent = () => {}
    const open = (place: number) => {
      const group = Math.floor(place / streamsOfAddress)
      const address = `127.${1 + Math.floor(group / 62_500)}.${Math.floor(group / 250) % 250}.${1 + (group % 250)}`
      const token = tenant.tokens[Math.floor(place / streamsOfSession)] ?? ''
      return openStream(port, tenant, { token, address, onEvent: () => onEvent() })
    }
    const openUntil = async (count: number) => {
      while (streams.length < count) {
        const many = Math.min(openedAtOnce, count - streams.length)
        const first = streams.length
        streams.push(...(await Promise.all(Array.from({ length: many }, (_, place) => open(first + place)))))
      }
    }
    // By then the process has allocated everything that it allocates once.
    const warm = Math.floor(wanted / 5)
    await openUntil(warm)
    const before = await memoryOf(child)
    const sinceMs = nowMs()
    await openUntil(wanted)
    const openedPerS = ((wanted - warm) / (nowMs() - sinceMs)) * 1_000
    const told = []
    for (let round = 0; round < events; round++)
      told.push(
        await tellAll(port, tenant, wanted, then => {
          onEvent = then
        }),
      )
    const after = await memoryOf(child)
    const each = (name: 'residentBytes' | 'heapBytes') =>
      ((after[name] ?? 0) - (before[name] ?? 0)) / (wanted - warm)
    return {
      streams: wanted,
      addresses: Math.ceil(wanted / streamsOfAddress),
      openedPerS,
      residentBytes: each('residentBytes'),
      heapBytes: each('heapBytes'),
      halfMs: told.map(({ halfMs }) => halfMs),
      lastMs: told.map(({ lastMs }) => lastMs),
    }
  } finally {
    for (const { socket } of streams) socket.removeAllListeners('close').destroy()
    child.kill('SIGKILL')
    await rm(dataFolder, { recursive: true, force: true })
  }
}
