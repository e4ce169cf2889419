// What integrators keep with a gate or a member: its columns, and the check that no other active one has the same id.

import { refuse } from '@callgate/contract/app/refusals'
import type { ExternalGiven, Metadata } from '@callgate/contract/rest/external'
import type { Problem } from '@callgate/contract/rest/problem'
import { canonicalJson } from '../core/canonicalJson.ts'
import type { Db } from '../database/database.ts'

/** The columns of a gate and of a member. */
export interface ExternalRow {
  readonly externalId: string | null
  /** JSON, with its keys in order: the same texts are the same value. */
  readonly metadata: string | null
}

/** The members of an answer: only those that were set. */
export function externalShown({ externalId, metadata }: ExternalRow): {
  externalId?: string
  metadata?: Metadata
} {
  return {
    ...(externalId !== null && { externalId }),
    ...(metadata !== null && { metadata: JSON.parse(metadata) as Metadata }),
  }
}

/** The columns for the fields of a request. A field that is absent has none. */
export function externalColumns({
  externalId,
  metadata,
}: { readonly [Field in keyof ExternalGiven]: ExternalGiven[Field] | undefined }): Partial<ExternalRow> {
  const isEmpty = !metadata || Object.keys(metadata).length === 0
  return {
    ...(externalId !== undefined && { externalId }),
    ...(metadata !== undefined && { metadata: isEmpty ? null : canonicalJson(metadata) }),
  }
}

/** The problem where another active one of the Space has the id already. Read under the lock of the Space. */
export async function externalIdProblem(
  tx: Db,
  table: 'gates' | 'members',
  {
    externalId,
    id,
    spaceId,
  }: { readonly spaceId: string; readonly id?: string; readonly externalId: string | null },
): Promise<Problem | undefined> {
  if (externalId === null) return undefined
  const other = await tx(table)
    .where({ spaceId, externalId, isActive: true })
    .whereNot({ id: id ?? '' })
    .first('id')
  return other && { ...refuse('external_id_taken', { id: other.id }), extra: { existingId: other.id } }
}
