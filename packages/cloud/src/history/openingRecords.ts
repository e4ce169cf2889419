// Openings in the form of the dashboard: each with its class, who pressed, and what was seen.

import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import { hasRung, type OpeningClass } from '@callgate/contract/call/openingClass'
import type { OpeningRow } from '../core/opening.ts'
import type { Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import { lastObservation } from './observations.ts'
import { shownColumns, toOpening } from './openingReads.ts'

export const recordColumns = [
  ...shownColumns,
  'opened',
  'confidence',
  'joinedOpeningId',
  'gatewayId',
  'grantedAt',
  'memberId',
  'apiKeyId',
  'userId',
  'class',
] as const

export type RecordRow = Pick<OpeningRow, Exclude<(typeof recordColumns)[number], 'class'>> & {
  readonly class: OpeningClass
}

function stepOf({ grantedAt, status }: RecordRow): OpeningRecord['step'] {
  if (status === 'connected') return 'ringing'
  if (status !== 'initiated') return null
  return grantedAt === null ? 'asked' : 'calling'
}

function pressedBy({ actorType, apiKeyId, memberId, userId }: RecordRow): OpeningRecord['by'] {
  // The member's id may be gone, once identities are no longer kept.
  if (memberId !== null || actorType === 'guest') return { kind: 'member', id: memberId }
  return apiKeyId === null ? { kind: 'user', id: userId } : { kind: 'key', id: apiKeyId }
}

interface Beside {
  readonly joiners: number
  readonly seen: OpeningRecord['seen']
}

function toRecord(row: RecordRow, { joiners, seen }: Beside): OpeningRecord {
  const { confidence, gatewayId, joinedOpeningId, opened, reason, safeToRetry } = row
  return {
    ...toOpening(row),
    class: row.class,
    step: stepOf(row),
    reason,
    opened,
    confidence,
    safeToRetry: safeToRetry === null ? null : Boolean(safeToRetry),
    hasRung: hasRung(reason),
    by: pressedBy(row),
    joinedOpeningId,
    joiners,
    gatewayId,
    seen,
  }
}

const joinersOf = statement<{ readonly id: string }, { readonly joiners: number }>((db, { id }) =>
  db('openings').where({ joinedOpeningId: id }).count({ joiners: '*' }),
)

/** The rows in the form of the dashboard. */
export async function toRecords(db: Db, rows: readonly RecordRow[]): Promise<OpeningRecord[]> {
  const records: OpeningRecord[] = []
  for (const row of rows) {
    const [found] = row.joinedOpeningId === null ? await joinersOf(db, { id: row.id }) : []
    const seen = (await lastObservation(db, row.id)) ?? null
    records.push(toRecord(row, { joiners: Number(found?.joiners ?? 0), seen }))
  }
  return records
}
