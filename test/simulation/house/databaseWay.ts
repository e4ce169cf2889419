// The connection of one simulated cloud to the database that it shares with others, with its faults.

import { databaseTrouble } from '@callgate/cloud/database/database'
import type { FakeWorld } from '@callgate/world/fake'

export interface DatabaseWay {
  /** After so many statements the database is unreachable, until `reachAgain`. */
  cutAfter(steps: number): void
  reachAgain(): void
  /** After so many commits the answer to one is lost: the commit takes place, and the cloud sees an error. */
  loseAnswerAfter(commits: number): void
  /** Called before each statement. Throws where the connection is cut. */
  pass(): void
  /** Called before each commit. False: the commit takes place, and its answer is lost. Throws where the connection is cut. */
  hearsCommit(): boolean
}

const unknownCommit = 'whether it was committed is unknown'

/** The error as the transactions of Postgres word it. */
export const lostAnswer = () => new Error(unknownCommit)

/** The driver's error code where the connection is cut: the nearest one of SQLite, or that of Postgres. */
export type LostCode = 'SQLITE_BUSY' | 'ECONNRESET'

/** Whether a press or a start failed because of the database or the connection to it. */
export const wasRefused = (error: unknown) =>
  databaseTrouble(error) !== undefined || (error instanceof Error && error.message === unknownCommit)

/** Whether a start failed because the program cannot work with these tables; it would fail again. */
export const isTooNew = (error: unknown) => databaseTrouble(error) === 'too_new'

/** Calls `onCut` when the connection is cut, which may be long after `cutAfter`. */
export function databaseWay(
  world: FakeWorld,
  name: string,
  code: LostCode,
  onCut: () => void = () => {},
): DatabaseWay {
  let stepsLeft = Number.POSITIVE_INFINITY
  let commitsLeft = Number.POSITIVE_INFINITY
  let isCut = false

  function pass() {
    if (stepsLeft-- > 0) return
    if (!isCut) {
      world.log.info('is cut off from the database', { who: name, met: ['database cut off'] })
      onCut()
    }
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
        // The connection was cut at this moment: the commit takes place.
        return false
      }
      if (commitsLeft-- > 0) return true
      commitsLeft = Number.POSITIVE_INFINITY
      world.log.info('does not hear that it has committed', { who: name, met: ['answer to a commit lost'] })
      return false
    },
  }
}
