// Sending: one call at a time, whether it runs, why the last one failed, and the question who is there before it.

import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useConfirmation } from './Confirm.tsx'

export function useSending() {
  const { confirmed, dialog } = useConfirmation()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()

  /** Calls, unless the call before still runs. Answers what came of it; undefined where the person went back. */
  async function send<Done extends { readonly ok: true }>(
    call: () => Promise<Done | Failure>,
  ): Promise<Done | Failure | undefined> {
    if (isBusy) return undefined
    setBusy(true)
    setFailure(undefined)
    const result = await confirmed(call)
    setBusy(false)
    if (result && !result.ok) setFailure(result)
    return result
  }

  return {
    isBusy,
    failure,
    send,
    /** Says no more of the last failure. */
    forget: () => setFailure(undefined),
    /** The question who is there: while it is asked, show it in the place of what called. */
    asksWho: dialog,
  }
}
