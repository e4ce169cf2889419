// Watches that the data holds every commit. Where it has gone back, it is marked as after a restore.

import { measured } from '@callgate/world/measures'
import type { World } from '@callgate/world/world'
import type { CommittedEvent } from '../database/commits.ts'
import type { Database, Db } from '../database/database.ts'
import type { DataGuard } from '../database/dataGuard.ts'
import { skippedAtRestore } from '../event/events.ts'
import type { OpeningsAfterLoss } from './afterLoss.ts'
import { lastCommits } from './lastCommits.ts'
import { markWentBack, type RestoreLockout } from './restores.ts'

/** Other clouds renew their leases every second, and check a new server then. A write waits for 2 s before it is refused. */
const othersCheckWithinMs = 1_500

const isSame = (one: CommittedEvent, other: CommittedEvent) =>
  one.at === other.at && one.kind === other.kind && one.targetId === other.targetId

/**
 * The first commit that the data lacks; undefined where none is missing. The commits of a Space that the data does not know are
 * ignored, because they belong to other data. So are commits before a mark, which has moved the numbers on. Where a number was
 * given again, the events differ. Old events are deleted, so an absent event does not count as lost.
 */
export async function lostCommit(
  db: Db,
  commits: readonly CommittedEvent[],
): Promise<CommittedEvent | undefined> {
  if (commits.length === 0) return undefined
  const spaceIds = [...new Set(commits.map(({ spaceId }) => spaceId))]
  const counters: { spaceId: string; lastSeq: number | null }[] = await db('spaces')
    .leftJoin('eventCounters', 'eventCounters.spaceId', 'spaces.id')
    .whereIn('spaces.id', spaceIds)
    .select({ spaceId: 'spaces.id', lastSeq: 'eventCounters.lastSeq' })
  const newest = new Map(counters.map(({ lastSeq, spaceId }) => [spaceId, Number(lastSeq ?? 0)]))
  const places = commits.map(({ seq, spaceId }) => [spaceId, seq])
  const rows: CommittedEvent[] = await db('events').whereIn(['spaceId', 'seq'], places)
  const found = new Map(rows.map(row => [`${row.spaceId} ${row.seq}`, row]))
  return commits.find(commit => {
    const { seq, spaceId } = commit
    const lastSeq = newest.get(spaceId)
    if (lastSeq === undefined || lastSeq >= seq + skippedAtRestore / 2) return false
    const event = found.get(`${spaceId} ${seq}`)
    return lastSeq < seq || (event !== undefined && !isSame(event, commit))
  })
}

interface DataWatchParts {
  readonly world: World
  readonly database: Database
  /** The folder of the last commits, beside the keys of the cloud. */
  readonly folder: string
  readonly lockout: Pick<RestoreLockout, 'shutAgain'>
  readonly openings: Pick<OpeningsAfterLoss, 'markEnds'>
  /** Whether other clouds serve the same data. */
  readonly isShared: boolean
}

/** Checks once, then guards the database. Returns the function that stops recording the last commits. */
export async function watchData(parts: DataWatchParts): Promise<() => void> {
  const { database, folder, isShared, openings, lockout, world } = parts
  const commits = lastCommits(folder, world.log)

  async function mark(): Promise<void> {
    const marked = await database.write(
      async tx => {
        // Another cloud may have marked the data meanwhile.
        const lost = await lostCommit(tx, commits.all())
        return lost && { lost, ...(await markWentBack(tx, world, lost.at, openings)) }
      },
      { isMark: true, committed: done => done?.afterCommit() },
    )
    if (!marked) return
    measured({ kind: 'went_back' })
    const { at, seq, spaceId } = marked.lost
    world.log.error('the data has gone back: what was committed is lost. Presses are refused for a while', {
      spaceId,
      seq,
      lostSince: at,
      endedOpenings: marked.endedOpenings,
    })
  }

  const guard: DataGuard = {
    world,
    settleMs: isShared ? othersCheckWithinMs : 0,
    committed: commits.add,
    isWhole: async tx => (await lostCommit(tx, commits.all())) === undefined,
    mark: () =>
      mark().catch((error: unknown) => {
        world.log.error('data that has gone back could not be marked', { why: String(error) })
      }),
    marked: lockout.shutAgain,
  }
  if (commits.all().length > 0) await mark()
  database.guardBy(guard)
  return commits.close
}
