// Making a key: its name, its end and what it may. Its secret is shown this once.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import type { Scope } from '@callgate/contract/rest/scope'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { type Failure, isUnknown } from '../client/client.ts'
import { useChange } from '../client/reading.tsx'
import { nowMs } from '../clock.ts'
import { useConfirmation } from '../confirm/Confirm.tsx'
import { Banner } from '../kit/Banner.tsx'
import { CopyText } from '../kit/CopyText.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Field } from '../kit/Field.tsx'
import { icons } from '../kit/icons.tsx'
import { ShownOnce } from '../kit/ShownOnce.tsx'
import { sayProblem } from '../words/problems.ts'
import { useWords, type Words } from '../words/words.tsx'
import { ScopeFields } from './ScopeFields.tsx'

type Made = AppAnswerOf<'createApiKey'>['body']
type Says = Words['keys']['form']
type Ending = keyof Says['ending']

const dayMs = 86_400_000
/** In how many days a key ends. */
const endings: Readonly<Record<Ending, number | undefined>> = {
  days30: 30,
  days90: 90,
  year: 365,
  never: undefined,
}
/** The API takes so many characters. */
const longestName = 120

function nameFault(name: string, says: Says): string | undefined {
  if (name.trim() === '') return says.nameMissing
  return name.trim().length > longestName ? says.nameLong : undefined
}

/** What the first request of an integration can read with these scopes; undefined: nothing. */
function firstPath(scopes: readonly Scope[]): string | undefined {
  if (scopes.includes('gates:read')) return '/api/v1/gates'
  if (scopes.includes('members:read')) return '/api/v1/members'
  return scopes.includes('history:read') ? '/api/v1/activity' : undefined
}

function Secret({ close, made }: { readonly made: Made; readonly close: () => void }) {
  const says = useWords().keys.made
  const path = firstPath(made.key.scopes)
  return (
    <ShownOnce
      title={
        <span className="key-made">
          <icons.opened size={24} /> {says.title(made.key.name)}
        </span>
      }
      does={says.done}
      stored={says.stored}
      close={close}
    >
      <p>{says.once}</p>
      <CopyText label={says.secret} text={made.secret} />
      {path !== undefined && (
        <div>
          <p className="small quiet">{says.tryIt}</p>
          <pre className="mono key-try">
            {`curl ${location.origin}${path} \\\n  -H "Authorization: Bearer $API_KEY"`}
          </pre>
        </div>
      )}
    </ShownOnce>
  )
}

export function NewKey({ close }: { readonly close: () => void }) {
  const words = useWords()
  const { create: does, form: says } = words.keys
  const create = useChange('createApiKey')
  const { confirmed, dialog } = useConfirmation()
  const [name, setName] = useState('')
  const [ending, setEnding] = useState<Ending>('year')
  const [scopes, setScopes] = useState<readonly Scope[]>([])
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const [made, setMade] = useState<Made>()

  async function go() {
    setSent(true)
    setFailure(undefined)
    if (nameFault(name, says) !== undefined || scopes.length === 0) return
    setBusy(true)
    const days = endings[ending]
    const expiresAt = days === undefined ? null : new Date(nowMs() + days * dayMs).toISOString()
    const body = { name: name.trim(), scopes: [...scopes], expiresAt }
    const result = await confirmed(() => create({ body }))
    setBusy(false)
    if (result?.ok) setMade(result.body)
    else setFailure(result)
  }

  if (made) return <Secret made={made} close={close} />
  if (dialog) return dialog
  return (
    <Dialog
      title={says.title}
      does={does}
      busy={isBusy ? says.creating : undefined}
      isTyped={name !== '' || scopes.length > 0}
      close={close}
      go={() => void go()}
    >
      <p className="quiet">{says.why}</p>
      <div className="key-fields">
        <Field
          label={says.name}
          value={name}
          change={setName}
          check={value => nameFault(value, says)}
          isSent={isSent}
          input={{ autoComplete: 'off', 'data-autofocus': true }}
        />
        <NativeSelect
          label={says.ends}
          value={ending}
          onChange={event => setEnding(event.currentTarget.value as Ending)}
          data={Object.entries(says.ending).map(([value, label]) => ({ value, label }))}
        />
      </div>
      <ScopeFields
        chosen={scopes}
        choose={setScopes}
        error={isSent && scopes.length === 0 ? says.noScope : undefined}
      />
      <div role="alert">
        {failure && (
          <Banner tone="shut" {...(!isUnknown(failure) && { title: says.notMade })}>
            {sayProblem(failure, words, { network_error: says.noAnswer })}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}
