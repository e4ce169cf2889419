// A change of many members that can be tried: a dry run is the change itself, rolled back, so it says what would really happen.

import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { Knex } from 'knex'
import type { Reach } from '../database/transaction.ts'

/** Rolls a dry run back; it is never sent as an answer. */
const onlyTried: Problem = { problem: 'validation_error', message: 'nothing was changed' }

interface Done<Body> {
  readonly status: 200
  readonly body: Body
}

interface Trying<Body> {
  readonly isDryRun: boolean
  readonly spaceId: string
  /** Of the request. */
  readonly write: (
    work: (tx: Knex.Transaction) => Promise<Done<Body> | Problem>,
    reach: Reach,
  ) => Promise<Done<Body> | Problem>
}

/** Answers with what `apply` returns. All or nothing: a problem, and the end of a dry run, undo what it has written. */
export async function tryOrWrite<Body extends object>(
  { isDryRun, spaceId, write }: Trying<Body>,
  apply: (tx: Knex.Transaction) => Promise<Body | Problem>,
): Promise<Done<Body> | Problem> {
  let tried: Done<Body> | undefined
  const written = await write(
    async tx => {
      const body = await apply(tx)
      if (isProblem(body)) return body
      tried = { status: 200, body }
      return isDryRun ? onlyTried : tried
    },
    { spaceId, isLong: true },
  )
  return written === onlyTried && tried ? tried : written
}
