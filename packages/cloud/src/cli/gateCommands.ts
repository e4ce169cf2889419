// What the operator's command on refused gates does, and what it prints.

import { numberRefusal } from '@callgate/contract/number/refusedNumbers'
import { refusedKinds } from '@callgate/contract/number/refusedRanges'
import type { Database } from '../database/database.ts'
import { columns, type Work } from './works.ts'

interface Stored {
  readonly id: string
  readonly spaceId: string
  readonly name: string
  readonly phoneNumber: string
}

/** The gates of one Space or of all whose numbers are of a refused range, with the rule. */
async function listRefusedGates(database: Database, space: string | undefined) {
  const stored: readonly Stored[] = await database
    .knex<Stored>('gates')
    .where(space === undefined ? {} : { spaceId: space })
    .orderBy(['spaceId', 'id'])
    .select('id', 'spaceId', 'name', 'phoneNumber')
  return stored.flatMap(({ id, spaceId, ...gate }) => {
    const refusal = numberRefusal(gate.phoneNumber)
    return refusal ? [{ gateId: id, spaceId, ...gate, prefix: refusal.prefix, kind: refusal.kind }] : []
  })
}

/** `gate refused`: the stored gates that a press would not call. */
export const refusedWork: Work = async ({ database }, { space }) => {
  const gates = await listRefusedGates(database, space)
  const rows = gates.map(({ gateId, kind, name, phoneNumber, prefix, spaceId }) => [
    spaceId,
    gateId,
    name,
    phoneNumber,
    `${prefix}: ${refusedKinds[kind]}`,
  ])
  return { ok: true, json: { gates }, text: columns(['SPACE', 'GATE', 'NAME', 'NUMBER', 'RULE'], rows) }
}
