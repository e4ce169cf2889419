// Verifying: checks whether the data is what the program would have written, and changes nothing.

import { isSignedBy, type VerifyingKey, verifyingKey } from '@callgate/contract/wire/signature'
import { type Db, migrate, openDatabase, runSql } from '../database/database.ts'
import { sealedColumns } from '../rotation/sealedColumns.ts'
import type { Seal } from '../secrets/sealing.ts'
import { type Rule, rowRules } from './rules.ts'

/** One thing that is wrong. */
export interface Finding {
  readonly rule: string
  /** The id of the row, where the finding is about one row. */
  readonly id: string | null
  readonly what: string
}

/** The most findings of one rule: a damaged table would fill the memory. */
const mostOfEach = 100
/** Rows that are held in memory at once. */
const pageSize = 500

type Found = readonly { readonly id: string | null; readonly what: string }[]

/** Adds the name of the rule, and a last line where there are more findings than are shown. */
function named(rule: string, found: Found): Finding[] {
  const told = found.slice(0, mostOfEach).map(({ id, what }) => ({ rule, id, what }))
  return found.length > mostOfEach ? [...told, { rule, id: null, what: 'and more' }] : told
}

async function ask(db: Db, { name, sql }: Rule): Promise<Finding[]> {
  const found = await runSql(db, `select * from (${sql}) limit ${mostOfEach + 1}`, [])
  return named(name, found as Found)
}

/** What SQLite finds wrong with its own file: broken pages and indexes, and rows that name missing rows. */
export async function verifyFile(db: Db): Promise<Finding[]> {
  const pages = await runSql(db, `pragma integrity_check(${mostOfEach})`, [])
  const broken = (pages as readonly { integrity_check: string }[]).filter(
    page => page.integrity_check !== 'ok',
  )
  const lost = {
    name: 'foreign keys',
    sql: `select "table" || ' row ' || coalesce(rowid, '?') as id, 'names a row of ' || "parent" || ' that is not there' as what from pragma_foreign_key_check`,
  }
  return [
    ...named(
      'integrity',
      broken.map(page => ({ id: null, what: page.integrity_check })),
    ),
    ...(await ask(db, lost)),
  ]
}

type Made = ReadonlyMap<string, string>

async function madeIn(db: Db): Promise<Made> {
  const rows = await runSql(
    db,
    `select "type" || ' ' || "name" as name, "sql" from sqlite_master where "sql" is not null and "name" not like 'sqlite_%'`,
    [],
  )
  return new Map((rows as readonly { name: string; sql: string }[]).map(({ name, sql }) => [name, sql]))
}

/** Compares tables, indexes and triggers with those that this version makes, since the guards of the rows can be dropped. */
async function verifyTables(db: Db): Promise<Finding[]> {
  const fresh = await openDatabase({ url: ':memory:' })
  try {
    await migrate(fresh)
    const right = await madeIn(fresh.knex)
    const there = await madeIn(db)
    return [...new Set([...right.keys(), ...there.keys()])].flatMap(id => {
      if (right.get(id) === there.get(id)) return []
      const what = there.has(id) ? (right.has(id) ? 'was changed' : 'is not ours') : 'is missing'
      return [{ rule: 'tables', id, what }]
    })
  } finally {
    await fresh.close()
  }
}

type Row = Readonly<Record<string, unknown>>

/** Looks at every row of `table`, a page at a time, in the order of its rowid. */
async function look(
  db: Db,
  table: string,
  columns: readonly string[],
  fault: (row: Row) => { readonly id: string; readonly what: string } | undefined,
): Promise<Found> {
  const list = columns.map(column => `"${column}"`).join(', ')
  const sql = `select rowid as place, ${list} from "${table}" where rowid > ? order by rowid limit ${pageSize}`
  const found: { id: string; what: string }[] = []
  let place = 0
  for (;;) {
    const rows = (await runSql(db, sql, [place])) as readonly Row[]
    for (const row of rows) {
      const wrong = found.length <= mostOfEach ? fault(row) : undefined
      if (wrong) found.push(wrong)
    }
    const last = rows.at(-1)
    if (!last || found.length > mostOfEach) return found
    place = Number(last['place'])
  }
}

/** Whether the sealing keys open every sealed value in its place. */
export async function verifySeals(db: Db, seal: Seal): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { column, idOf, isWhole, key, others, placeOf, table, what } of sealedColumns) {
    const faults = await look(db, table, [...key, ...others, column], row => {
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
  const gateways = await runSql(db, 'select "id", "publicKey" from "gateways"', [])
  const keys = new Map<string, VerifyingKey | undefined>(
    (gateways as readonly { id: string; publicKey: string }[]).map(({ id, publicKey }) => [
      id,
      verifyingKey(publicKey),
    ]),
  )
  const columns = ['openingId', 'gatewayId', 'bootId', 'seq', 'body', 'signature']
  const forged = await look(db, table, columns, row => {
    const {
      bootId = '',
      body = '',
      gatewayId = '',
      openingId = '',
      signature = '',
    } = row as Record<string, string>
    const key = keys.get(gatewayId)
    const sent = { gatewayId, openingId, bootId, seq: Number(row['seq']), body, signature }
    const isFine = key !== undefined && isSignedBy({ type: 'report', keyId: key.keyId, ...sent }, [key])
    return isFine ? undefined : { id: openingId, what: `the signature of ${gatewayId} does not hold` }
  })
  return named(`${table}.signature`, forged)
}

/** Which rows break a rule. */
export async function verifyRows(db: Db): Promise<Finding[]> {
  const found: Finding[] = []
  for (const rule of rowRules) found.push(...(await ask(db, rule)))
  return found
}

/**
 * Checks everything that can be checked, as of one moment, while others read and write. Nothing is written. `db` must
 * not be used for anything else at the same time.
 */
export async function verify(db: Db, seal: Seal): Promise<readonly Finding[]> {
  // Not by knex, whose transactions take the write lock.
  await runSql(db, 'begin deferred', [])
  try {
    const file = await verifyFile(db)
    // Broken pages explain all other findings, and reading on could fail.
    if (file.some(({ rule }) => rule === 'integrity')) return file
    const tables = await verifyTables(db)
    const rows = [...(await verifyRows(db)), ...(await verifySeals(db, seal))]
    const reports = [
      ...(await verifySignatures(db, 'openingReports')),
      ...(await verifySignatures(db, 'strayReports')),
    ]
    return [...file, ...tables, ...rows, ...reports]
  } finally {
    await runSql(db, 'ROLLBACK', [])
  }
}
