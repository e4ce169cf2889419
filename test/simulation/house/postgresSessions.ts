// The sessions of one simulated cloud on a real Postgres: each statement is a step of the cloud's life and uses its connection.

import type { Database } from '@callgate/cloud/database/database'
import { pooled } from '@callgate/cloud/database/postgres'
import type { Session } from '@callgate/cloud/database/postgresSession'
import type { FakeWorld } from '@callgate/world/fake'
import { isoTime } from '@callgate/world/world'
import type { DatabaseWay } from './databaseWay.ts'
import { type Life, never } from './life.ts'
import type { Slowness } from './slowness.ts'
import { longestIdleMs, type SpaceLock } from './spaceLock.ts'

/** What the sessions of all clouds share. */
export interface Server {
  readonly world: FakeWorld
  readonly url: string
  /** The lock of the one Space, held while a cloud is stopped in the middle of a transaction. */
  readonly lock: SpaceLock
  readonly slowness: Slowness
  /** The clock of the server, milliseconds since the epoch. */
  nowMs(): number
  /** The current work of the server. The simulation's time stops during it. */
  readonly working: Set<object>
  /** Transactions that are about to begin: they may wait for another one, whose cloud is stopped. */
  readonly beginning: Set<object>
}

/** A session with its transaction. */
interface Own {
  readonly session: Session
  /** Undefined: no transaction. */
  open: { readonly isOfSpace: boolean } | undefined
}

interface SqlQuery {
  readonly text: string
}

const textOf = (asked: unknown) => (typeof asked === 'string' ? asked : (asked as SqlQuery).text)
/** `postgresTransactions.ts` takes the exclusive locks when it begins; shared locks do not count here. */
const locksSpace = (text: string) => text.includes('pg_advisory_xact_lock(')

/** The connection breaks, and the server rolls back. */
function breakOff({ session }: Own): void {
  // Its types do not name the socket.
  const { connection } = session as unknown as {
    readonly connection: { readonly stream: { destroy(): void } }
  }
  connection.stream.destroy()
}

/** The server works on this, and time stops. */
async function during<T>(set: Set<object>, work: () => Promise<T>): Promise<T> {
  const own = {}
  set.add(own)
  try {
    return await work()
  } finally {
    set.delete(own)
  }
}

/** Resolves when the process can continue. The server ends a transaction that waits too long for that. */
async function goOn({ lock, world }: Server, life: Life, own: Own): Promise<void> {
  if (!life.machine.isStalled() && !life.isPaused()) return
  const { open } = own
  const sinceMs = world.monotonicMs()
  const held = open?.isOfSpace ? lock.hold() : undefined
  const idle = open && world.after(longestIdleMs, () => breakOff(own))
  await new Promise<void>(resolve => life.enter(resolve))
  held?.release()
  idle?.cancel()
  if (!open || world.monotonicMs() - sinceMs < longestIdleMs) return
  throw Object.assign(new Error('the transaction was idle for too long'), { code: '25P03' })
}

/** The server takes some time for one statement, and keeps the locks of the transaction. */
async function takeTime({ lock, slowness }: Server, { open }: Own): Promise<void> {
  if (!slowness.isOn()) return
  const held = open?.isOfSpace ? lock.hold() : undefined
  await slowness.pause()
  held?.release()
}

type Send = (text: unknown, ...values: readonly unknown[]) => Promise<unknown>

/** Sends a statement, inside or outside of a transaction, as the life and its connection allow. */
async function ask(server: Server, life: Life, way: DatabaseWay, own: Own, asked: unknown, send: Send) {
  const { beginning, lock, nowMs, working, world } = server
  const text = textOf(asked)
  const isBegin = text.startsWith('begin')
  const isCommit = text === 'commit'
  if (isBegin && locksSpace(text)) while (lock.isHeld()) await lock.whenFree()
  if (life.isDead()) return never()
  const isHeard = !isCommit || way.hearsCommit()
  if (!isCommit) way.pass()
  const at = `set house.ms = '${world.monotonicMs()}'`
  if (isBegin) {
    const facts = `set house.now_ms = '${nowMs()}'; set house.now = '${isoTime(nowMs())}'; ${at}`
    const begun = await during(beginning, () => send(`${facts}; ${text}`))
    own.open = { isOfSpace: locksSpace(text) }
    return begun
  }
  const answer = await during(working, () => (isCommit ? send(`${at}; ${text}`) : send(asked)))
  if (isCommit || text === 'rollback') own.open = undefined
  if (!isHeard) throw Object.assign(new Error('the connection is lost'), { code: 'ECONNRESET' })
  return Array.isArray(answer) && isCommit ? answer.at(-1) : answer
}

/** Assigns the session to that life. */
function take(server: Server, life: Life, way: DatabaseWay, session: Session): Own {
  const own: Own = { session, open: undefined }
  const query = session.query.bind(session) as unknown as Send
  const emit = session.emit.bind(session) as (...told: readonly unknown[]) => boolean

  /** What was sent before. The server answers in this order, and nothing is sent before the answer to that. */
  let before: Promise<unknown> = Promise.resolve()
  function run(asked: unknown, ...values: readonly unknown[]): Promise<unknown> {
    const answer = before.then(() => runNow(asked, ...values))
    before = answer.catch(() => {})
    return answer
  }

  async function runNow(asked: unknown, ...values: readonly unknown[]): Promise<unknown> {
    if (!life.step()) return never()
    await goOn(server, life, own)
    await takeTime(server, own)
    const answer = await ask(server, life, way, own, asked, text => query(text, ...values)).then(
      value => ({ value }),
      (error: unknown) => ({ error }),
    )
    await goOn(server, life, own)
    if (life.isDead()) return never()
    if ('error' in answer) throw answer.error
    return answer.value
  }

  type Answer = (error: unknown, result?: unknown) => void
  Object.assign(session, {
    query(asked: unknown, ...rest: readonly unknown[]) {
      const last = rest.at(-1)
      if (typeof last !== 'function') return run(asked, ...rest)
      const answer = last as Answer
      run(asked, ...rest.slice(0, -1)).then(
        result => answer(null, result),
        (error: unknown) => answer(error),
      )
    },
    // News of other clouds reach it like any event from outside.
    emit(name: unknown, ...told: readonly unknown[]) {
      if (name !== 'notification') return emit(name, ...told)
      life.enter(() => emit(name, ...told))
      return true
    },
  })
  return own
}

/** knex of one run of a cloud, with a pool of its own. When the cloud dies, its connections break. */
export function sessionsOf(
  server: Server,
  life: Life,
  way: DatabaseWay,
): (connections: number) => Database['knex'] {
  const owned = new Set<Own>()
  life.onDeath(() => {
    for (const own of owned) breakOff(own)
  })
  return connections => {
    const knex = pooled(server.url, connections)
    const { client } = knex
    const connect = client.acquireRawConnection.bind(client)
    client.acquireRawConnection = async () => {
      way.pass()
      const session: Session = await during(server.working, connect)
      const own = take(server, life, way, session)
      owned.add(own)
      session.once('end', () => owned.delete(own))
      if (life.isDead()) breakOff(own)
      return session
    }
    return knex
  }
}
