// The confirmation of identity around a call: where the cloud wants one, a dialog asks, and the call is made again.

import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Failure } from '../client/client.ts'

/** It comes with the pages that need it. */
const ConfirmDialog = lazy(async () => ({ default: (await import('./ConfirmDialog.tsx')).ConfirmDialog }))

/**
 * Makes a call that may be answered `confirmation_required`: then it asks for the confirmation, and calls again. `confirmed`
 * resolves with undefined when the person goes back. While `dialog` is set, show it in place of the calling dialog.
 */
export function useConfirmation(): {
  readonly confirmed: <Done extends { readonly ok: true }>(
    call: () => Promise<Done | Failure>,
  ) => Promise<Done | Failure | undefined>
  readonly dialog: ReactNode
} {
  const [asked, setAsked] = useState<{ readonly answer: (isConfirmed: boolean) => void }>()
  return {
    async confirmed(call) {
      const first = await call()
      if (first.ok || first.code !== 'confirmation_required') return first
      const isConfirmed = await new Promise<boolean>(answer => setAsked({ answer }))
      setAsked(undefined)
      return isConfirmed ? call() : undefined
    },
    dialog: asked && (
      <Suspense>
        <ConfirmDialog close={() => asked.answer(false)} done={() => asked.answer(true)} />
      </Suspense>
    ),
  }
}
