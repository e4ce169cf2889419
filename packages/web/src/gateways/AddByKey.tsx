// Adding a gateway by hand: its key is made on the Pi and pasted here; what it connects with is shown this once.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useChange } from '../client/reading.tsx'
import { useConfirmation } from '../confirm/Confirm.tsx'
import { Banner } from '../kit/Banner.tsx'
import { CopyText } from '../kit/CopyText.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Field } from '../kit/Field.tsx'
import { ShownOnce } from '../kit/ShownOnce.tsx'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'
import { keyCheck, nameCheck } from './gatewayFields.ts'

type Added = AppAnswerOf<'addGateway'>['body']

const makeKey = 'node gateway.mjs keygen --out /etc/callgate-gateway/gateway.key'
const run = 'node gateway.mjs run --config /etc/callgate-gateway/callgate-gateway.yaml'

/** The configuration as the daemon reads it. Where the modem is and where the data lie is as on a usual Pi. */
function configurationOf({ gateway, login }: Added): string {
  const { cloudKeys, mqttPassword, mqttUrl } = login
  // Quoted, as a password may begin with what has a meaning in YAML.
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

/** What the new gateway connects with. */
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

export function AddByKey({ close }: { readonly close: () => void }) {
  const words = useWords()
  const { form } = words.gateways
  const add = useChange('addGateway')
  const { confirmed, dialog } = useConfirmation()
  const [values, setValues] = useState({ name: '', publicKey: '' })
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | undefined>()
  const [added, setAdded] = useState<Added | undefined>()
  const type = (typed: Partial<typeof values>) => {
    setValues({ ...values, ...typed })
    setFailure(undefined)
  }

  async function go() {
    setSent(true)
    if (nameCheck(form)(values.name) ?? keyCheck(form)(values.publicKey)) return
    setBusy(true)
    const body = { name: values.name.trim(), publicKey: values.publicKey.trim() }
    const result = await confirmed(() => add({ body }))
    setBusy(false)
    if (result?.ok) setAdded(result.body)
    else setFailure(result)
  }

  if (added) return <Configuration added={added} close={close} />
  if (dialog) return dialog
  const isOfKey = failure?.code === 'conflict' || failure?.code === 'validation_error'
  const refused = failure?.code === 'conflict' ? form.keyTaken : isOfKey ? form.publicKeyWrong : undefined
  return (
    <Dialog
      title={form.addTitle}
      does={form.add}
      busy={isBusy ? form.adding : undefined}
      isTyped={values.name !== '' || values.publicKey !== ''}
      close={close}
      go={() => void go()}
    >
      <p>{form.onPi}</p>
      <CopyText label={form.onPi} text={makeKey} />
      <Field
        label={form.publicKey}
        hint={form.pasteIt}
        value={values.publicKey}
        change={publicKey => type({ publicKey })}
        check={keyCheck(form)}
        refused={refused}
        isSent={isSent}
        input={{ autoComplete: 'off', spellCheck: false, className: 'mono', 'data-autofocus': true }}
      />
      <Field
        label={form.name}
        hint={form.nameHint}
        value={values.name}
        change={name => type({ name })}
        check={nameCheck(form)}
        isSent={isSent}
        input={{ autoComplete: 'off' }}
      />
      <div role="alert">
        {failure && !isOfKey && (
          <Banner tone="shut" title={form.notSaved}>
            {sayProblem(failure, words, { network_error: form.noAnswer })}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}
