// The button of an export that a stolen session must not get: it asks for a confirmation before the browser takes the file.

import type { ReactNode } from 'react'
import type { Failure } from '../client/client.ts'
import { useClient } from '../client/connection.tsx'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'
import { useSending } from './useSending.ts'

const unconfirmed: Failure = { ok: false, code: 'confirmation_required', message: '', extra: {} }

/** `href`: the address of the file. `children`: the button's text in place of the usual one. */
export function ConfirmedExport(props: { readonly href: string; readonly children?: ReactNode }) {
  const { children, href } = props
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
  return (
    <>
      <Button icon={<icons.export size={20} />} onClick={() => void go()}>
        {children ?? words.history.export}
      </Button>
      <div role="alert">{failure && <p className="field-error">{sayProblem(failure, words)}</p>}</div>
      {asksWho}
    </>
  )
}
