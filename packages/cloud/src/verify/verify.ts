// Verifies that the data is consistent with what the program writes, without changing anything.

import { isSignedBy, type VerifyingKey, verifyingKey } from '@callgate/contract/wire/signature'
import { type Database, type Db, databaseTrouble, runSql } from '../database/database.ts'
import { DatabaseError } from '../database/databaseError.ts'
import { isPostgres } from '../database/dialect.ts'
import { rowPages, type TableRow } from '../database/rowPages.ts'
import { freshSchema, readSchema, type Schema } from '../database/schema.ts'
import { asking, readOneMoment, unreadableValue } from '../database/snapshot.ts'
import { sealedColumns } from '../rotation/sealedColumns.ts'
import type { Seal } from '../secrets/sealing.ts'
import { lostReferences } from './references.ts'
import { jsonColumns, type Rule, rowRules } from './rules.ts'
import { postgresWords, sqliteWords } from './ruleWords.ts'

/** One fault. */
export interface Finding {
  readonly rule: string
  /** The id of the row, where the finding is about one row. */
  readonly id: string | null
  readonly what: string
}

/** The most findings of one rule, so that a damaged table does not fill the memory. */
const mostOfEach = 100
/** How many rows are held in memory at once. */
const pageSize = 500

type Found = readonly { readonly id: string | number | null; readonly what: string }[]

/** Adds the name of the rule, and a last line where there are more findings than are shown. */
function named(rule: string, found: Found): Finding[] {
  const told = found
    .slice(0, mostOfEach)
    .map(({ id, what }) => ({ rule, id: id === null ? null : String(id), what }))
  return found.length > mostOfEach ? [...told, { rule, id: null, what: 'and more' }] : told
}

async function ask(db: Db, { name, sql }: Rule): Promise<Finding[]> {
  try {
    const found = await asking(db, () =>
      runSql(db, `select * from (${sql}) as found limit ${mostOfEach + 1}`, []),
    )
    return named(name, found as Found)
  } catch (error) {
    const code = unreadableValue(error)
    if (code === undefined) throw error
    return [{ rule: name, id: null, what: `cannot be checked: a value cannot be read (SQLSTATE ${code})` }]
  }
}

/** SQLite's findings on its own file: broken pages and indexes. Postgres has its own programs for that. */
async function verifyPages(db: Db): Promise<Finding[]> {
  if (isPostgres(db)) return []
  const pages = await runSql(db, `pragma integrity_check(${mostOfEach})`, [])
  const broken = (pages as readonly { integrity_check: string }[]).filter(
    page => page.integrity_check !== 'ok',
  )
  return named(
    'integrity',
    broken.map(page => ({ id: null, what: page.integrity_check })),
  )
}

/** Checks the pages, and references to missing rows. */
export async function verifyFile(db: Db): Promise<Finding[]> {
  const pages = await verifyPages(db)
  const lost: Finding[] = []
  for (const sql of await lostReferences(db)) lost.push(...(await ask(db, { name: 'foreign keys', sql })))
  return [...pages, ...lost]
}

/** Compares tables, indexes and triggers with those of this version, because the triggers that protect rows can be dropped. */
function compareTables(right: Schema, there: Schema): Finding[] {
  return [...new Set([...right.keys(), ...there.keys()])].flatMap(id => {
    if (right.get(id) === there.get(id)) return []
    const what = there.has(id) ? (right.has(id) ? 'was changed' : 'is not ours') : 'is missing'
    return [{ rule: 'tables', id, what }]
  })
}

/** The tables of this version; a finding where the user of the database may not make them. */
async function rightTables(database: Database): Promise<Schema | Finding> {
  try {
    return await freshSchema(database)
  } catch (error) {
    if (databaseTrouble(error) !== 'not_writable' || error instanceof DatabaseError) throw error
    const what =
      'cannot be compared: the user of DATABASE_URL must own the database, and it must not be a standby'
    return { rule: 'tables', id: null, what }
  }
}

/** Checks every row of `table`, a page at a time, in the order of its key. */
async function check(
  db: Db,
  table: string,
  columns: readonly string[],
  fault: (row: TableRow) => { readonly id: string; readonly what: string } | undefined,
): Promise<Found> {
  const next = await rowPages(db, table, columns, pageSize)
  const found: { id: string; what: string }[] = []
  for (let rows = await next(); rows.length > 0; rows = await next())
    for (const row of rows) {
      const wrong = fault(row)
      if (wrong) found.push(wrong)
      if (found.length > mostOfEach) return found
    }
  return found
}

