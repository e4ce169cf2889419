// Adding a passkey: a name for it, then the browser asks the person where to keep it.

import { limits } from '@callgate/contract/limits'
import type { Failure } from '../client/client.ts'
import { useCall } from '../client/connection.tsx'
import { newPasskey } from '../client/passkey.ts'
import { useChange } from '../client/reading.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { useWords } from '../words/words.tsx'
import { sayFailure } from './accountWords.ts'

/** The browser has created none. */
const notMade = (message: string): Failure => ({ ok: false, code: 'passkey_not_made', message, extra: {} })

/** Adds a passkey of this name, with the help of the browser. */
function useAdding() {
  const says = useWords().account.passkeys
  const call = useCall()
  const add = useChange('addPasskey')
  return async (name: string) => {
    const started = await call('startPasskey', {})
    if (!started.ok) return started
    const { options, ticket } = started.body
    const credential = await newPasskey(options)
    if (credential === undefined) return notMade(says.noneMade)
    if (credential === 'known') return notMade(says.isKnown)
    if (credential === 'elsewhere') return notMade(says.elsewhere(location.host))
    return add({ body: { ticket, name, credential } })
  }
}

export function AddPasskey({ close }: { readonly close: () => void }) {
  const words = useWords()
  const says = words.account.passkeys
  const add = useAdding()
  const form = useForm({
    start: { values: { name: '' }, etag: undefined },
    fields: {
      name: {
        label: says.name,
        hint: says.nameHint,
        limit: limits.passkey.name,
        missing: words.form.nameMissing,
        input: { autoComplete: 'off', 'data-autofocus': true },
      },
    },
    held: [],
    send: ({ values }) => add(values.name.trim()),
    done: close,
  })
  const byCode = { conflict: says.full, validation_error: says.notTaken }
  return (
    <FormDialog
      form={form}
      title={says.add}
      does={says.does}
      doing={says.doing}
      trouble={{
        title: words.account.notDone,
        sayFailure: failure => sayFailure(failure, words, byCode),
      }}
      close={close}
    >
      <FormField form={form} name="name" />
      <p className="quiet">{says.nameWhy}</p>
    </FormDialog>
  )
}
