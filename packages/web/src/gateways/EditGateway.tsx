// The form of a gateway's name and caller number; a change by another person is never lost silently.

import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { useCall } from '../client/connection.tsx'
import { useChange, useRead } from '../client/reading.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import { baseOf } from '../form/formState.ts'
import { useForm } from '../form/useForm.ts'
import { Dialog } from '../kit/Dialog.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { useWords } from '../words/words.tsx'
import { gatewayBody, gatewayFields, valuesOfGateway } from './gatewayFields.ts'

function Form(props: {
  readonly gateway: GatewayView
  readonly etag: string | undefined
  readonly close: () => void
}) {
  const { close, etag, gateway } = props
  const words = useWords()
  const { changedMeanwhile, editTitle, noAnswer, notSaved } = words.gateways.form
  const change = useChange('updateGateway')
  const call = useCall()
  const params = { gatewayId: gateway.id }
  const form = useForm({
    fields: gatewayFields(words),
    start: { values: valuesOfGateway(gateway), etag },
    send: ({ ifMatch, typed }) => change({ params, body: gatewayBody(typed), ifMatch }),
    done: close,
    unchanged: close,
    edited: {
      id: gateway.id,
      readNow: () => baseOf(call('getGateway', { params }), ({ gateway }) => valuesOfGateway(gateway)),
    },
  })
  return (
    <FormDialog
      form={form}
      title={editTitle(gateway.name)}
      does={words.frame.save}
      doing={words.frame.saving}
      trouble={{ title: notSaved, own: { network_error: noAnswer }, changedMeanwhile }}
      close={close}
    >
      <FormField form={form} name="name" />
      <FormField form={form} name="callerNumber" />
    </FormDialog>
  )
}

/** Reads the gateway first, because the list has no ETag for the change. */
export function EditGateway({
  close,
  gatewayId,
}: {
  readonly close: () => void
  readonly gatewayId: string
}) {
  const { frame } = useWords()
  const read = useRead('getGateway', { params: { gatewayId } })
  if (read.value) return <Form gateway={read.value.gateway} etag={read.etag} close={close} />
  return (
    <Dialog title={frame.reading} does={frame.save} isDisabled close={close} go={() => {}}>
      {read.failure ? <NotRead what={frame.pages.gateways} of={read} /> : <Skeleton bars={[44, 45]} />}
    </Dialog>
  )
}
