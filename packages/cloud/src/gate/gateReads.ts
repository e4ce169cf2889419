// Reads gates: the list, one of them, and their rows.

import { idPrefix } from '@callgate/contract/idPrefix'
import { Gate, type ShownGate } from '@callgate/contract/rest/gate'
import type { GateHealth } from '@callgate/contract/rest/gateHealth'
import { routes } from '@callgate/contract/rest/routes'
import { reachesGate } from '../core/keyRights.ts'
import type { Database, Db } from '../database/database.ts'
import { type ColumnKind, jsonRows } from '../database/jsonRows.ts'
import { keptRows } from '../database/keptRows.ts'
import { cutPage, oldestFirst, type PageValues, pageValues, readPage } from '../database/oldestFirst.ts'
import { statement } from '../database/statement.ts'
import type { Handlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { listPath, pageLinks } from '../http/pageLinks.ts'
import { type ExternalRow, externalShown } from '../space/externalIds.ts'

export interface GateRow extends Omit<Gate, 'isActive' | keyof ExternalRow>, ExternalRow {
  readonly spaceId: string
  /** SQLite has 0 and 1. */
  readonly isActive: boolean | number
  readonly callProfile: string
  /** JSON: which gateways may call it. */
  readonly callers: string
}

export const shownColumns = Object.keys(Gate.properties) as (keyof Gate)[]

/** The members of a gate in their order, with the types of the columns of the same names. */
const kinds: Readonly<Partial<Record<keyof Gate, ColumnKind>>> = {
  isActive: 'boolean',
  externalId: 'optional',
  metadata: 'optionalJson',
}
const shown = Object.fromEntries(shownColumns.map(name => [name, kinds[name] ?? 'plain']))

type ShownRow = Pick<GateRow, keyof Gate>

/** The gate of the API for a row of `shownColumns`. */
export function toGate(row: ShownRow): Gate {
  const { externalId, metadata, ...members } = row
  return { ...members, isActive: Boolean(row.isActive), ...externalShown({ externalId, metadata }) }
}

type Wanted = { readonly spaceId: string; readonly isActive?: boolean }

const gatesOf = statement<Wanted & PageValues, ShownRow>((db, { isActive, spaceId, ...page }) => {
  const place = { spaceId, ...(isActive !== undefined && { isActive }) }
  return oldestFirst(db('gates').select(shownColumns).where(place), 'gates', page)
})

/** Those of the gates that a key is limited to. */
const reachedGates = (
  db: Db,
  { isActive, spaceId }: Wanted,
  gateIds: readonly string[],
  page: PageValues,
) => {
  const place = { spaceId, ...(isActive !== undefined && { isActive }) }
  const rows = db('gates').select(shownColumns).where(place).whereIn('id', gateIds)
  return oldestFirst(rows, 'gates', page) as Promise<readonly ShownRow[]>
}

/** All gates of a Space, without a page. */
const jsonOfGates = statement<Wanted, { readonly json: string }>((db, { isActive, spaceId }) => {
  const place = { spaceId, ...(isActive !== undefined && { isActive }) }
  return jsonRows(db, oldestFirst(db('gates').select(shownColumns).where(place), 'gates', {}), shown)
})

/** The body with all gates of a Space: a kept one is the same object each time, as `keptBodies` wants it. */
const bodyOfGates = async (db: Db, wanted: Wanted) => {
  const [listed] = await jsonOfGates(db, wanted)
  return [{ json: `{"gates":${listed?.json ?? '[]'}}` }]
}

const gateOf = statement<{ readonly spaceId: string; readonly id: string }, ShownRow>((db, place) =>
  db('gates').select(shownColumns).where(place),
)

/** What is known of some gates of a Space without a call. */
export type ReadGateHealths = (
  spaceId: string,
  gateIds: readonly string[],
) => Promise<ReadonlyMap<string, GateHealth>>

/** The list of gates, and one of them. The operator's command line knows no gateways, and so no health. */
export function gateReadHandlers({
  database,
  readHealths = async () => new Map(),
}: {
  readonly database: Database
  readonly readHealths?: ReadGateHealths
}): Pick<Handlers, 'listGates' | 'getGate'> {
  const { knex } = database
  const keptBodyOfGates = keptRows(database, bodyOfGates)
  const keptGateOf = keptRows(database, gateOf)
  const withHealth = async (spaceId: string, rows: readonly ShownRow[]): Promise<ShownGate[]> => {
    const healths = await readHealths(
      spaceId,
      rows.map(({ id }) => id),
    )
    return rows.map(row => {
      const health = healths.get(row.id)
      return { ...toGate(row), ...(health && { health }) }
    })
  }
  return {
    async listGates({ principal, query }) {
      const read = readPage(query, idPrefix.gate)
      if (!read.ok) return read.problem
      const { include, isActive } = query
      const of = { spaceId: principal.spaceId, ...(isActive !== undefined && { isActive }) }
      const { gateIds = null } = principal
      if (!read.page && !gateIds && !include) {
        const [{ json } = { json: '' }] = await keptBodyOfGates(of, principal.version)
        return { status: 200, json }
      }
      const values = pageValues(read.page)
      const rows = gateIds
        ? await reachedGates(knex, of, gateIds, values)
        : await gatesOf(knex, { ...of, ...values })
      const { paged, shown } = cutPage(rows, read.page)
      const headers = pageLinks(listPath(principal, routes.listGates), query, paged.pagination)
      const gates = include ? await withHealth(principal.spaceId, shown) : shown.map(toGate)
      return { status: 200, headers, body: { gates, ...paged } }
    },

    async getGate({ principal, params, query: { include } }) {
      if (!reachesGate(principal, params.gateId)) return notFound('gate')
      const [row] = await keptGateOf({ id: params.gateId, spaceId: principal.spaceId }, principal.version)
      if (!row) return notFound('gate')
      const [gate = toGate(row)] = include ? await withHealth(principal.spaceId, [row]) : []
      return { status: 200, body: { gate } }
    },
  }
}
