// The dashboard's operations on the Space itself: shown with its plan, and changed.

import type { SpaceView } from '@callgate/contract/app/space'
import type { ActivityState } from '@callgate/contract/rest/activity'
import type { Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import { changesOf } from '../activity/activity.ts'
import { changeRow, showRow } from '../activity/changeRow.ts'
import { isCountry } from '../core/country.ts'
import { sentZone } from '../core/schedule/zone.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { readOwnCountries, usualCountries, writeOwnCountries } from '../gate/countries.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { readKeepingRow, setKeeping } from '../space/keepingRows.ts'
import { changeSpace, readPlanUse } from '../space/spaces.ts'

/** The hours of updates have an operation of their own. */
type Settings = Omit<ActivityState<'space.updated'>, 'updateHours'>

async function readView(db: Db, spaceId: string, nowMs: number): Promise<SpaceView> {
  const row = await db('spaces').where({ id: spaceId }).first()
  const { contactName, contactPhone, country, createdAt, language, name, timezone } = row
  return {
    id: spaceId,
    name,
    country,
    timezone,
    language,
    contactName,
    contactPhone,
    keepIdentities: (await readKeepingRow(db, spaceId)).keeping,
    allowedCountries: await readOwnCountries(db, spaceId),
    usualCountries: [...usualCountries],
    createdAt,
    now: await readPlanUse(db, spaceId, nowMs),
  }
}

const invalid = (message: string): Problem => ({ problem: 'validation_error', message })

/** The fault in the changed settings; undefined where there is none. */
function faultOf({
  allowedCountries,
  contactName,
  contactPhone,
  country,
  timezone,
}: Settings): Problem | undefined {
  if (!isCountry(country)) return invalid('country must be a code of ISO 3166, such as RO')
  const unknown = allowedCountries?.findIndex(code => !isCountry(code)) ?? -1
  if (unknown >= 0) return invalid(`allowedCountries[${unknown}] must be a code of ISO 3166, such as RO`)
  if (!sentZone(timezone)) return invalid('timezone must be an IANA name, such as Europe/Bucharest')
  if ((contactName === null) === (contactPhone === null)) return undefined
  return invalid(
    contactName === null
      ? 'contactName must be given with contactPhone, or both be null'
      : 'contactPhone must be given with contactName, or both be null',
  )
}

function settingsOf(view: SpaceView): Settings {
  const { allowedCountries, contactName, contactPhone, country, keepIdentities, language, name, timezone } =
    view
  return { name, country, timezone, language, contactName, contactPhone, keepIdentities, allowedCountries }
}

export function spaceSettings({
  database,
  world,
}: {
  readonly database: Database
  readonly world: World
}): Pick<AppHandlers, 'getSpace' | 'updateSpace'> {
  const spaceAt = (spaceId: string) => ({
    find: (db: Db) => readView(db, spaceId, timeIn(db, world)),
    none: notFound('Space'),
    show: (space: SpaceView) => ({ space }),
  })
  return {
    getSpace: ({ principal }) => showRow(database.knex, spaceAt(principal.spaceId)),

    updateSpace: ({ body, principal, stale, write }) =>
      changeRow(world, { principal, stale, write }, spaceAt(principal.spaceId), async (space, tx) => {
        const { id } = space
        const before = settingsOf(space)
        const { contactPhone = before.contactPhone } = body
        const after: Settings = { ...before, ...body, contactPhone: contactPhone?.trim() ?? null }
        const fault = faultOf(after)
        if (fault) return fault
        const changes = changesOf(before, after)
        if (!changes) return undefined
        const { allowedCountries, keepIdentities, ...columns } = after
        await changeSpace(tx, id, columns)
        if (changes.keepIdentities) await setKeeping(tx, id, keepIdentities)
        if (changes.allowedCountries) await writeOwnCountries(tx, id, allowedCountries)
        return { action: 'space.updated', targetId: id, targetLabel: after.name, details: { changes } }
      }),
  }
}
