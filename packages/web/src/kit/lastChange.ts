// The person of the last change to a thing, for another person whose own change was refused because of it.

import { useCallback } from 'react'
import { useCall } from '../client/connection.tsx'
import { useSessions } from '../client/session.tsx'
import { useFirstWords } from '../words/words.tsx'

export interface Changed {
  /** The beginning of a sentence: `Ana Pop`; `Somebody` where the person is unknown. */
  readonly who: string
  /** The time as ISO 8601; undefined where it is unknown. */
  readonly at: string | undefined
}

/** Reads who last changed a thing. A form reads this together with the current values. */
export function useLastChange(): (targetId: string) => Promise<Changed> {
  const { who: says } = useFirstWords().frame
  const call = useCall()
  const { status } = useSessions()
  const self = status.is === 'in' ? status.session.user.id : undefined
  return useCallback(
    async targetId => {
      const read = await call('getLastChange', { query: { targetId } })
      const { at, by } = (read.ok ? read.body.change : null) ?? {}
      const named = (name: string | null) => {
        if (by?.kind === 'user' && by.id === self) return says.you
        if (name === null) return says.somebody
        return by?.kind === 'key' ? says.key(name) : name
      }
      return { who: by?.kind === 'operator' ? says.operator : named(by?.name ?? null), at }
    },
    [call, self, says],
  )
}
