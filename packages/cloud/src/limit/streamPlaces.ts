// The number of event streams over all replicas, by credential and by address.

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
  /** Ends all background work. */
  stop(): void
}

/** Locks the row of a name until the transaction ends, so that streams of one name are counted one after the other. */
const lockSql = `
  insert into "streamLocks" ("name", "uses") values (?, 1)
  on conflict ("name") do update set "uses" = "streamLocks"."uses" + 1`

/** The streams of live clouds. */
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

/** The pause between a failed deletion of places and the next try, milliseconds. */
const againAfterMs = 5_000

/**
 * Places in the database. The places of a cloud that dies are freed 15 s later. `perAddress`: the most streams of one address, as
 * in `StreamLimits`.
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

  /** Streams that have ended but are still counted. Their number is limited by that of the streams. */
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
        // It may have been committed. A known trouble of the database means that it was not.
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

/** How long a stalled cloud may return to its places, milliseconds. */
const comesBackMs = 60_000

/** Deletes clouds that died, with their streams. Two sweeps at once do no harm. */
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
