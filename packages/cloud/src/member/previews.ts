// Previews of schedules for the editor of a member's access.

import type { World } from '@callgate/world/world'
import { previewOf } from '../core/schedule/preview.ts'
import { readSchedules } from '../core/schedule/readSchedules.ts'
import type { Database } from '../database/database.ts'
import type { Handlers } from '../http/handler.ts'

export function previewHandlers({
  database,
  world,
}: {
  readonly database: Database
  readonly world: World
}): Pick<Handlers, 'previewSchedules'> {
  return {
    async previewSchedules({ body, principal: { spaceId } }) {
      const read = readSchedules(body.schedules, 'schedules')
      if (!read.ok) return read.problem
      const { timezone } = await database.knex('spaces').where({ id: spaceId }).first('timezone')
      return { status: 200, body: previewOf(read.schedules, timezone, world.nowMs()) }
    },
  }
}
