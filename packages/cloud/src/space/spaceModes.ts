// The mode of a Space, and the time that its schedules see.

import { type SpaceClock, spaceTimeMs } from '../core/spaceTime.ts'
import type { Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'

const modeRow = statement<{ readonly id: string }, SpaceClock & { readonly mode: string }>((db, { id }) =>
  db('spaces').where({ id }).select('mode', 'clockAt', 'clockSetAt'),
)

/** Whether the Space is a sandbox: nothing leaves it, and no gateway serves it. That never changes. */
export async function isSandbox(db: Db, spaceId: string): Promise<boolean> {
  const [row] = await modeRow(db, { id: spaceId })
  return row?.mode === 'sandbox'
}

/** The time that schedules of the Space see at `nowMs`, in milliseconds since the epoch. */
export async function readSpaceTimeMs(db: Db, spaceId: string, nowMs: number): Promise<number> {
  const [row] = await modeRow(db, { id: spaceId })
  return row ? spaceTimeMs(row, nowMs) : nowMs
}
