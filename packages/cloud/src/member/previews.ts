// Previews of schedules for the editor of a member's access.

import type { World } from '@callgate/world/world'
import { previewOf } from '../core/schedule/preview.ts'
import { readSchedules } from '../core/schedule/readSchedules.ts'
import type { Database } from '../database/database.ts'
import type { Handlers } from '../http/handler.ts'
import { readSpaceTimeMs } from '../space/spaceModes.ts'

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
      const nowMs = await readSpaceTimeMs(database.knex, spaceId, world.nowMs())
      return { status: 200, body: previewOf(read.schedules, timezone, nowMs) }
    },
  }
}
