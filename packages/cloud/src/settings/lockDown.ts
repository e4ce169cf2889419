// The lock-down of a Space: from its commit on, no press of the Space is granted, until an admin ends it.

import { isProblem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import { actorOf, recordActivity } from '../activity/activity.ts'
import type { Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { AppHandlers } from '../http/handler.ts'
import { readLockDown, setLockDown } from '../space/lockDowns.ts'

interface LockDownParts {
  readonly world: World
  /** Ends the presses of a Space that wait for their call. */
  readonly endWaiting: (tx: Db, spaceId: string) => Promise<{ readonly count: number; afterCommit(): void }>
}

/** The dashboard's operations that lock all gates of a Space, and unlock them. */
export function lockDownHandlers({
  endWaiting,
  world,
}: LockDownParts): Pick<AppHandlers, 'lockDown' | 'endLockDown'> {
  return {
    async lockDown({ principal, write }) {
      const { identity, spaceId } = principal
      let afterCommit = () => {}
      const answer = await write(async tx => {
        const before = await readLockDown(tx, spaceId)
        if (before.lockDown) return { status: 200, body: { lockDown: before.lockDown } } as const
        const since = isoTime(timeIn(tx, world))
        await setLockDown(tx, spaceId, { since, userId: identity.kind === 'user' ? identity.userId : null })
        const ended = await endWaiting(tx, spaceId)
        afterCommit = ended.afterCommit
        const of = { spaceId, ...actorOf(principal), targetId: spaceId, targetLabel: before.spaceName }
        await recordActivity(tx, world, {
          ...of,
          action: 'space.locked_down',
          details: { ended: ended.count },
        })
        const { lockDown } = await readLockDown(tx, spaceId)
        if (!lockDown) throw new Error('the Space was just locked')
        return { status: 200, body: { lockDown } } as const
      })
      if (!isProblem(answer)) afterCommit()
      return answer
    },

    endLockDown: ({ principal, write }) =>
      write(async tx => {
        const { spaceId } = principal
        const { lockDown, spaceName } = await readLockDown(tx, spaceId)
        if (!lockDown) return { status: 204 } as const
        await setLockDown(tx, spaceId, undefined)
        const of = { spaceId, ...actorOf(principal), targetId: spaceId, targetLabel: spaceName }
        const details = { since: lockDown.since }
        await recordActivity(tx, world, { ...of, action: 'space.lock_down_ended', details })
        return { status: 204 } as const
      }),
  }
}
