// Reads gates: the list, one of them, and their rows.

import { idPrefix } from '@callgate/contract/idPrefix'
import { Gate } from '@callgate/contract/rest/gate'
import { routes } from '@callgate/contract/rest/routes'
import type { Database, Db } from '../database/database.ts'
import { type ColumnKind, jsonRows } from '../database/jsonRows.ts'
import { keptRows } from '../database/keptRows.ts'
import { cutPage, oldestFirst, type PageValues, pageValues, readPage } from '../database/oldestFirst.ts'
import { statement } from '../database/statement.ts'
import type { Handlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { listPath, pageLinks } from '../http/pageLinks.ts'

export interface GateRow extends Omit<Gate, 'isActive'> {
  readonly spaceId: string
  /** SQLite has 0 and 1. */
  readonly isActive: boolean | number
  readonly callProfile: string
  /** JSON: which gateways may call it. */
  readonly callers: string
}

export const shownColumns = Object.keys(Gate.properties) as (keyof Gate)[]

/** The members of a gate in their order, with the types of the columns of the same names. */
const shown = Object.fromEntries(
  shownColumns.map((name): [string, ColumnKind] => [name, name === 'isActive' ? 'boolean' : 'plain']),
)

type ShownRow = Pick<GateRow, keyof Gate>

/** The gate of the API for a row of `shownColumns`. */
export function toGate(row: ShownRow): Gate {
  return { ...row, isActive: Boolean(row.isActive) }
}

type Wanted = { readonly spaceId: string; readonly isActive?: boolean }

const gatesOf = statement<Wanted & PageValues, ShownRow>((db, { isActive, spaceId, ...page }) => {
  const place = { spaceId, ...(isActive !== undefined && { isActive }) }
  return oldestFirst(db('gates').select(shownColumns).where(place), 'gates', page)
})

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

/** The list of gates, and one of them. */
export function gateReadHandlers({
  database,
}: {
  readonly database: Database
}): Pick<Handlers, 'listGates' | 'getGate'> {
  const { knex } = database
  const keptBodyOfGates = keptRows(database, bodyOfGates)
  const keptGateOf = keptRows(database, gateOf)
  return {
    async listGates({ principal, query }) {
      const read = readPage(query, idPrefix.gate)
      if (!read.ok) return read.problem
      const { isActive } = query
      const of = { spaceId: principal.spaceId, ...(isActive !== undefined && { isActive }) }
      if (!read.page) {
        const [{ json } = { json: '' }] = await keptBodyOfGates(of, principal.version)
        return { status: 200, json }
      }
      const { paged, shown } = cutPage(await gatesOf(knex, { ...of, ...pageValues(read.page) }), read.page)
      const headers = pageLinks(listPath(principal, routes.listGates), query, paged.pagination)
      return { status: 200, headers, body: { gates: shown.map(toGate), ...paged } }
    },

    async getGate({ principal, params }) {
      const [row] = await keptGateOf({ id: params.gateId, spaceId: principal.spaceId }, principal.version)
      return row ? { status: 200, body: { gate: toGate(row) } } : notFound('gate')
    },
  }
}
