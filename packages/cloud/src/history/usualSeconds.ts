// How long a gate usually takes, by its last calls.

import type { Db } from '../database/database.ts'

/** The calls that show how long a gate usually takes, and how many are needed. */
const usual = { newest: 20, least: 5 } as const

/** The median time of the gate's last calls from the press to the end that opened it, in whole seconds. */
export async function readUsualSeconds(db: Db, spaceId: string, gateId: string): Promise<number | undefined> {
  const rows: { calledAt: string; completedAt: string }[] = await db('openings')
    .where({ spaceId, gateId, status: 'completed', joinedOpeningId: null })
    .orderBy([
      { column: 'calledAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(usual.newest)
    .select('calledAt', 'completedAt')
  if (rows.length < usual.least) return undefined
  const took = rows
    .map(({ calledAt, completedAt }) => Date.parse(completedAt) - Date.parse(calledAt))
    .toSorted((a, b) => a - b)
  return Math.max(1, Math.round((took[Math.floor(took.length / 2)] ?? 0) / 1000))
}
