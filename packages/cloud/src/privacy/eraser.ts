// The eraser: continues erasures in the background, and removes data whose time is over.

import { repeat } from '@callgate/world/repeat'
import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { MailFiles } from '../mail/mailFolder.ts'
import type { Seal } from '../secrets/sealing.ts'
import { continueErasures } from './erasure.ts'
import { sweepDue } from './retention.ts'

export interface Eraser {
  /** Starts work at once, because an erasure has begun. */
  wake(): void
  stop(): void
}

const everyMs = 60_000
/** How often it looks for Spaces that were not swept for a day. */
const sweepEveryMs = 3_600_000

/** A sweep pauses this many times as long as it works: the first one may cover years, and other writes wait for its own. */
const pausePerWork = 9
const leastPauseMs = 20
const longestPauseMs = 1_000

/** Pauses that can be ended early. */
function createPauses(world: World) {
  let end = () => {}
  return {
    pause: (workedMs: number) =>
      new Promise<void>(resolve => {
        const pauseMs = Math.min(longestPauseMs, Math.max(leastPauseMs, workedMs * pausePerWork))
        const timer = world.after(pauseMs, resolve)
        end = () => {
          timer.cancel()
          resolve()
        }
      }),
    end: () => end(),
  }
}

/** Starts the eraser. The next process continues the work of a stopped one. */
export function startEraser(parts: {
  readonly database: Database
  readonly seal: Seal
  readonly world: World
  readonly mailFiles?: MailFiles
}): Eraser {
  const { mailFiles, world } = parts
  let isStopped = false
  let isRunning = false
  let isAsked = false
  async function run(): Promise<void> {
    if (isRunning || isStopped) {
      isAsked = true
      return
    }
    isRunning = true
    isAsked = false
    await continueErasures(parts, () => isStopped).catch((error: unknown) =>
      world.log.warn('an erasure is not done yet', { why: String(error) }),
    )
    isRunning = false
    if (isAsked) return run()
  }
  const stopRunning = repeat(world, everyMs, run)
  const pauses = createPauses(world)
  const sweep = (isOver: () => boolean) =>
    sweepDue({ ...parts, pause: pauses.pause }, isOver)
      .catch((error: unknown) => world.log.warn('old identities were not removed', { why: String(error) }))
      .then(() => mailFiles?.removeOld())
  const failed = (why: string) => world.log.warn('old files of mails were not removed', { why })
  // Soon after a start, because a process may never run for an hour.
  const stopSweeping = repeat(world, sweepEveryMs, sweep, failed, everyMs)
  return {
    wake: () => void run(),
    stop() {
      isStopped = true
      void stopRunning()
      void stopSweeping()
      pauses.end()
    },
  }
}
