// The places of event streams over all replicas: how many streams a credential and an address have.

import { idPrefix } from '@callgate/contract/idPrefix'
import { newId } from '@callgate/world/ids'
import type { Timer, World } from '@callgate/world/world'
import type { FullLimit, StreamPlace } from '../core/streamLimiter.ts'
import { type Database, type Db, databaseTrouble } from '../database/database.ts'
import { type SqlByTime, sqlByTime } from './sqlByTime.ts'

export type TakenPlace =
  | { readonly ok: true /** Called once, when the stream has ended. */; leave(): void }
  | { readonly ok: false; readonly full: FullLimit }

/** Counts the streams of all replicas. */
export interface StreamPlaces {
  take(place: StreamPlace): Promise<TakenPlace>
  /** Ends what runs by itself. */
  stop(): void
}

/** Locks the row of a name until the transaction ends, so that those of one name are counted one after the other. */
const lockSql = `
  insert into "streamLocks" ("name", "uses") values (?, 1)
  on conflict ("name") do update set "uses" = "streamLocks"."uses" + 1`

/** The streams of clouds that live. */
const countSql = (column: 'credential' | 'address') => `
  select count(*) as "streams" from "openStreams" join "clouds" on "clouds"."id" = "cloudId"
  where "${column}" = ? and "aliveUntilMs" > :now`

class Full extends Error {
  readonly limit: FullLimit
  constructor(limit: FullLimit) {
    super('full')
    this.limit = limit
  }
}

async function countOf(
  { time, tx }: { readonly time: SqlByTime; readonly tx: Db },
  column: 'credential' | 'address',
  name: string,
): Promise<number> {
  const [row] = await time.run(tx, countSql(column), [name])
  return Number((row as { streams: number }).streams)
}

/** From a failed deletion of places to the next, milliseconds. */
const againAfterMs = 5_000

/**
 * Places in the database. A cloud that dies leaves its places 15 s later. `perAddress`: streams of one address, as
 * `StreamLimits` has it.
 */
export function streamPlaces(
  parts: { readonly database: Database; readonly world: World; readonly isByWorld?: boolean },
  cloudId: string,
  perAddress: number,
): StreamPlaces {
  const { database, isByWorld, world } = parts
  const time = sqlByTime(world, isByWorld)

  async function insert(tx: Db, id: string, { address, credential, most }: StreamPlace): Promise<void> {
    const names = [`address ${address}`, `credential ${credential}`].sort()
    for (const name of names) await time.run(tx, lockSql, [name])
    if ((await countOf({ time, tx }, 'credential', credential)) >= most) throw new Full('credential')
    if ((await countOf({ time, tx }, 'address', address)) >= perAddress) throw new Full('address')
    await tx('openStreams').insert({ id, cloudId, credential, address })
  }

  /** Streams that have ended and are still counted. There are no more than streams. */
  const ended = new Set<string>()
  let timer: Timer | undefined
  let isStopped = false

  async function forget(ids: readonly string[]): Promise<void> {
    await database.write(tx => tx('openStreams').whereIn('id', ids).delete(), { spaceId: null })
    for (const id of ids) ended.delete(id)
  }

  function forgetLater(id: string): void {
    ended.add(id)
    if (isStopped) return
    timer ??= world.after(againAfterMs, () => {
      timer = undefined
      forgetNow([...ended])
    })
  }

  function forgetNow(ids: readonly string[]): void {
    forget(ids).catch((error: unknown) => {
      world.log.warn('streams that have ended are still counted', { why: String(error) })
      for (const id of ids) forgetLater(id)
    })
  }

  return {
    async take(place) {
      const id = newId(world, idPrefix.stream)
      try {
        await database.write(tx => insert(tx, id, place), { spaceId: null })
      } catch (error) {
        if (error instanceof Full) return { ok: false, full: error.limit }
        // It may have been committed. Where it is a trouble, it was not.
        if (databaseTrouble(error) === undefined) forgetLater(id)
        throw error
      }
      return { ok: true, leave: () => forgetNow([id]) }
    },
    stop() {
      isStopped = true
      timer?.cancel()
    },
  }
}

/** How long a cloud that stalled may come back to its places, milliseconds. */
const comesBackMs = 60_000

/** Forgets clouds that died, with their streams. Harmless when two do it at once. */
export async function sweepPlaces(database: Database, time: SqlByTime): Promise<void> {
  await time.run(database.knex, `delete from "clouds" where "aliveUntilMs" + ${comesBackMs} <= :now`, [])
  const dead = 'delete from "openStreams" where "cloudId" not in (select "id" from "clouds")'
  await time.run(database.knex, dead, [])
  const unused = `
    delete from "streamLocks" where "name" not in (
      select 'credential ' || "credential" from "openStreams" union all select 'address ' || "address" from "openStreams"
    )`
  await time.run(database.knex, unused, [])
}
