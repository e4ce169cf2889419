// Adding a passkey: a name for it, then the browser asks the person where to keep it.

import { useState } from 'react'
import type { Failure, Result } from '../client/client.ts'
import { newPasskey } from '../client/passkey.ts'
import { useCall, useChange } from '../client/reading.tsx'
import { useConfirmation } from '../confirm/Confirm.tsx'
import { Banner } from '../kit/Banner.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Field } from '../kit/Field.tsx'
import { useWords, type Words } from '../words/words.tsx'
import { sayFailure } from './accountWords.ts'

type Says = Words['account']['passkeys']

/** The API takes so many characters. */
const longestName = 60

function nameFault(name: string, says: Says): string | undefined {
  if (name.trim() === '') return says.nameMissing
  return name.trim().length > longestName ? says.nameLong : undefined
}

/** Adds a passkey. Answers with what went wrong; undefined where the person went back. */
function useAdding() {
  const says = useWords().account.passkeys
  const call = useCall()
  const add = useChange('addPasskey')
  const { confirmed, dialog } = useConfirmation()
  async function adding(name: string): Promise<Result<'addPasskey'> | string | undefined> {
    const started = await confirmed(() => call('startPasskey', {}))
    if (!started?.ok) return started
    const { options, ticket } = started.body
    const credential = await newPasskey(options)
    if (credential === undefined) return says.noneMade
    if (credential === 'known') return says.isKnown
    if (credential === 'elsewhere') return says.elsewhere(location.host)
    return confirmed(() => add({ body: { ticket, name, credential } }))
  }
  return { adding, dialog }
}

export function AddPasskey({ close }: { readonly close: () => void }) {
  const words = useWords()
  const says = words.account.passkeys
  const { adding, dialog } = useAdding()
  const [name, setName] = useState('')
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<Failure | string>()

  async function go() {
    setSent(true)
    setTrouble(undefined)
    if (nameFault(name, says) !== undefined) return
    setBusy(true)
    const result = await adding(name.trim())
    setBusy(false)
    if (typeof result === 'object' && result.ok) return close()
    setTrouble(result)
  }

  if (dialog) return dialog
  const byCode = { conflict: says.full, validation_error: says.notTaken }
  return (
    <Dialog
      title={says.add}
      does={says.does}
      busy={isBusy ? says.doing : undefined}
      close={close}
      go={() => void go()}
    >
      <Field
        label={says.name}
        value={name}
        change={setName}
        check={value => nameFault(value, says)}
        isSent={isSent}
        hint={says.nameHint}
        input={{ autoComplete: 'off', 'data-autofocus': true }}
      />
      <p className="quiet">{says.nameWhy}</p>
      <div role="alert">
        {trouble !== undefined && (
          <Banner tone="shut" title={words.account.notDone}>
            {typeof trouble === 'string' ? trouble : sayFailure(trouble, words, byCode)}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}
