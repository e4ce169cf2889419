// A Postgres database for a test: real, empty, and of its own.

import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The port on which `test/postgres/databasesForTests.ts` gives out databases. */
    readonly postgresDoor: number
  }
}

/** The address of an empty database that nothing else uses. It is gone after the test run. */
export async function emptyPostgres(): Promise<string> {
  const answer = await text(connect(inject('postgresDoor'), '127.0.0.1'))
  const { error, url } = JSON.parse(answer) as { readonly url?: string; readonly error?: string }
  if (url === undefined) throw new Error(`there is no Postgres for this test: ${error}`)
  return url
}
