// Statements: queries that knex writes once for each shape, because writing a query takes longer than running it.

import type { Knex } from 'knex'
import { type Binding, type Db, runSql } from './database.ts'
import { isPostgres } from './dialect.ts'

/** The values of a statement. An absent or null value is a part of the shape, because knex can write other SQL for it. */
export type Values = Readonly<Record<string, Binding | undefined>>

interface Compiled {
  readonly sql: string
  /** The name of a value for each `?`, or a constant of the query. */
  readonly slots: readonly ({ readonly name: string } | { readonly constant: Binding })[]
}

/** Stands for a value while knex writes; numbers stay numbers, because `limit` and `offset` require them. */
function marker(value: Binding, place: number): Binding {
  return typeof value === 'number' ? Number.MAX_SAFE_INTEGER - place : `\u0000${place}`
}

function compile(write: (db: Db, values: never) => Knex.QueryBuilder, db: Db, values: Values): Compiled {
  const given = Object.entries(values).flatMap(([name, value], place) =>
    value === undefined || value === null ? [] : [{ name, marker: marker(value, place) }],
  )
  const nulls = Object.entries(values).filter(([, value]) => value === null)
  const markers = Object.fromEntries([...nulls, ...given.map(({ name, marker }) => [name, marker])])
  const { bindings, sql } = write(db, markers as never)
    .toSQL()
    .toNative()
  const nameOf = new Map(given.map(({ name, marker }) => [marker, name]))
  // If the query computed with a value while it was written, the result would be a constant of every later run.
  const lost = given.find(({ marker }) => !bindings.includes(marker as Knex.Value))
  if (lost) throw new Error(`the value ${lost.name} is not bound as it was given`)
  const slots = bindings.map(binding => {
    const name = nameOf.get(binding as Binding)
    return name === undefined ? { constant: binding as Binding } : { name }
  })
  return { sql, slots }
}

/**
 * A query that knex writes when it first has a shape. After that the kept statement runs. `write` only places its values: it may
 * test whether a value is present, and must neither compute with a value nor read it. Resolves with the rows; runs inside a
 * transaction when it gets one.
 */
export function statement<Given extends Values, Row>(
  write: (db: Db, values: Given) => Knex.QueryBuilder,
): (db: Db, values: Given) => Promise<readonly Row[]> {
  const shapes = new Map<string, Compiled>()
  return async (db, values) => {
    // The two databases may need different SQL for the same shape.
    let shape = isPostgres(db) ? 'postgres ' : ''
    for (const name in values)
      if (values[name] !== undefined) shape += values[name] === null ? `${name}=null ` : `${name} `
    let compiled = shapes.get(shape)
    if (!compiled) {
      compiled = compile(write, db, values)
      shapes.set(shape, compiled)
    }
    const bindings = compiled.slots.map(slot =>
      'name' in slot ? (values[slot.name] ?? null) : slot.constant,
    )
    return (await runSql(db, compiled.sql, bindings)) as readonly Row[]
  }
}
