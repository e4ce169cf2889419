// The page of a member as a form: typed text over read values, saved all or nothing, without losing another person's change.

import type { MemberView } from '@callgate/contract/app/appMember'
import { useEffect, useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useCall } from '../client/connection.tsx'
import { type Reading, useChange } from '../client/reading.tsx'
import { nowMs } from '../clock.ts'
import { type Changed, useLastChange } from '../kit/lastChange.ts'
import { canBeSent, savedBody } from './memberBody.ts'
import {
  type Change,
  changesBetween,
  type MemberDraft,
  type MemberValues,
  rebased,
  type Theirs,
  valuesOfMember,
} from './memberDraft.ts'

/** Another person's changes while this page was open. */
export interface Meanwhile {
  readonly by: Changed
  readonly changes: readonly Change[]
  readonly theirs: readonly Theirs[]
}

export interface SavedMember {
  readonly draft: MemberDraft
  readonly changes: readonly Change[]
  /** Saving was tried with the typed text. */
  readonly isSent: boolean
  readonly isBusy: boolean
  readonly isSaved: boolean
  readonly failure: Failure | undefined
  readonly meanwhile: Meanwhile | undefined
  readonly type: (now: MemberValues) => void
  readonly save: () => void
  readonly discard: () => void
}

interface State {
  readonly draft: MemberDraft
  readonly etag: string | undefined
  /** When the base of the draft was read or saved, in milliseconds since 1970. */
  readonly atMs: number
  readonly isSent: boolean
  readonly isSaved: boolean
  readonly failure?: Failure | undefined
  readonly meanwhile?: Meanwhile | undefined
}

function stateOf(member: MemberView, etag: string | undefined, atMs: number): State {
  const base = valuesOfMember(member)
  return { draft: { base, now: base }, etag, atMs, isSent: false, isSaved: false }
}

/** After saving `sent`: text that was typed during the save stays typed. */
function stateSaved(
  before: State,
  sent: MemberValues,
  now: { values: MemberValues; etag: string | null },
): State {
  return {
    draft: rebased({ base: sent, now: before.draft.now }, now.values).draft,
    etag: now.etag ?? undefined,
    atMs: nowMs(),
    isSent: false,
    isSaved: true,
  }
}

/** After another person was faster: the typed text lies over the current values. */
function stateMet(
  { draft }: State,
  now: { values: MemberValues; etag: string | null },
  by: Meanwhile['by'],
): State {
  const met = rebased(draft, now.values)
  return {
    draft: met.draft,
    etag: now.etag ?? undefined,
    atMs: nowMs(),
    isSent: false,
    isSaved: false,
    meanwhile: { by, changes: changesBetween(draft.base, now.values), theirs: met.theirs },
  }
}

/** Discards the typed text. */
function stateDiscarded({ draft, etag, atMs }: State): State {
  return { draft: { ...draft, now: draft.base }, etag, atMs, isSent: false, isSaved: false }
}

/** `reading` has the member; it is repeated by itself, and adopted while nothing is typed. */
export function useSavedMember(member: MemberView, reading: Reading<'getMemberView'>): SavedMember {
  const { id } = member
  const call = useCall()
  const change = useChange('saveMember')
  const lastChange = useLastChange()
  const [state, setState] = useState(() => stateOf(member, reading.etag, reading.readAtMs))
  const [isBusy, setBusy] = useState(false)
  const { draft, etag } = state
  const changes = changesBetween(draft.base, draft.now)
  const isClean = changes.length === 0

  useEffect(() => {
    if (isClean && reading.value && reading.etag !== etag && reading.readAtMs > state.atMs)
      setState(before => ({
        ...before,
        ...stateOf(reading.value?.member ?? member, reading.etag, reading.readAtMs),
      }))
  }, [isClean, reading, etag, state.atMs, member])

  async function meet(): Promise<void> {
    const [fresh, by] = await Promise.all([
      call('getMemberView', { params: { memberId: id } }),
      lastChange(id),
    ])
    if (!fresh.ok) return setState(before => ({ ...before, failure: fresh }))
    const values = valuesOfMember(fresh.body.member)
    setState(before => stateMet(before, { values, etag: fresh.etag }, by))
  }

  async function save(): Promise<void> {
    setState(before => ({ ...before, isSent: true, failure: undefined }))
    if (isBusy || !canBeSent(draft)) return
    setBusy(true)
    const result = await change({ params: { memberId: id }, body: savedBody(draft), ifMatch: etag })
    if (result.ok) {
      const values = valuesOfMember(result.body.member)
      setState(before => stateSaved(before, draft.now, { values, etag: result.etag }))
    } else if (result.code === 'precondition_failed') await meet()
    else setState(before => ({ ...before, failure: result }))
    setBusy(false)
  }

  return {
    draft,
    changes,
    isSent: state.isSent,
    isBusy,
    isSaved: state.isSaved && isClean,
    failure: state.failure,
    meanwhile: state.meanwhile,
    type: now =>
      setState(before => ({
        ...before,
        draft: { ...before.draft, now },
        isSaved: false,
        failure: undefined,
      })),
    save: () => void save(),
    discard: () => setState(stateDiscarded),
  }
}
