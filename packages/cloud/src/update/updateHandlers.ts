// The dashboard's operations on updates of gateways: shown, allowed for one gateway, and allowed at certain hours.

import { refuse } from '@callgate/contract/app/refusals'
import type { UpdateHours } from '@callgate/contract/app/update'
import { isoTime, type World } from '@callgate/world/world'
import { actorOf, recordActivity } from '../activity/activity.ts'
import type { Database } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { readStages } from './stageRows.ts'
import { readHours, saveUpdate, toUpdateView, updateOf, updatesOf, writeHours } from './updateRows.ts'

const sayHours = (hours: UpdateHours | null) => hours && `${hours.from}-${hours.to}`

type Handlers = Pick<AppHandlers, 'listUpdates' | 'allowUpdate' | 'disallowUpdate' | 'setUpdateHours'>

interface Parts {
  readonly database: Database
  readonly world: World
}

/** The standing leave of a Space. */
function hourHandlers({ world }: Parts): Pick<Handlers, 'setUpdateHours'> {
  return {
    setUpdateHours: async ({ body: { hours }, caller, write }) => {
      if (hours && hours.from === hours.to) return refuse('hours_equal')
      return write(async tx => {
        const { spaceId } = caller
        const before = await readHours(tx, spaceId)
        const [from, to] = [sayHours(before), sayHours(hours)]
        if (from === to) return { status: 200, body: { hours } } as const
        await writeHours(tx, spaceId, hours)
        const { name } = await tx('spaces').where({ id: spaceId }).first('name')
        const of = { spaceId, ...actorOf(caller), targetId: spaceId, targetLabel: name }
        const changes = { updateHours: { from, to } }
        await recordActivity(tx, world, { ...of, action: 'space.updated', details: { changes } })
        return { status: 200, body: { hours } } as const
      })
    },
  }
}

export function updateHandlers(parts: Parts): Handlers {
  const { database, world } = parts
  return {
    ...hourHandlers(parts),

    async listUpdates({ caller: { spaceId } }) {
      const { knex } = database
      const [hours, stages, rows] = [
        await readHours(knex, spaceId),
        await readStages(knex),
        await updatesOf(knex, spaceId),
      ]
      const nowMs = world.nowMs()
      return {
        status: 200,
        body: { hours, updates: rows.map(row => toUpdateView(row, stages, nowMs)) },
      }
    },

    allowUpdate: ({ body: { version }, caller, params: { gatewayId }, write }) =>
      write(async tx => {
        const { spaceId } = caller
        const place = { spaceId, gatewayId }
        const [row, stages] = [await updateOf(tx, place), await readStages(tx)]
        if (!row) return notFound('gateway')
        const nowMs = timeIn(tx, world)
        const before = toUpdateView(row, stages, nowMs)
        if (!before.canUpdate) return refuse('update_by_hand')
        if (before.offered?.version !== version) return refuse('update_not_offered', { version })
        if (before.allowed?.version === version) return { status: 200, body: { update: before } } as const
        const allowedAt = isoTime(nowMs)
        await saveUpdate(tx, place, { allowedVersion: version, allowedAt })
        const of = { spaceId, ...actorOf(caller), targetId: gatewayId, targetLabel: row.name }
        await recordActivity(tx, world, { ...of, action: 'gateway.update_allowed', details: { version } })
        return { status: 200, body: { update: { ...before, allowed: { version, at: allowedAt } } } } as const
      }),

    disallowUpdate: ({ caller, params: { gatewayId }, write }) =>
      write(async tx => {
        const { spaceId } = caller
        const place = { spaceId, gatewayId }
        const [row, stages] = [await updateOf(tx, place), await readStages(tx)]
        if (!row) return notFound('gateway')
        const before = toUpdateView(row, stages, timeIn(tx, world))
        if (!before.allowed) return { status: 200, body: { update: before } } as const
        const { version } = before.allowed
        await saveUpdate(tx, place, { allowedVersion: null, allowedAt: null })
        const of = { spaceId, ...actorOf(caller), targetId: gatewayId, targetLabel: row.name }
        await recordActivity(tx, world, { ...of, action: 'gateway.update_disallowed', details: { version } })
        return { status: 200, body: { update: { ...before, allowed: null } } } as const
      }),
  }
}
