// A database whose writes are measured: how long each waits, and how long it takes then, until the commit that others may share.

import { type Measure, measured } from '@callgate/world/measures'
import type { World } from '@callgate/world/world'
import { type Database, databaseTrouble } from '../database/database.ts'

type Outcome = Extract<Measure, { kind: 'write' }>['outcome']

const outcomeOf = (error: unknown): Outcome => (databaseTrouble(error) === 'busy' ? 'busy' : 'rolled_back')

/** Wraps a database, and publishes a measure of each write once it is over. */
export function measuredDatabase(world: World, database: Database): Database {
  const write: Database['write'] = async (work, ...more) => {
    const askedMs = world.monotonicMs()
    let begunMs: number | undefined
    const tell = (outcome: Outcome) => {
      const nowMs = world.monotonicMs()
      const since = begunMs ?? nowMs
      measured({ kind: 'write', outcome, waitedMs: since - askedMs, durationMs: nowMs - since })
    }
    try {
      const answer = await database.write(
        tx => {
          begunMs = world.monotonicMs()
          return work(tx)
        },
        ...more,
      )
      tell('committed')
      return answer
    } catch (error) {
      tell(outcomeOf(error))
      throw error
    }
  }
  return { ...database, write }
}
