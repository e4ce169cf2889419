// Countries whose numbers the gates of a Space may have: the usual ones, or a list of its own.

import type { World } from '@callgate/world/world'
import { actorWithoutId, changesOf, recordActivity } from '../activity/activity.ts'
import type { Database, Db } from '../database/database.ts'
import { keepOwn } from '../space/plans.ts'

/** The EEA, GB, CH, US and CA: gate SIMs are often foreign (decisions.md, row `phoneNumber`). */
export const usualCountries: readonly string[] =
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK US CA'.split(
    ' ',
  )

/** The Space's own list, ISO 3166 codes; null where the usual list applies. */
export async function readOwnCountries(db: Db, spaceId: string): Promise<string[] | null> {
  const row = await db('spaceLimits').where({ spaceId }).first('allowedCountries')
  return row?.allowedCountries ? (JSON.parse(row.allowedCountries) as string[]) : null
}

/** Gives the Space a list of its own; null gives it the usual list again. */
export async function writeOwnCountries(
  tx: Db,
  spaceId: string,
  countries: readonly string[] | null,
): Promise<void> {
  await keepOwn(tx, spaceId, { allowedCountries: countries && JSON.stringify(countries) })
}

/** The countries that can be called beside the Space's own, which can always be called. */
export async function readAllowedCountries(db: Db, spaceId: string): Promise<readonly string[]> {
  return (await readOwnCountries(db, spaceId)) ?? usualCountries
}

export interface SpaceCountries {
  readonly spaceId: string
  readonly name: string
  /** The Space's own country. */
  readonly country: string
  readonly allowedCountries: readonly string[]
}

/**
 * Gives a Space a list of its own; null gives it the usual list again, and undefined changes nothing. Existing gates keep their
 * numbers. Undefined when there is no such Space.
 */
export async function setAllowedCountries(
  parts: { readonly database: Database; readonly world: World },
  given: {
    readonly spaceId: string
    readonly countries: readonly string[] | null | undefined
    readonly actor: string
  },
): Promise<SpaceCountries | undefined> {
  const { actor, spaceId } = given
  return parts.database.write(
    async tx => {
      const space = await tx('spaces').where({ id: spaceId }).first('name', 'country')
      if (!space) return undefined
      const before = await readOwnCountries(tx, spaceId)
      const after = given.countries === undefined ? before : given.countries && [...given.countries]
      const changes = changesOf({ allowedCountries: before }, { allowedCountries: after })
      if (changes) {
        await writeOwnCountries(tx, spaceId, after)
        const of = { spaceId, ...actorWithoutId(actor), targetId: spaceId, targetLabel: space.name }
        await recordActivity(tx, parts.world, { ...of, action: 'space.plan_changed', details: { changes } })
      }
      return { spaceId, ...space, allowedCountries: after ?? usualCountries }
    },
    { spaceId },
  )
}
