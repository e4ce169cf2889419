// The form of the Space: what is typed over what was read, in which nobody's change is lost without a word.

import type { SpaceView } from '@callgate/contract/app/space'
import { useEffect, useState } from 'react'
import type { Failure } from '../client/client.ts'
import { type Reading, useChange } from '../client/reading.tsx'
import { useSessions } from '../client/session.tsx'
import { type Draft, draftOf, rebased, saved, valuesOf, withTyped } from '../kit/draft.ts'
import { useLastChange } from '../kit/lastChange.ts'
import { useWords } from '../words/words.tsx'
import { isSendable, type SpaceValues, spaceBody, valuesOfSpace } from './spaceFields.ts'

interface FormState {
  readonly draft: Draft<SpaceValues>
  /** Of what the draft lies over. */
  readonly etag: string | undefined
  /** Of the reading that was looked at last. */
  readonly seen: string | undefined
  readonly isSent: boolean
  readonly isBusy: boolean
  readonly failure?: Failure | undefined
  /** Somebody has changed the Space while something was typed. */
  readonly isMeanwhile?: boolean
}

const isTyped = ({ typed }: Draft<SpaceValues>) => Object.keys(typed).length > 0

function startOf(space: SpaceView, etag: string | undefined): FormState {
  return { draft: draftOf(valuesOfSpace(space)), etag, seen: etag, isSent: false, isBusy: false }
}

export function useSpaceForm(space: SpaceView, reading: Reading<'getSpace'>) {
  const says = useWords().space
  const change = useChange('updateSpace')
  const { ask } = useSessions()
  const lastChange = useLastChange()
  const { etag, readAgain } = reading
  const [state, setState] = useState(() => startOf(space, etag))
  const { draft } = state
  if (etag !== state.seen)
    setState({
      ...state,
      draft: rebased(draft, valuesOfSpace(space)),
      etag,
      seen: etag,
      failure: undefined,
      isMeanwhile: isTyped(draft) && etag !== state.etag,
    })

  async function save() {
    setState(before => ({ ...before, isSent: true, failure: undefined }))
    if (!isSendable(valuesOf(draft), says)) return
    setState(before => ({ ...before, isBusy: true }))
    const result = await change({ body: spaceBody(draft.typed), ifMatch: state.etag })
    if (result.ok) {
      const now = result.body.space
      setState(before => ({
        ...startOf(now, result.etag ?? undefined),
        draft: saved(before.draft, draft.typed, valuesOfSpace(now)),
        seen: before.seen,
      }))
      // The frame shows the name, and pages the zone, as the session has them.
      return ask()
    }
    setState(before => ({ ...before, isBusy: false, failure: result }))
    if (result.code === 'precondition_failed') readAgain()
  }

  const { isMeanwhile } = state
  const [changedBy, setChangedBy] = useState<string>()
  useEffect(() => {
    // Again with each further change: another one may have made it.
    if (isMeanwhile && etag !== undefined) void lastChange(space.id).then(({ who }) => setChangedBy(who))
  }, [isMeanwhile, etag, space.id, lastChange])

  return {
    ...state,
    /** Who has changed the Space while something was typed; undefined until that is known. */
    changedBy: isMeanwhile ? changedBy : undefined,
    values: valuesOf(draft),
    isTyped: isTyped(draft),
    save,
    discard: () => setState(before => ({ ...startOf(space, etag), seen: before.seen })),
    type: (typed: Partial<SpaceValues>) =>
      setState(before => ({ ...before, draft: withTyped(before.draft, typed) })),
  }
}
