// Adding a webhook: its address and what it hears of; its secret is shown only once.

import { limits } from '@callgate/contract/limits'
import type { WebhookType } from '@callgate/contract/rest/webhook'
import { useState } from 'react'
import { isUnknown } from '../client/client.ts'
import { useChange } from '../client/reading.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { CopyText } from '../kit/CopyText.tsx'
import { ShownOnce } from '../kit/ShownOnce.tsx'
import { useWords } from '../words/words.tsx'
import { type WebhookTexts, webhookTexts } from './webhookTexts.ts'

type Hears = keyof WebhookTexts['form']['choices']
interface WebhookValues {
  readonly url: string
  readonly description: string
  readonly hears: Hears
}
const newWebhook: WebhookValues = { url: '', description: '', hears: 'all' }

const typesOf: Readonly<Record<Hears, WebhookType[] | null>> = {
  all: null,
  openings: ['opening.asked', 'opening.calling', 'opening.ringing', 'opening.taken', 'opening.ended'],
}

/** The secret of a webhook, after it was made. */
export function WebhookSecret({ close, secret }: { readonly secret: string; readonly close: () => void }) {
  const says = webhookTexts(useWords()).made
  return (
    <ShownOnce title={says.title} does={says.done} stored={says.stored} close={close}>
      <p>{says.once}</p>
      <CopyText label={says.secret} text={secret} isNext />
    </ShownOnce>
  )
}

export function NewWebhook({ close }: { readonly close: () => void }) {
  const { form: says } = webhookTexts(useWords())
  const create = useChange('createWebhook')
  const [secret, setSecret] = useState<string>()
  const form = useForm({
    start: { values: newWebhook, etag: undefined },
    fields: {
      url: {
        label: says.url,
        hint: says.urlHint,
        limit: limits.webhook.url,
        missing: says.urlMissing,
        input: { type: 'url', autoComplete: 'off', 'data-autofocus': true },
      },
      description: { label: says.description, limit: limits.webhook.description },
      hears: {
        label: says.types,
        choices: Object.entries(says.choices).map(([value, label]) => ({ value, label })),
      },
    },
    held: ['url', 'description'],
    send: ({ values: { description, hears, url } }) =>
      create({ body: { url: url.trim(), description: description.trim() || null, types: typesOf[hears] } }),
    done: ({ body }) => setSecret(body.secret),
  })
  if (secret !== undefined) return <WebhookSecret secret={secret} close={close} />
  const { failure } = form
  const title = failure && isUnknown(failure) ? undefined : says.notMade
  return (
    <FormDialog
      form={form}
      title={says.title}
      does={says.does}
      doing={says.doing}
      trouble={{ title, own: { network_error: says.noAnswer } }}
      close={close}
    >
      <p className="quiet">{says.why}</p>
      <FormField form={form} name="url" />
      <FormField form={form} name="description" />
      <FormField form={form} name="hears" />
    </FormDialog>
  )
}
