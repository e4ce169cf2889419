// A sandbox beside the keys of a live Space: what it is, and how an owner makes one.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { limits } from '@callgate/contract/limits'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useChange } from '../client/reading.tsx'
import { useSessions, useSpace } from '../client/session.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { Button } from '../kit/Button.tsx'
import { Card } from '../kit/Card.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { useWords } from '../words/words.tsx'
import { keyTexts } from './keyTexts.ts'

function MakeSandbox({ close }: { readonly close: () => void }) {
  const words = useWords()
  const says = keyTexts(words).sandbox
  const create = useChange('createSandbox')
  const { ask } = useSessions()
  const [, go] = useLocation()
  const form = useForm({
    start: { values: { name: says.name }, etag: undefined },
    fields: {
      name: {
        label: keyTexts(words).form.name,
        limit: limits.space.name,
        missing: words.form.nameMissing,
        input: { autoComplete: 'off', 'data-autofocus': true },
      },
    },
    held: ['name'],
    send: ({ values: { name } }) => create({ body: { name: name.trim() } }),
    async done({ body }) {
      // The session names the Spaces of the user.
      await ask()
      go(hrefOf(dashboardPaths.apiKeys, { spaceId: body.space.id }))
    },
  })
  return (
    <FormDialog
      form={form}
      title={says.title}
      does={says.make}
      doing={says.making}
      trouble={{ title: says.notMade, own: { network_error: says.noAnswer } }}
      close={close}
    >
      <p className="quiet">{says.why}</p>
      <FormField form={form} name="name" />
    </FormDialog>
  )
}

/** Shown to owners of a live Space. */
export function SandboxCard() {
  const { space } = useSpace()
  const says = keyTexts(useWords()).sandbox
  const [isMaking, setMaking] = useState(false)
  if (space.mode === 'sandbox' || space.role !== 'owner') return null
  return (
    <Card title={says.title}>
      <p className="quiet">
        {says.why}{' '}
        <a className="link" href="/docs/sandbox">
          {says.more}
        </a>
      </p>
      <div>
        <Button onClick={() => setMaking(true)}>{says.make}</Button>
      </div>
      {isMaking && <MakeSandbox close={() => setMaking(false)} />}
    </Card>
  )
}
