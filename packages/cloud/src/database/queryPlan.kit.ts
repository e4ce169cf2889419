// Query plans for tests: how SQLite runs the queries of some work.

import type { Database, Db } from './database.ts'

/** The steps of each query that `work` runs, in SQLite's words. */
export async function plansOf(
  { knex }: Database,
  work: (db: Db) => Promise<unknown>,
): Promise<readonly (readonly string[])[]> {
  const asked: { sql: string; bindings: readonly string[] }[] = []
  const note = (query: (typeof asked)[number]) => void asked.push(query)
  knex.on('query', note)
  await work(knex)
  knex.removeListener('query', note)
  const plans: string[][] = []
  for (const { bindings, sql } of asked) {
    const steps: { detail: string }[] = await knex.raw(`explain query plan ${sql}`, [...bindings])
    plans.push(steps.map(({ detail }) => detail))
  }
  return plans
}

/** The steps of one query that read, where parts that are each in their order are merged: a merge sorts and copies nothing. */
export const readsOf = (steps: readonly string[] = []): readonly string[] =>
  steps.filter(step => !/^(MERGE \(UNION ALL\)|LEFT|RIGHT)$/.test(step))
