// Histories of openings: read newest first, by the index that holds the fewest rows for a filter.

import type { OpeningClass } from '@callgate/contract/call/openingClass'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { OpeningRow } from '../core/opening.ts'
import { byIndex } from '../database/byIndex.ts'
import { historyReader } from '../database/paging.ts'
import type { Values } from '../database/statement.ts'

/** What the openings of a history have in common. Status and class do not go together. */
export interface OpeningFilter extends Values {
  readonly gateId?: string | undefined
  readonly memberId?: string | undefined
  readonly apiKeyId?: string | undefined
  readonly userId?: string | undefined
  readonly status?: OpeningRow['status'] | undefined
  readonly class?: OpeningClass | undefined
}

/** A person has fewer openings than a gate, of whatever gate, status and class. */
function indexOf({ apiKeyId, class: only, gateId, memberId, status, userId }: OpeningFilter): string {
  if (memberId !== undefined) return 'openings_of_member'
  if (userId !== undefined) return 'openings_of_user'
  if (apiKeyId !== undefined) return 'openings_of_key'
  const of = gateId === undefined ? 'openings' : 'openings_of_gate'
  if (only !== undefined) return `${of}_by_class`
  if (status !== undefined) return `${of}_by_status`
  return gateId === undefined ? 'openings_spaceid_calledat_id_index' : of
}

/** A reader of the pages of one history of openings. */
export function openingReader<
  Row extends { readonly id: string; readonly calledAt: string },
  Own extends OpeningFilter,
>(columns: readonly string[]) {
  return historyReader<Row, Own>({
    columns,
    at: 'calledAt',
    idPrefix: idPrefix.opening,
    fitting(db, filter) {
      const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
      return { query: byIndex(db, 'openings', indexOf(filter)).where(given), at: 'calledAt', id: 'id' }
    },
  })
}
