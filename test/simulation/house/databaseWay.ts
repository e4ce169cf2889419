// The way of one simulated cloud to the database that it shares with others, and what can go wrong on it.

import { databaseTrouble } from '@callgate/cloud/database/database'
import type { FakeWorld } from '@callgate/world/fake'

export interface DatabaseWay {
  /** From its next statements on it does not reach the database, until it does again. */
  cutAfter(steps: number): void
  reachAgain(): void
  /** After so many commits the answer to one is lost: it takes place, and the cloud sees an error. */
  loseAnswerAfter(commits: number): void
  /** Called before each statement. Throws where the way is cut. */
  pass(): void
  /** Called before each commit. False: it takes place, and its answer is lost. Throws where the way is cut. */
  hearsCommit(): boolean
}

const unknownCommit = 'whether it was committed is unknown'

/** As Postgres's transactions say it. */
export const lostAnswer = () => new Error(unknownCommit)

/** What the driver says when the way is cut: the nearest that SQLite has, or what Postgres's has. */
export type LostCode = 'SQLITE_BUSY' | 'ECONNRESET'

/** Whether a press or a start failed because of the database or the way to it. */
export const wasRefused = (error: unknown) =>
  databaseTrouble(error) !== undefined || (error instanceof Error && error.message === unknownCommit)

/** Whether a start failed because the program cannot work with the tables: it would fail again. */
export const isTooNew = (error: unknown) => databaseTrouble(error) === 'too_new'

export function databaseWay(world: FakeWorld, name: string, code: LostCode): DatabaseWay {
  let stepsLeft = Number.POSITIVE_INFINITY
  let commitsLeft = Number.POSITIVE_INFINITY
  let isCut = false

  function pass() {
    if (stepsLeft-- > 0) return
    if (!isCut) world.log.info('is cut off from the database', { who: name, met: ['database cut off'] })
    isCut = true
    throw Object.assign(new Error('the connection is lost'), { code })
  }

  return {
    cutAfter(steps) {
      stepsLeft = steps
    },
    reachAgain() {
      stepsLeft = Number.POSITIVE_INFINITY
      commitsLeft = Number.POSITIVE_INFINITY
      isCut = false
      world.log.info('reaches the database again', { who: name })
    },
    loseAnswerAfter(commits) {
      commitsLeft = commits
    },
    pass,
    hearsCommit() {
      const wasCut = isCut
      try {
        pass()
      } catch (error) {
        if (wasCut) throw error
        // Cut off just now: the commit takes place.
        return false
      }
      if (commitsLeft-- > 0) return true
      commitsLeft = Number.POSITIVE_INFINITY
      world.log.info('does not hear that it has committed', { who: name, met: ['answer to a commit lost'] })
      return false
    },
  }
}
