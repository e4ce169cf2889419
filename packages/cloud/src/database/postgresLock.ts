// The lock of the servers on one Postgres: a session that lives as long as the cloud, and is opened again when it is lost.

import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { ServingLock } from './database.ts'
import type { Session } from './postgresSession.ts'

/** No write uses this number: see `postgresTransactions.ts`. */
const serving = 2
/** From a lost session to the next attempt, milliseconds. */
const againAfterMs = 1_000

// Nobody serves data that was moved away, also not a cloud that could not reach it meanwhile: see `moveMarks.ts`.
const isOurs = `to_regclass('"movedTo"') is null`
const askSql = {
  alone: `select pg_try_advisory_lock(${serving}) and ${isOurs} as held`,
  shared: `select pg_try_advisory_lock_shared(${serving}) and ${isOurs} as held`,
} as const

async function take(session: Session, how: keyof typeof askSql): Promise<boolean> {
  const { rows } = await session.query(askSql[how])
  return Boolean(rows[0]?.held)
}

/**
 * Takes the lock on a session of its own; undefined when others have it. A server that stops loses it at once. When the session
 * is lost, it is taken again as soon as the database answers; if others have it by then, `onLost` is called.
 */
export async function lockPostgres(
  knex: Knex,
  how: keyof typeof askSql,
  world: Pick<World, 'after' | 'log'> | undefined,
): Promise<ServingLock | undefined> {
  let session: Session | undefined
  let isReleased = false
  let tellLost = () => {}

  async function connect(): Promise<boolean> {
    const mine: Session = await knex.client.acquireRawConnection()
    let isOver = false
    const lost = () => {
      if (isOver) return
      isOver = true
      again()
    }
    mine.on('error', lost)
    mine.on('end', lost)
    const isHeld = await take(mine, how).catch(async (error: unknown) => {
      isOver = true
      await mine.end().catch(() => {})
      throw error
    })
    if (isHeld && !isReleased) session = mine
    else {
      isOver = true
      await mine.end()
    }
    return isHeld
  }

  function again(): void {
    if (isReleased) return
    // One warning for an outage.
    if (session) world?.log.warn('the lock of the servers was lost with its connection', { how })
    session = undefined
    world?.after(againAfterMs, () => {
      connect().then(
        isHeld => !isHeld && tellLost(),
        () => again(),
      )
    })
  }

  if (!(await connect())) return undefined
  return {
    async release() {
      isReleased = true
      await session?.end()
    },
    onLost(then) {
      tellLost = then
    },
  }
}
