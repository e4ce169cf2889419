// Live pages: a shown reading is repeated when an event reports that it has changed.

import type { SpaceEvent } from '@callgate/contract/app/spaceEvent'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { nowMs } from '../clock.ts'
import { browserTabs } from './browserTabs.ts'
import { type Changed, collector, sparing } from './collector.ts'
import { followSpace, type StreamState } from './eventStream.ts'
import { isTouched } from './keys.ts'
import { LiveScope, useReadFitting } from './reading.tsx'
import { useSessions, useSpace } from './session.tsx'
import { touchedBy } from './touched.ts'

/** Since when no events come, in milliseconds since 1970; undefined while they come. */
const LostSince = createContext<number | undefined>(undefined)

/** Keeps everything below it live, in the Space of the page. */
export function LiveUpdates({ children }: { readonly children: ReactNode }) {
  const readAgain = useReadFitting()
  const { ask, takeStart } = useSessions()
  const { session, space } = useSpace()
  const [lostSince, setLostSince] = useState<number>()
  const [isLive, setLive] = useState(false)
  const spaceId = space.id
  // A new session has a stream of its own.
  const { csrfToken } = session

  useEffect(() => {
    if (csrfToken === '') return
    const read = (changed: Changed) =>
      readAgain(key =>
        changed === 'all' ? key[0] === spaceId : changed.some(one => isTouched(key, { spaceId, ...one })),
      )
    const changes = collector(read, sparing)
    // A person waits for the steps of the opening that is shown.
    const steps = collector(read, () => 0)
    const listener = {
      onEvent(event: SpaceEvent) {
        const touched = touchedBy(event)
        const { kind, targetId } = event
        // The session holds what every page shows of the Space: its name, and whether its gates are locked.
        if (!touched || kind.startsWith('space.')) void ask()
        if (!touched) return changes.add('all')
        if (kind.startsWith('opening.') && targetId !== null)
          steps.add([{ noun: 'openings', id: targetId, isAlone: true }])
        changes.add(touched)
      },
      onState(state: StreamState) {
        setLive(state === 'live')
        // The cloud knows whether the session has ended or only the role.
        if (state === 'ended') void ask()
        setLostSince(before => (state === 'lost' || state === 'ended' ? (before ?? nowMs()) : undefined))
      },
    }
    const stop = followSpace(spaceId, listener, browserTabs, takeStart(spaceId))
    return () => {
      stop()
      setLive(false)
      changes.stop()
      steps.stop()
    }
  }, [ask, csrfToken, readAgain, spaceId, takeStart])

  return (
    <LostSince value={lostSince}>
      <LiveScope isLive={isLive}>{children}</LiveScope>
    </LostSince>
  )
}

/** Since when no events about the shown data come; undefined while they come. */
export function useLostSince(): number | undefined {
  return useContext(LostSince)
}
