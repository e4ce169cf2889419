// Histories of openings: read newest first, by the index with the fewest rows for a filter.

import type { OpeningClass } from '@callgate/contract/call/openingClass'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { Knex } from 'knex'
import type { OpeningRow } from '../core/opening.ts'
import { byIndex } from '../database/byIndex.ts'
import type { Db } from '../database/database.ts'
import type { Depth } from '../database/deepOffset.ts'
import { isPostgres } from '../database/dialect.ts'
import { type HistoryPage, historyReader } from '../database/paging.ts'
import type { Values } from '../database/statement.ts'
import { endedOpenings, runningOpenings } from '../opening/openingRows.ts'

/** The common filters of openings' histories. Status and class exclude each other. */
export interface OpeningFilter extends Values {
  readonly gateId?: string | undefined
  /** JSON: the ids of several gates, of which a key may read. */
  readonly gateIds?: string | undefined
  readonly memberId?: string | undefined
  readonly apiKeyId?: string | undefined
  readonly userId?: string | undefined
  readonly status?: OpeningRow['status'] | undefined
  readonly class?: OpeningClass | undefined
}

/** The filter of one query: running openings have a filter of their own, because they have an index of their own. */
interface SplitFilter extends OpeningFilter {
  readonly runningStatus?: OpeningFilter['status']
  readonly runningClass?: OpeningFilter['class']
}

const isRunningWord = (word: string | undefined) =>
  word === 'running' || word === 'initiated' || word === 'connected'

function askedOf<Own extends OpeningFilter>({ class: only, status, ...filter }: Own): SplitFilter {
  return {
    ...filter,
    ...(only !== undefined && { [isRunningWord(only) ? 'runningClass' : 'class']: only }),
    ...(status !== undefined && { [isRunningWord(status) ? 'runningStatus' : 'status']: status }),
  }
}

/** The openings of a filter, by the index that has the fewest other rows. */
function openingsOf(db: Db, filter: SplitFilter): Knex.QueryBuilder {
  const { gateIds } = filter
  const query = openingsByIndex(db, filter)
  if (gateIds === undefined) return query
  const ids = isPostgres(db) ? 'select jsonb_array_elements_text(?::jsonb)' : 'select value from json_each(?)'
  return query.whereRaw(`"gateId" in (${ids})`, [gateIds])
}

function openingsByIndex(db: Db, filter: SplitFilter): Knex.QueryBuilder {
  const { apiKeyId, class: only, gateId, memberId, runningClass, runningStatus, status, userId } = filter
  const { gateIds: ___, runningClass: _, runningStatus: __, ...rest } = filter
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const by = (index: string) => byIndex(db, 'openings', index).where(given)
  // A person has fewer openings than a gate, a status or a class.
  const isOf = {
    ...(runningStatus && { status: runningStatus }),
    ...(runningClass && { class: runningClass }),
  }
  if (memberId !== undefined) return by('openings_of_member').where(isOf)
  if (userId !== undefined) return by('openings_of_user').where(isOf)
  if (apiKeyId !== undefined) return by('openings_of_key').where(isOf)
  // Few openings run at a time.
  if (runningClass || runningStatus) return runningOpenings(db).where(given).where(isOf)
  if (only !== undefined || status !== undefined) return endedOpenings(db, given)
  return by(gateId === undefined ? 'openings_spaceid_calledat_id_index' : 'openings_of_gate')
}

/**
 * No index has a person's openings of one gate, status or class, or those of several gates: they are searched among all of the
 * person's, or all of the others.
 */
function widerOf({ gateIds, ...filter }: SplitFilter): SplitFilter | undefined {
  return personOf({ ...filter, gateIds }) ?? (gateIds === undefined ? undefined : filter)
}

function personOf({ apiKeyId, memberId, userId, ...others }: SplitFilter): SplitFilter | undefined {
  const { spaceId: _, ...rest } = others as SplitFilter & { readonly spaceId?: string }
  if (Object.values(rest).every(value => value === undefined)) return undefined
  if (memberId !== undefined) return { memberId }
  if (userId !== undefined) return { userId }
  return apiKeyId === undefined ? undefined : { apiKeyId }
}

/** A reader of the pages of one history of openings. */
export function openingReader<
  Row extends { readonly id: string; readonly calledAt: string },
  Own extends OpeningFilter,
>(columns: readonly string[]) {
  const read = historyReader<Row, SplitFilter>({
    columns,
    at: 'calledAt',
    idPrefix: idPrefix.opening,
    fitting: (db, filter) => ({ query: openingsOf(db, filter), at: 'calledAt', id: 'id' }),
    wider: widerOf,
  })
  return (
    db: Db,
    { spaceId, ...filter }: Own & { readonly spaceId: string },
    page: HistoryPage,
    depth?: Depth,
  ) => read(db, { spaceId, ...askedOf(filter) }, page, depth)
}
