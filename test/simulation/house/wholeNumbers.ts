// Promise A3: a column of whole numbers holds no fraction: Postgres would refuse it with everything in the same write, and SQLite
// stores it.

import { sqliteWords } from '@callgate/cloud/verify/ruleWords'
import type { House } from './house.ts'

/** The fractions in the tables that came from a clock, each as a violation. */
export async function fractionsIn({ rows, ruleWords }: Pick<House, 'rows' | 'ruleWords'>): Promise<string[]> {
  if (ruleWords !== sqliteWords) return []
  const tables = await rows<{ name: string }>(`select name from sqlite_master where type = 'table'`)
  const found: string[] = []
  for (const { name: table } of tables) {
    const columns = await rows<{ name: string }>(
      `select name from pragma_table_info('${table}') where upper(type) in ('INTEGER', 'BIGINT')`,
    )
    if (columns.length === 0) continue
    const isFraction = columns.map(({ name }) => `typeof("${name}") = 'real'`).join(' or ')
    const [one] = await rows(`select 1 from "${table}" where ${isFraction} limit 1`)
    if (one) found.push(table)
  }
  return found.map(table => `A3: a column of whole numbers in ${table} holds a fraction`)
}
