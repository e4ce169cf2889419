// Data that other programs have restored, such as a dump of Postgres: marked as `restore` marks its own.

import type { World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import { keyAt } from '../history/proofKeys.ts'
import { lastRestore } from '../restore/restores.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { verifyFile, verifySeals } from '../verify/verify.ts'
import { forgetClouds, markRestored } from './markRestored.ts'

export interface Marked {
  readonly ok: true
  /** The newest time in the data. */
  readonly takenAt: string
  readonly endedOpenings: number
  readonly givenUpMails: number
  /** Whether the data has the signing key as its last one; false after a replacement since. */
  readonly isKnownKey: boolean
}

type Refusal = { readonly ok: false; readonly message: string }
const refuse = (message: string): Refusal => ({ ok: false, message })

/** SQL of the newest time in a table of all Spaces. Each Space has its own index, so no history is read. */
export const newestIn = (table: 'activity' | 'openings', column: string) =>
  `(select max("at") from (select (select "${column}" from "${table}" t where t."spaceId" = s."id" order by "${column}" desc limit 1) as "at" from "spaces" s) as n)`

/** The newest press, change or beat. */
async function newestTime(db: Db): Promise<string> {
  const [row] = await db
    .from(db.raw('(select 1) as one'))
    .select(
      db.raw(`${newestIn('openings', 'calledAt')} as openings`),
      db.raw(`${newestIn('activity', 'timestamp')} as activity`),
      db.raw(`(select max("lastBeatAt") from "gateways") as beats`),
      db.raw(`(select max("createdAt") from "spaces") as spaces`),
    )
  return Object.values<string | null>(row).reduce<string>(
    (last, at) => (at !== null && at > last ? at : last),
    '',
  )
}

async function mark(
  { database, world }: RestoredParts,
  { seal, signing }: Keyring,
): Promise<Marked | Refusal> {
  const { knex } = database
  const last = await lastRestore(knex)
  if (last && last.confirmedAt === null)
    return refuse(
      'The data is marked as restored already. Start "callgate serve", then "callgate confirm-restore".',
    )
  const [broken] = await verifyFile(knex)
  if (broken)
    return refuse(`The data is damaged: ${broken.rule}: ${broken.id}: ${broken.what}. Nothing was changed.`)
  const [sealed] = await verifySeals(knex, seal)
  if (sealed)
    return refuse(
      `The sealing keys do not belong to this data: ${sealed.id}: ${sealed.what}. Put the keys in place that were backed up with it. Nothing was changed.`,
    )
  const takenAt = await newestTime(knex)
  const lastKey = await keyAt(knex, takenAt)
  const { keys, number } = signing()
  const isRotated = number > Date.parse(takenAt)
  const isKnownKey = lastKey === undefined || isRotated || keys.some(({ keyId }) => keyId === lastKey)
  const marked = await database.write(async tx => {
    await forgetClouds(tx)
    return markRestored(tx, world, takenAt)
  })
  return { ok: true, takenAt, isKnownKey, ...marked }
}

interface RestoredParts {
  readonly database: Database
  readonly world: World
}

/**
 * Marks the data. Guests and keys stay locked out until the operator confirms. While a cloud serves, it refuses and changes
 * nothing.
 */
export async function markAsRestored(parts: RestoredParts, keyring: Keyring): Promise<Marked | Refusal> {
  const lock = await parts.database.lock('alone')
  if (!lock) return refuse('A cloud serves the data. Stop every cloud, and say it then.')
  try {
    return await mark(parts, keyring)
  } finally {
    await lock.release()
  }
}
