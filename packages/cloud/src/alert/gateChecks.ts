// Checks gates that did not react to their last calls, and those with an open incident.

import { isoTime, type World } from '@callgate/world/world'
import { endedCalls, type FigureRow } from '../core/gateFigures.ts'
import { byIndex } from '../database/byIndex.ts'
import type { Database, Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import { lastOpenings, readMisses } from '../history/gateFigureReader.ts'
import { lastObservation } from '../history/observations.ts'
import { missesOfIncident } from './core/incident.ts'
import type { GoingOn, IncidentCheck } from './incidentRows.ts'

interface GateOf {
  readonly spaceId: string
  readonly gateId: string
}

/** The gates whose calls ended without a reaction since then. Exported for the test of its query plan. */
export const notReacted = statement<{ readonly since: string }, GateOf>((db, { since }) =>
  byIndex(db, 'openings', 'openings_not_reacted')
    .distinct('spaceId', 'gateId')
    // The condition must equal that of the index.
    .whereRaw(`"reason" in ('no_reaction', 'no_answer')`)
    .where('completedAt', '>=', since),
)

/** How many openings are searched for the misses of a gate: its last calls can be among many denied presses. */
const lookedThrough = 500
const gatesInTurn = 5

async function checksOfGate(db: Db, { gateId, spaceId }: GateOf): Promise<IncidentCheck> {
  const of = { spaceId, targetId: gateId, kind: 'gate_not_reacting' } as const
  const gate = await db('gates').where({ id: gateId, spaceId }).first('isActive')
  if (!gate?.isActive) return { ...of, seen: 'gone' }
  const rows = await lastOpenings(db, { spaceId, gateId, rows: lookedThrough })
  const misses = await readMisses(db, rows)
  if (misses >= missesOfIncident) return { ...of, seen: 'bad', figure: misses }
  // Denied presses do not show that the gate reacts again.
  const [last] = endedCalls(rows)
  if (!last) return { ...of, seen: 'unknown' }
  return { ...of, seen: (await hasMoved(db, last)) ? 'well' : 'between', figure: misses }
}

/** Whether the gate took the call, or a person saw it move. A busy gate or an unknown outcome is no reaction. */
async function hasMoved(db: Db, { class: of, id }: FigureRow): Promise<boolean> {
  return of === 'opened' || of === 'probably_opened' || (await lastObservation(db, id)) === 'moving'
}

/** Checks the gates that did not react since `sinceMs`, and those with an open incident. */
export async function checkGates(
  { database: { knex }, world }: { readonly database: Database; readonly world: World },
  goingOn: GoingOn,
  sinceMs: number,
): Promise<readonly IncidentCheck[]> {
  const gates = new Map<string, GateOf>()
  for (const { kind, spaceId, targetId: gateId } of goingOn.values())
    if (kind === 'gate_not_reacting') gates.set(gateId, { spaceId, gateId })
  for (const gate of await notReacted(knex, { since: isoTime(sinceMs) })) gates.set(gate.gateId, gate)
  const checks: IncidentCheck[] = []
  for (const gate of gates.values()) {
    if (checks.length > 0 && checks.length % gatesInTurn === 0) await world.turn()
    checks.push(await checksOfGate(knex, gate))
  }
  return checks
}
