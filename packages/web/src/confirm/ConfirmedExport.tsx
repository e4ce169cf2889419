// An export that a stolen session must not get: it asks for a confirmation before the browser takes the file.

import type { ReactNode } from 'react'
import type { Failure } from '../client/client.ts'
import { useClient } from '../client/connection.tsx'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'
import { useSending } from './useSending.ts'

const unconfirmed: Failure = { ok: false, code: 'confirmation_required', message: '', extra: {} }

/** Saves the file of this address. `shown` is the question who is there, and why it failed. */
export function useConfirmedExport(href: string): { readonly save: () => void; readonly shown: ReactNode } {
  const words = useWords()
  const client = useClient()
  const { asksWho, failure, send } = useSending()
  async function go() {
    const answer = await send(async () => {
      const security = await client.call('getSecurity', {})
      return security.ok && security.body.confirmedUntil === null ? unconfirmed : security
    })
    // The file is an attachment, so the page stays.
    if (answer?.ok) window.location.assign(href)
  }
  const shown = (
    <>
      <div role="alert">{failure && <p className="field-error">{sayProblem(failure, words)}</p>}</div>
      {asksWho}
    </>
  )
  return { save: () => void go(), shown }
}

/** Its button. */
export function ConfirmedExport({ href }: { readonly href: string }) {
  const words = useWords()
  const { save, shown } = useConfirmedExport(href)
  return (
    <>
      <Button icon={<icons.export size={20} />} onClick={save}>
        {words.history.export}
      </Button>
      {shown}
    </>
  )
}
