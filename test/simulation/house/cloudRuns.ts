// The runs of the cloud in one simulation, one after the other on the same database, and their common statistics.

import { type CloudLife, type CloudParts, startCloud } from './cloudLife.ts'
import { wasRefused } from './databaseWay.ts'
import type { OpeningTimes } from './lifeDatabase.ts'

export interface CloudRuns {
  /** The current run, or the last one. */
  current(): CloudLife
  /**
   * Ends the current run if there is one, and starts another one on the same database. `onFailed` is called when the start fails
   * because another program locks the database, or its disk fails.
   */
  restart(onFailed?: () => void): Promise<void>
  /** How often openings changed from one status to another. */
  moves(): readonly (readonly [move: string, times: number])[]
  /** When each opening began, was granted and first ended, by its id. */
  times(): ReadonlyMap<string, OpeningTimes>
  /** Closes the databases of all runs. */
  close(): Promise<void>
}

export function createCloudRuns(parts: CloudParts, first: CloudLife): CloudRuns {
  let current = first
  const runs = [first]
  return {
    current: () => current,
    async restart(onFailed) {
      current.life.kill()
      parts.machine.goOn()
      const started = await startCloud(parts, current.database.dump())
      current = started
      runs.push(started)
      started.boot().catch(error => {
        if (!onFailed || !wasRefused(error)) throw error
        started.life.kill('ended in its start')
        if (current === started) onFailed()
      })
    },
    moves: () =>
      runs.flatMap(({ database }) =>
        database.moves().map(({ now, times, was }) => [`opening: ${was} → ${now}`, times] as const),
      ),
    times() {
      const firsts = new Map<string, OpeningTimes>()
      for (const { id, ...later } of runs.flatMap(({ database }) => database.times())) {
        const { begunMs, endedMs, grantedMs } = firsts.get(id) ?? later
        firsts.set(id, {
          begunMs: begunMs ?? later.begunMs,
          grantedMs: grantedMs ?? later.grantedMs,
          endedMs: endedMs ?? later.endedMs,
        })
      }
      return firsts
    },
    async close() {
      for (const { database } of runs) await database.close()
    },
  }
}
