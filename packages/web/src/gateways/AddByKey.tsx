// Adding a gateway by hand: its key is made on the Pi and pasted here; its connection data are shown only once.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import { useState } from 'react'
import { useChange } from '../client/reading.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { Banner } from '../kit/Banner.tsx'
import { CopyText } from '../kit/CopyText.tsx'
import { ShownOnce } from '../kit/ShownOnce.tsx'
import { useWords } from '../words/words.tsx'
import { isPublicKey, nameField } from './gatewayFields.ts'

type Added = AppAnswerOf<'addGateway'>['body']

const makeKey = 'node gateway.mjs keygen --out /etc/callgate-gateway/gateway.key'
const run = 'node gateway.mjs run --config /etc/callgate-gateway/callgate-gateway.yaml'

/** The configuration for the daemon. The paths of modem and data are those of a usual Pi. */
function configurationOf({ gateway, login }: Added): string {
  const { cloudKeys, mqttPassword, mqttUrl } = login
  // Quoted, because a password may begin with a character that has a meaning in YAML.
  const quoted = JSON.stringify
  return `gatewayId: ${gateway.id}
mqttUrl: ${mqttUrl}
mqttPassword: ${quoted(mqttPassword)}
cloudKeys: ${quoted(cloudKeys)}
privateKeyFile: gateway.key
serialPort: /dev/serial0
dataFolder: /var/lib/callgate-gateway
`
}

/** The connection data of the new gateway. */
function Configuration({ added, close }: { readonly added: Added; readonly close: () => void }) {
  const { form } = useWords().gateways
  return (
    <ShownOnce
      title={form.addedTitle(added.gateway.name)}
      does={form.done}
      stored={form.stored}
      close={close}
    >
      <p>{form.store}</p>
      <CopyText label={form.configuration} text={configurationOf(added)} />
      {added.login.hasOwnBroker && <Banner tone="look">{form.ownBroker}</Banner>}
      <p>{form.thenRun}</p>
      <CopyText label={form.thenRun} text={run} />
    </ShownOnce>
  )
}

const none = { publicKey: '', name: '' }

export function AddByKey({ close }: { readonly close: () => void }) {
  const words = useWords()
  const says = words.gateways.form
  const add = useChange('addGateway')
  const [added, setAdded] = useState<Added>()
  const form = useForm({
    start: { values: none, etag: undefined },
    fields: {
      publicKey: {
        label: says.publicKey,
        hint: says.pasteIt,
        check: value => (isPublicKey(value) ? undefined : says.publicKeyWrong),
        input: { autoComplete: 'off', spellCheck: false, className: 'mono', 'data-autofocus': true },
      },
      name: { ...nameField(words), hint: says.nameHint },
    },
    refusals: {
      conflict: ['publicKey', says.keyTaken],
      validation_error: ['publicKey', says.publicKeyWrong],
    },
    send: ({ values: { name, publicKey } }) =>
      add({ body: { name: name.trim(), publicKey: publicKey.trim() } }),
    done: ({ body }) => setAdded(body),
  })
  if (added) return <Configuration added={added} close={close} />
  return (
    <FormDialog
      form={form}
      title={says.addTitle}
      does={says.add}
      doing={says.adding}
      trouble={{ title: says.notSaved, own: { network_error: says.noAnswer } }}
      close={close}
    >
      <p>{says.onPi}</p>
      <CopyText label={says.onPi} text={makeKey} />
      <FormField form={form} name="publicKey" />
      <FormField form={form} name="name" />
    </FormDialog>
  )
}