/** Whether the sealing keys open every sealed value in its place. */
export async function verifySeals(db: Db, seal: Seal): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { column, idOf, isWhole, key, others, placeOf, table, what } of sealedColumns) {
    const faults = await check(db, table, [...key, ...others, column], row => {
      const sealed = row[column]
      if (typeof sealed !== 'string') return undefined
      const text = seal.unseal(sealed, placeOf(row))
      const isFine = text !== undefined && isWhole(text, row)
      return isFine ? undefined : { id: idOf(row), what: `${what} does not open with these sealing keys` }
    })
    found.push(...named(`${table}.${column}`, faults))
  }
  return found
}

/** Whether each kept report was signed by the gateway that it names. */
async function verifySignatures(db: Db, table: 'openingReports' | 'strayReports'): Promise<Finding[]> {
  const gateways = await runSql(db, 'select "id", "publicKey", "isStandIn" from "gateways"', [])
  const standIns = new Set(
    (gateways as readonly { id: string; isStandIn: unknown }[]).flatMap(({ id, isStandIn }) =>
      isStandIn ? [id] : [],
    ),
  )
  const keys = new Map<string, VerifyingKey | undefined>(
    (gateways as readonly { id: string; publicKey: string }[]).map(({ id, publicKey }) => [
      id,
      verifyingKey(publicKey),
    ]),
  )
  const columns = ['openingId', 'gatewayId', 'bootId', 'seq', 'body', 'signature']
  const forged = await check(db, table, columns, row => {
    const {
      bootId = '',
      body = '',
      gatewayId = '',
      openingId = '',
      signature = '',
    } = row as Record<string, string>
    // The stand-in of a sandbox has no key: its reports prove nothing.
    if (standIns.has(gatewayId)) return undefined
    const key = keys.get(gatewayId)
    const sent = { gatewayId, openingId, bootId, seq: Number(row['seq']), body, signature }
    const isFine = key !== undefined && isSignedBy({ type: 'report', keyId: key.keyId, ...sent }, [key])
    return isFine ? undefined : { id: openingId, what: `the signature of ${gatewayId} does not hold` }
  })
  return named(`${table}.signature`, forged)
}

function isJson(text: unknown): boolean {
  try {
    JSON.parse(String(text))
    return true
  } catch {
    return false
  }
}

/** Columns of JSON with other text. */
async function verifyJson(db: Db): Promise<Finding[]> {
  const found: Finding[] = []
  for (const [table, columns] of Object.entries(jsonColumns))
    for (const column of columns) {
      const faults = await check(db, table, ['id', column], row =>
        row[column] === null || isJson(row[column])
          ? undefined
          : { id: String(row['id']), what: 'is no JSON' },
      )
      found.push(...named(`${table}.${column}`, faults))
    }
  return found
}

/** The rows that break a rule. */
export async function verifyRows(db: Db): Promise<Finding[]> {
  const found = await verifyJson(db)
  for (const rule of rowRules(isPostgres(db) ? postgresWords : sqliteWords))
    found.push(...(await ask(db, rule)))
  return found
}

async function verifyAll(db: Db, right: Schema | Finding, seal: Seal): Promise<readonly Finding[]> {
  const file = await verifyFile(db)
  // Broken pages explain all other findings, and further reads could fail.
  if (file.some(({ rule }) => rule === 'integrity')) return file
  const tables = 'rule' in right ? [right] : compareTables(right, await readSchema(db))
  const rows = [...(await verifyRows(db)), ...(await verifySeals(db, seal))]
  const reports = [
    ...(await verifySignatures(db, 'openingReports')),
    ...(await verifySignatures(db, 'strayReports')),
  ]
  return [...file, ...tables, ...rows, ...reports]
}

/**
 * Checks everything that can be checked, as of one moment, while others read and write. All writes are rolled back. On SQLite
 * `database` must not be used for anything else at the same time.
 */
export async function verify(database: Database, seal: Seal): Promise<readonly Finding[]> {
  const right = await rightTables(database)
  return readOneMoment(database, db => verifyAll(db, right, seal))
}

/** The same inside a transaction of `database`. */
export async function verifyInside(tx: Db, database: Database, seal: Seal): Promise<readonly Finding[]> {
  return verifyAll(tx, await rightTables(database), seal)
}
