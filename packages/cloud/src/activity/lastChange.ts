// The name of whoever changed a thing last, for a person whose own change is refused because of it.

import type { LastChange } from '@callgate/contract/app/lastChange'
import type { Database, Db } from '../database/database.ts'
import { statement, type Values } from '../database/statement.ts'
import type { AppHandlers } from '../http/handler.ts'

interface ChangeRow {
  /** `api:<key name>`, `user:<e-mail>`, `operator` or `system`. */
  readonly actor: string
  /** JSON. */
  readonly details: string
  readonly timestamp: string
}

interface LastChangeTarget extends Values {
  readonly spaceId: string
  readonly targetId: string | undefined
}

/** How many entries are searched: an entry may be about another thing and only concern this one, such as an access of a gate. */
const lookedThrough = 20

/** The newest entries. Exported for the test of its query plans. */
export const newestEntries = statement<LastChangeTarget, ChangeRow>((db, { spaceId, targetId }) => {
  const shown = ['activity.actor', 'activity.details', 'activity.timestamp']
  if (targetId === undefined)
    return db('activity')
      .select(shown)
      .where({ spaceId })
      .orderBy([
        { column: 'timestamp', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(lookedThrough)
  return db('activityConcerns as c')
    .join('activity', 'activity.id', 'c.activityId')
    .select(shown)
    .where({ 'c.spaceId': spaceId, 'c.concernedId': targetId })
    .orderBy([
      { column: 'c.timestamp', order: 'desc' },
      { column: 'c.activityId', order: 'desc' },
    ])
    .limit(lookedThrough)
})

const userName = statement<{ readonly id: string }, { readonly name: string }>((db, user) =>
  db('users').select('name').where(user),
)

async function byOf(db: Db, actor: string, id: string | null): Promise<LastChange['by']> {
  if (actor.startsWith('api:')) return { kind: 'key', id, name: actor.slice('api:'.length) }
  if (!actor.startsWith('user:')) return { kind: 'operator', id: null, name: null }
  const [user] = id === null ? [] : await userName(db, { id })
  return { kind: 'user', id, name: user?.name ?? null }
}

export function lastChangeHandlers({
  database: { knex },
}: {
  readonly database: Database
}): Pick<AppHandlers, 'getLastChange'> {
  return {
    async getLastChange({ principal: { spaceId }, query: { targetId } }) {
      for (const { actor, details, timestamp } of await newestEntries(knex, { spaceId, targetId })) {
        const told = JSON.parse(details) as { actorId?: string | null; targetId?: string }
        if (actor === 'system' || (targetId !== undefined && told.targetId !== targetId)) continue
        const by = await byOf(knex, actor, told.actorId ?? null)
        return { status: 200, body: { change: { at: timestamp, by } } }
      }
      return { status: 200, body: { change: null } }
    },
  }
}
