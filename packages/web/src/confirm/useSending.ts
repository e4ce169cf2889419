// Sending: one call at a time, its state, the last failure, and the confirmation before it.

import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useConfirmation } from './useConfirmation.tsx'

export function useSending() {
  const { confirmed, dialog } = useConfirmation()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()

  /** Calls, unless the previous call still runs. Resolves with its result; undefined where the person went back. */
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
    /** Clears the last failure. */
    forget: () => setFailure(undefined),
    /** The confirmation dialog: while it is set, show it in place of the caller. */
    asksWho: dialog,
  }
}
