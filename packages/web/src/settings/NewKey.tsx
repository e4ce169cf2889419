// Making a key: its name, its end and its scopes; its secret is shown only once.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import { limits } from '@callgate/contract/limits'
import { limitableScopes, type Scope } from '@callgate/contract/rest/scope'
import { useState } from 'react'
import { isUnknown } from '../client/client.ts'
import { useChange } from '../client/reading.tsx'
import { nowMs } from '../clock.ts'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { CopyText } from '../kit/CopyText.tsx'
import { icons } from '../kit/icons.tsx'
import { ShownOnce } from '../kit/ShownOnce.tsx'
import { useWords } from '../words/words.tsx'
import { GateLimit } from './GateLimit.tsx'
import { type KeyTexts, keyTexts } from './keyTexts.ts'
import { ScopeFields } from './ScopeFields.tsx'

type Made = AppAnswerOf<'createApiKey'>['body']
type Says = KeyTexts['form']
type Ending = keyof Says['ending']

const dayMs = 86_400_000
/** The choices of days until a key ends. */
const endings: Readonly<Record<Ending, number | undefined>> = {
  days30: 30,
  days90: 90,
  year: 365,
  never: undefined,
}
interface KeyValues {
  readonly name: string
  readonly ending: Ending
  readonly scopes: readonly Scope[]
  /** Null: all gates. */
  readonly gateIds: readonly string[] | null
}
const newKey: KeyValues = { name: '', ending: 'year', scopes: [], gateIds: null }

const isLimitable = (scope: Scope) => limitableScopes.includes(scope)

/** A first request of an integration that these scopes allow; undefined: none. */
function firstPath(scopes: readonly Scope[]): string | undefined {
  if (scopes.includes('gates:read')) return '/api/v1/gates'
  if (scopes.includes('members:read')) return '/api/v1/members'
  return scopes.includes('history:read') ? '/api/v1/activity' : undefined
}

function Secret({ close, made }: { readonly made: Made; readonly close: () => void }) {
  const says = keyTexts(useWords()).made
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
      <CopyText label={says.secret} text={made.secret} isNext />
      {path !== undefined && (
        <div>
          <p className="small quiet">{says.tryIt}</p>
          <pre className="mono key-try">
            {`curl ${location.origin}${path} \\\n-H "Authorization: Bearer $API_KEY"`}
          </pre>
        </div>
      )}
    </ShownOnce>
  )
}

export function NewKey({ close }: { readonly close: () => void }) {
  const words = useWords()
  const { create: does, form: says } = keyTexts(words)
  const create = useChange('createApiKey')
  const [made, setMade] = useState<Made>()
  const form = useForm({
    start: { values: newKey, etag: undefined },
    fields: {
      name: {
        label: says.name,
        limit: limits.apiKey.name,
        missing: words.form.nameMissing,
        input: { autoComplete: 'off', 'data-autofocus': true },
      },
      ending: {
        label: says.ends,
        choices: Object.entries(says.ending).map(([value, label]) => ({ value, label })),
      },
      scopes: { check: scopes => (scopes.length < limits.apiKey.scopes.least ? says.noScope : undefined) },
      gateIds: { check: gateIds => (gateIds?.length === 0 ? says.noGate : undefined) },
    },
    held: ['name', 'scopes', 'gateIds'],
    send: ({ values: { ending, gateIds, name, scopes } }) => {
      const days = endings[ending]
      const expiresAt = days === undefined ? null : new Date(nowMs() + days * dayMs).toISOString()
      return create({
        body: { name: name.trim(), scopes: [...scopes], gateIds: gateIds && [...gateIds], expiresAt },
      })
    },
    done: ({ body }) => setMade(body),
  })
  if (made) return <Secret made={made} close={close} />
  const { failure, fields, isSent, values } = form
  const title = failure && isUnknown(failure) ? undefined : says.notMade
  return (
    <FormDialog
      form={form}
      title={says.title}
      does={does}
      doing={says.creating}
      trouble={{ title, own: { network_error: says.noAnswer } }}
      close={close}
    >
      <p className="quiet">{says.why}</p>
      <div className="key-fields">
        <FormField form={form} name="name" />
        <FormField form={form} name="ending" />
      </div>
      <GateLimit
        chosen={values.gateIds}
        choose={gateIds =>
          form.type({ gateIds, ...(gateIds && { scopes: values.scopes.filter(isLimitable) }) })
        }
        error={isSent ? fields.gateIds.check?.(values.gateIds, values) : undefined}
      />
      <ScopeFields
        chosen={values.scopes}
        isOffered={scope => values.gateIds === null || isLimitable(scope)}
        choose={scopes => form.type({ scopes })}
        error={isSent ? fields.scopes.check?.(values.scopes, values) : undefined}
      />
    </FormDialog>
  )
}
