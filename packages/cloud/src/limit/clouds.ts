// The clouds that serve one database now, with the fingerprints of their keys, so that no cloud with other keys serves beside
// them.

import { idPrefix } from '@callgate/contract/idPrefix'
import { newId } from '@callgate/world/ids'
import { repeat } from '@callgate/world/repeat'
import type { World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import type { KeyFingerprints } from '../secrets/keyring.ts'
import { shareKey } from '../secrets/signingKeys.ts'
import { type SqlByTime, sqlByTime } from './sqlByTime.ts'

export interface Clouds {
  /** The id of this process among those that serve. */
  readonly id: string
  /** Leaves, and frees what this process held for others to see. */
  stop(): Promise<void>
}

export type Joined =
  | { readonly ok: true; readonly clouds: Clouds }
  | { readonly ok: false; readonly message: string }

/** The time after which a process without a sign of life counts as dead, milliseconds. */
export const aliveForMs = 15_000
const renewEveryMs = 5_000

const renewSql = `
  insert into "clouds" ("id", "signing", "sealing", "aliveUntilMs")
  select ?, ?, ?, "at" + ${aliveForMs} from (select :now as "at") as "clock" where true
  on conflict ("id") do update set "signing" = excluded."signing", "sealing" = excluded."sealing", "aliveUntilMs" = excluded."aliveUntilMs"`

const others = { signing: 'SIGNING_KEY_FILE', sealing: 'SEALING_KEYS_FILE' } as const
const words = { signing: 'another signing key', sealing: 'other sealing keys' } as const

/** Why this cloud may not serve beside the live ones; undefined where it may. */
async function refusal(
  { database, time }: { readonly database: Database; readonly time: SqlByTime },
  id: string,
  mine: KeyFingerprints,
): Promise<string | undefined> {
  const sql = 'select "signing", "sealing" from "clouds" where "id" <> ? and "aliveUntilMs" > :now'
  const living = (await time.run(database.knex, sql, [id])) as readonly KeyFingerprints[]
  for (const kind of ['signing', 'sealing'] as const) {
    const goesWith = { signing: shareKey, sealing: (one: string, other: string) => one === other }[kind]
    const other = living.find(one => !goesWith(one[kind], mine[kind]))
    if (other)
      return `Another cloud serves this database with ${words[kind]} (fingerprint ${other[kind]}; here it is ${mine[kind]}). Give all clouds the same file, by ${others[kind]} or in CALLGATE_DATA. A cloud that died is forgotten after ${aliveForMs / 1000} s.`
  }
  return undefined
}

/**
 * Joins the clouds that serve. It writes its own row before it reads the others, so that at least one of two clouds refuses which
 * start at once with different keys.
 */
export async function joinClouds(
  parts: { readonly database: Database; readonly world: World; readonly isByWorld?: boolean },
  mine: KeyFingerprints,
): Promise<Joined> {
  const { database, isByWorld, world } = parts
  const time = sqlByTime(world, isByWorld)
  const id = newId(world, idPrefix.cloud)
  const renew = () => time.run(database.knex, renewSql, [id, mine.signing, mine.sealing])
  async function leave(): Promise<void> {
    await database.write(
      async tx => {
        await tx('openStreams').where({ cloudId: id }).delete()
        await tx('clouds').where({ id }).delete()
      },
      { spaceId: null },
    )
  }
  await renew()
  const message = await refusal({ database, time }, id, mine)
  if (message !== undefined) {
    await leave()
    return { ok: false, message }
  }
  const stopRenewing = repeat(
    world,
    renewEveryMs,
    async () => void (await renew()),
    why => world.log.warn('this cloud was not noted', { why }),
  )
  const stop = () => {
    void stopRenewing()
    return leave().catch((error: unknown) =>
      world.log.debug('this cloud is still noted', { why: String(error) }),
    )
  }
  return { ok: true, clouds: { id, stop } }
}

/** How many live clouds have keys of this kind with another fingerprint. None, where one cloud serves alone. */
export async function cloudsWithOtherKeys(
  { db, isByWorld, world }: { readonly db: Db; readonly world: World; readonly isByWorld?: boolean },
  kind: keyof KeyFingerprints,
  fingerprint: string,
): Promise<number> {
  const sql = `select count(*) as "clouds" from "clouds" where "${kind}" <> ? and "aliveUntilMs" > :now`
  const [row] = await sqlByTime(world, isByWorld).run(db, sql, [fingerprint])
  return Number((row as { clouds: number }).clouds)
}
