// Checks calibrated gates for calls that no longer fit their measured profile.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { Database, Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import type { GoingOn, IncidentCheck } from './incidentRows.ts'

interface Row {
  readonly id: string
  readonly spaceId: string
  readonly isActive: boolean | number
  /** JSON. */
  readonly callProfile: string
  readonly driftedAt: string | null
}

const columns = ['id', 'spaceId', 'isActive', 'callProfile', 'driftedAt']

/** The gates whose calls do not fit. Exported for the test of its query plan. */
export const driftedGates = statement<Record<never, never>, Row>(db =>
  db('gates').select(columns).whereNotNull('driftedAt').orderBy('id'),
)

/** How many gates are read at once. */
const readAtOnce = 200

/** The gates of open incidents. A calibration, a manual profile or calls that fit may have ended the drift. */
async function readGates(db: Db, ids: readonly string[]): Promise<readonly Row[]> {
  const gates: Row[] = []
  for (let from = 0; from < ids.length; from += readAtOnce) {
    const rows: readonly Row[] = await db('gates')
      .select(columns)
      .whereIn('id', ids.slice(from, from + readAtOnce))
    gates.push(...rows)
  }
  return gates
}

function seen({ callProfile, driftedAt, isActive }: Row): IncidentCheck['seen'] {
  // Calls are not compared with a manual profile.
  const isMeasured = (JSON.parse(callProfile) as CallProfile).learned
  if (!isActive || !isMeasured) return 'gone'
  return driftedAt === null ? 'well' : 'bad'
}

/** Checks the gates whose calls do not fit, and those with an open incident. */
export async function checkDrifts(
  { database: { knex } }: { readonly database: Database },
  goingOn: GoingOn,
): Promise<readonly IncidentCheck[]> {
  const incidents = [...goingOn.values()].filter(({ kind }) => kind === 'gate_drifted')
  const gates = new Map((await driftedGates(knex, {})).map(row => [row.id, row]))
  const others = incidents.map(({ targetId }) => targetId).filter(id => !gates.has(id))
  for (const row of await readGates(knex, others)) gates.set(row.id, row)
  const checks = [...gates.values()].map((row): IncidentCheck => {
    const { driftedAt, id: targetId, spaceId } = row
    const sinceMs = driftedAt === null ? undefined : Date.parse(driftedAt)
    return { spaceId, targetId, kind: 'gate_drifted', seen: seen(row), sinceMs }
  })
  const forgotten = incidents.filter(({ targetId }) => !gates.has(targetId))
  return [
    ...checks,
    ...forgotten.map(
      ({ kind, spaceId, targetId }): IncidentCheck => ({ spaceId, targetId, kind, seen: 'gone' }),
    ),
  ]
}
