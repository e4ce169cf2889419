// The dashboard's operations on updates of gateways: shown, allowed for one gateway, and allowed at certain hours.

import { refuse } from '@callgate/contract/app/refusals'
import type { GatewayUpdate, UpdateHours } from '@callgate/contract/app/update'
import { isoTime, type World } from '@callgate/world/world'
import { actorOf, recordActivity } from '../activity/activity.ts'
import { changeRow } from '../activity/changeRow.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { readStages } from './stageRows.ts'
import {
  type GatewayOfSpace,
  readHours,
  saveUpdate,
  toUpdateView,
  updateOf,
  updatesOf,
  writeHours,
} from './updateRows.ts'

const sayHours = (hours: UpdateHours | null) => hours && `${hours.from}-${hours.to}`

type Handlers = Pick<AppHandlers, 'listUpdates' | 'allowUpdate' | 'disallowUpdate' | 'setUpdateHours'>

interface UpdateHandlersParts {
  readonly database: Database
  readonly world: World
}

/** A Space's permission for updates at certain hours. */
function hourHandlers({ world }: UpdateHandlersParts): Pick<Handlers, 'setUpdateHours'> {
  return {
    setUpdateHours: async ({ body: { hours }, principal, write }) => {
      if (hours && hours.from === hours.to) return refuse('hours_equal')
      return write(async tx => {
        const { spaceId } = principal
        const before = await readHours(tx, spaceId)
        const [from, to] = [sayHours(before), sayHours(hours)]
        if (from === to) return { status: 200, body: { hours } } as const
        await writeHours(tx, spaceId, hours)
        const { name } = await tx('spaces').where({ id: spaceId }).first('name')
        const of = { spaceId, ...actorOf(principal), targetId: spaceId, targetLabel: name }
        const changes = { updateHours: { from, to } }
        await recordActivity(tx, world, { ...of, action: 'space.updated', details: { changes } })
        return { status: 200, body: { hours } } as const
      })
    },
  }
}

export function updateHandlers(parts: UpdateHandlersParts): Handlers {
  const { database, world } = parts
  const updateAt = (place: GatewayOfSpace) => ({
    async find(db: Db) {
      const [row, stages] = [await updateOf(db, place), await readStages(db)]
      return row && { name: row.name, update: toUpdateView(row, stages, timeIn(db, world)) }
    },
    none: notFound('gateway'),
    show: ({ update }: { readonly update: GatewayUpdate }) => ({ update }),
  })
  return {
    ...hourHandlers(parts),

    async listUpdates({ principal: { spaceId } }) {
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

    allowUpdate: ({ body: { version }, principal, params: { gatewayId }, write }) => {
      const place = { spaceId: principal.spaceId, gatewayId }
      return changeRow(world, { principal, write }, updateAt(place), async ({ name, update }, tx) => {
        if (!update.canUpdate) return refuse('update_by_hand')
        if (update.offered?.version !== version) return refuse('update_not_offered', { version })
        if (update.allowed?.version === version) return undefined
        await saveUpdate(tx, place, { allowedVersion: version, allowedAt: isoTime(timeIn(tx, world)) })
        const details = { version }
        return { action: 'gateway.update_allowed', targetId: gatewayId, targetLabel: name, details }
      })
    },

    disallowUpdate: ({ principal, params: { gatewayId }, write }) => {
      const place = { spaceId: principal.spaceId, gatewayId }
      return changeRow(world, { principal, write }, updateAt(place), async ({ name, update }, tx) => {
        if (!update.allowed) return undefined
        const details = { version: update.allowed.version }
        await saveUpdate(tx, place, { allowedVersion: null, allowedAt: null })
        return { action: 'gateway.update_disallowed', targetId: gatewayId, targetLabel: name, details }
      })
    },
  }
}
