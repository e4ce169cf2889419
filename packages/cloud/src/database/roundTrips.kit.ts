// Counts the statements on a Postgres and the round trips that they take, for tests.

import type { Database } from './database.ts'
import type { Session } from './postgresSession.ts'

export interface Counted {
  readonly statements: number
  /** How often somebody waits for the server. Statements that are sent together wait once. */
  readonly roundTrips: number
}

type Answer = (error: unknown, result: unknown) => void

/** The statements of one session: `sent` and `answered` are called in their order. */
function sessionCounts(count: (isWait: boolean) => void) {
  let running = 0
  // Whatever is sent after an answer may depend on it, also where other answers are still missing.
  let hasAnswer = false
  return {
    sent() {
      count(running === 0 || hasAnswer)
      hasAnswer = false
      running++
    },
    answered() {
      running--
      hasAnswer = true
    },
  }
}

/** News of commits, and what a cloud reads after them to follow its openings. Nobody waits for these. */
const inBackground =
  /pg_notify|^select [^(]* from ("event(s|Counters)"|"openings" where "spaceId" = \$1 and "id" in)/

const textOf = (asked: unknown) =>
  typeof asked === 'string' ? asked : (asked as { readonly text: string }).text

/**
 * Counts what the usual connections of the database send from now on, except in the background. `take` returns the counts since
 * the last call.
 */
export function countRoundTrips({ knex }: Pick<Database, 'knex'>): { take(): Counted } {
  const { client } = knex
  const acquire: () => Promise<Session> = client.acquireConnection.bind(client)
  const counted = new WeakSet<Session>()
  let statements = 0
  let roundTrips = 0

  function countOn(session: Session): void {
    const query = session.query.bind(session) as (...given: unknown[]) => unknown
    const counts = sessionCounts(isWait => {
      statements++
      if (isWait) roundTrips++
    })
    Object.assign(session, {
      query(asked: unknown, ...rest: unknown[]) {
        if (inBackground.test(textOf(asked))) return query(asked, ...rest)
        counts.sent()
        const last = rest.at(-1)
        if (typeof last !== 'function') return Promise.resolve(query(asked, ...rest)).finally(counts.answered)
        const answer: Answer = (error, result) => {
          counts.answered()
          ;(last as Answer)(error, result)
        }
        return query(asked, ...rest.slice(0, -1), answer)
      },
    })
  }

  client.acquireConnection = async () => {
    const session = await acquire()
    if (!counted.has(session)) countOn(session)
    counted.add(session)
    return session
  }
  return {
    take() {
      const taken = { statements, roundTrips }
      statements = 0
      roundTrips = 0
      return taken
    },
  }
}
