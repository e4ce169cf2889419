// Open event streams of the cloud and of bare node:http: the memory of each, and the time until all have received an event.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
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

/** The memory of each stream in the server's process, in bytes. */
export interface StreamMemory {
  readonly streams: number
  readonly heapBytes: number
  readonly residentBytes: number
}

export interface StreamsFigures {
  /** Of the first streams, and of all. */
  readonly memory: readonly StreamMemory[]
  readonly openedPerS: number
  /** The time from the request with the change to the event at half of the streams, and at the last one, in milliseconds. */
  readonly halfMs: readonly number[]
  readonly lastMs: readonly number[]
}

/** A session has at most eight streams, and a user at most 120 requests a minute. */
const streamsOfSession = 8
const sessionsOfUser = 14
/** As with a mobile network, which has many guests behind few addresses. */
export const streamsOfAddress = 10
const openedAtOnce = 100
/** With so few streams their memory is measured first; as many were open and closed before. */
export const few = 100
const events = 5
/** Until the server has noticed that streams were closed. */
const settledMs = 1_000

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

/** A server of streams in a process of its own. */
interface Side {
  readonly file: string
  readonly args: readonly string[]
  /** The request that opens the stream at `place`. */
  request(place: number): string
  /** Causes one event. */
  change(port: number): Promise<Response>
}

const bare: Side = {
  file: 'streamFloor.ts',
  args: [],
  request: () => 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
  change: port => fetch(`http://127.0.0.1:${port}/`, { method: 'POST' }),
}

const ours = (dataFolder: string, { key, spaceId, tokens }: Tenant): Side => ({
  file: 'cloudProcess.ts',
  args: [dataFolder],
  request(place) {
    const token = tokens[Math.floor(place / streamsOfSession)] ?? ''
    return `GET /app/v1/spaces/${spaceId}/events HTTP/1.1\r\nHost: localhost\r\nCookie: sid=${token}\r\nSec-Fetch-Site: same-origin\r\n\r\n`
  },
  change(port) {
    const body = JSON.stringify({ name: `Gate ${nowMs()}`, phoneNumber: '+40722000099' })
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    return fetch(`http://127.0.0.1:${port}/api/v1/gates`, { method: 'POST', headers, body })
  },
})

async function answerOf(child: ChildProcess, question?: 'memory'): Promise<CloudMessage> {
  const answer = once(child, 'message')
  if (question) child.send(question)
  const [message] = (await answer) as [CloudMessage]
  return message
}

/** An open stream. `heard` is the number of events that have come. */
interface Stream {
  readonly socket: Socket
  heard: number
}

function openStream(
  port: number,
  given: { readonly request: string; readonly localAddress: string; readonly onEvent: () => void },
): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: given.localAddress })
    const stream: Stream = { socket, heard: 0 }
    socket.setEncoding('latin1')
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('a stream was closed')))
    socket.once('connect', () => socket.write(given.request))
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

/** Causes one event, and measures the time until every stream has it. */
async function tellAll(
  change: () => Promise<Response>,
  streams: number,
  wait: (onEvent: () => void) => void,
) {
  const times: number[] = []
  const all = new Promise<void>(resolve =>
    wait(() => {
      times.push(nowMs())
      if (times.length === streams) resolve()
    }),
  )
  const sinceMs = nowMs()
  const made = await change()
  if (made.status !== 201) throw new Error(await made.text())
  await all
  return { halfMs: percentile(times, 0.5) - sinceMs, lastMs: Math.max(...times) - sinceMs }
}

/** Opens the streams of one side, and sends some events to all. */
async function measureSide(side: Side, wanted: number, log: string): Promise<StreamsFigures> {
  const child = startProcess(side.file, side.args, { flags: ['--expose-gc'], log })
  const streams: Stream[] = []
  const close = async (some: readonly Stream[]) => {
    const closed = some.map(({ socket }) => once(socket.removeAllListeners('close').destroy(), 'close'))
    await Promise.all(closed)
  }
  try {
    const { port = 0 } = await answerOf(child)
    let onEvent = () => {}
    const open = (place: number) => {
      const group = Math.floor(place / streamsOfAddress)
      const localAddress = `127.${1 + Math.floor(group / 62_500)}.${Math.floor(group / 250) % 250}.${1 + (group % 250)}`
      return openStream(port, { request: side.request(place), localAddress, onEvent: () => onEvent() })
    }
    const openUntil = async (count: number, from = 0) => {
      while (streams.length < count) {
        const many = Math.min(openedAtOnce, count - streams.length)
        const first = from + streams.length
        streams.push(...(await Promise.all(Array.from({ length: many }, (_, place) => open(first + place)))))
      }
    }
    // By then the process has allocated everything that it allocates once. These have sessions of their own.
    await openUntil(few, wanted)
    await close(streams.splice(0))
    await pause(settledMs)
    const before = await answerOf(child, 'memory')
    const memory: StreamMemory[] = []
    const measure = async () => {
      const after = await answerOf(child, 'memory')
      const each = (name: 'residentBytes' | 'heapBytes') =>
        ((after[name] ?? Number.NaN) - (before[name] ?? Number.NaN)) / streams.length
      memory.push({
        streams: streams.length,
        heapBytes: each('heapBytes'),
        residentBytes: each('residentBytes'),
      })
    }
    await openUntil(few)
    await measure()
    const sinceMs = nowMs()
    await openUntil(wanted)
    const openedPerS = ((wanted - few) / (nowMs() - sinceMs)) * 1_000
    const told = []
    for (let round = 0; round < events; round++)
      told.push(
        await tellAll(
          () => side.change(port),
          wanted,
          then => {
            onEvent = then
          },
        ),
      )
    await measure()
    const [halfMs, lastMs] = [told.map(one => one.halfMs), told.map(one => one.lastMs)]
    return { memory, openedPerS, halfMs, lastMs }
  } finally {
    await close(streams)
    child.kill('SIGKILL')
  }
}

/**
 * Opens the given number of streams, more than 100, each from one of many loopback addresses: of one Space, and then of bare
 * node:http.
 */
export async function measureStreams(
  wanted: number,
): Promise<{ readonly ours: StreamsFigures; readonly bare: StreamsFigures }> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'callgate-streams-'))
  try {
    const tenant = await furnish(dataFolder, Math.ceil((wanted + few) / streamsOfSession))
    const log = join(dataFolder, 'cloud.log')
    const figures = await measureSide(ours(dataFolder, tenant), wanted, log)
    return { ours: figures, bare: await measureSide(bare, wanted, log) }
  } finally {
    await rm(dataFolder, { recursive: true, force: true })
  }
}
