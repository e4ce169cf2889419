// Checks the SIM cards of gateways: their credit, and their end.

import type { World } from '@callgate/world/world'
import { amountIn, simWarningsOf } from '../core/simBalance.ts'
import type { Database } from '../database/database.ts'
import type { GoingOn, IncidentCheck } from './incidentRows.ts'

interface Row {
  readonly id: string
  readonly spaceId: string
  readonly warnBelow: number | null
  readonly expiresOn: string | null
  readonly answer: string | null
}

/** Checks every card with a warning switched on. Where it was switched off, the incident ends without a notification. */
export async function checkSims(
  { database: { knex }, world }: { readonly database: Database; readonly world: World },
  goingOn: GoingOn,
): Promise<readonly IncidentCheck[]> {
  const rows: readonly Row[] = await knex('sims')
    .join('gateways', 'gateways.id', 'sims.id')
    .whereNull('gateways.revokedAt')
    .where(builder => builder.whereNotNull('sims.warnBelow').orWhereNotNull('sims.expiresOn'))
    .select('sims.id', 'sims.spaceId', 'sims.warnBelow', 'sims.expiresOn', 'sims.answer')
  const nowMs = world.nowMs()
  const watched = rows.map(({ answer, expiresOn, id: targetId, spaceId, warnBelow }): IncidentCheck => {
    const balance = answer === null ? null : (amountIn(answer) ?? null)
    const below = warnBelow === null ? null : Number(warnBelow)
    const isWell = simWarningsOf({ balance, warnBelow: below, expiresOn }, nowMs).length === 0
    return { spaceId, targetId, kind: 'sim_card', seen: isWell ? 'well' : 'bad' }
  })
  const known = new Set(rows.map(({ id }) => id))
  const left = [...goingOn.values()].flatMap(({ kind, spaceId, targetId }): IncidentCheck[] =>
    kind === 'sim_card' && !known.has(targetId) ? [{ spaceId, targetId, kind, seen: 'gone' }] : [],
  )
  return [...watched, ...left]
}
