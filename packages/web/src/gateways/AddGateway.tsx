// Adding or replacing a gateway: a one-time code is made for it, and the page waits for the gateway.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../client/reading.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { useWords } from '../words/words.tsx'
import { AddByKey } from './AddByKey.tsx'
import { Enrolling } from './Enrolling.tsx'
import { useEnrolmentTexts } from './enrolmentTexts.ts'
import { nameField } from './gatewayFields.ts'

type Started = AppAnswerOf<'startEnrolment'>['body']

interface AddProps {
  /** The gateway that is revoked when the new one is confirmed. */
  readonly replaces?: GatewayView
  readonly close: () => void
}

function ReplaceMeans() {
  const { replaceWhat } = useEnrolmentTexts()
  return (
    <ul className="dialog-means">
      {replaceWhat.map(what => (
        <li key={what}>{what}</li>
      ))}
    </ul>
  )
}

function CodeForm(
  props: AddProps & { readonly begin: (started: Started) => void; readonly byKey: () => void },
) {
  const { begin, byKey, close, replaces } = props
  const words = useWords()
  const says = useEnrolmentTexts()
  const { gateways } = words
  const start = useChange('startEnrolment')
  const name = nameField(words)
  const form = useForm({
    // The new gateway gets the name of the one that it replaces.
    start: { values: { name: replaces?.name ?? '', isForCard: false }, etag: undefined },
    fields: {
      name: { ...name, hint: gateways.form.nameHint, input: { ...name.input, 'data-autofocus': true } },
      isForCard: {},
    },
    held: ['name'],
    send: ({ values }) => {
      const { isForCard } = values
      const of = replaces ? { replaces: replaces.id } : { name: values.name.trim() }
      return start({ body: { isForCard, ...of } })
    },
    done: ({ body }) => begin(body),
  })
  return (
    <FormDialog
      form={form}
      title={replaces ? says.replaceTitle(replaces.name) : gateways.form.addTitle}
      does={says.make}
      doing={says.making}
      trouble={{ title: says.notMade, own: { network_error: gateways.form.noAnswer } }}
      close={close}
    >
      {replaces ? <ReplaceMeans /> : <FormField form={form} name="name" />}
      <p className="quiet">{says.intro}</p>
      <Checkbox
        label={says.forCard}
        checked={form.values.isForCard}
        onChange={event => form.type({ isForCard: event.currentTarget.checked })}
      />
      {!replaces && (
        <button type="button" className="link small enrol-other" onClick={byKey}>
          {says.byKey}
        </button>
      )}
    </FormDialog>
  )
}

export function AddGateway(props: AddProps) {
  const { close } = props
  const [started, setStarted] = useState<Started>()
  const [isByKey, setByKey] = useState(false)
  if (started) return <Enrolling enrolmentId={started.enrolment.id} started={started} close={close} />
  if (isByKey) return <AddByKey close={close} />
  return <CodeForm {...props} begin={setStarted} byKey={() => setByKey(true)} />
}
