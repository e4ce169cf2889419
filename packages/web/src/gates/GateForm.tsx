// The form of a new or changed gate; a change by another person is never lost silently.

import type { Gate } from '@callgate/contract/rest/gate'
import { useCall } from '../client/connection.tsx'
import { useChange } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import { baseOf } from '../form/formState.ts'
import { useForm } from '../form/useForm.ts'
import { useWords } from '../words/words.tsx'
import { type GateValues, gateBody, gateFields, newGate, valuesOfGate } from './gateFields.ts'

interface Props {
  readonly close: () => void
  /** Absent: a new gate is made. */
  readonly edited?: { readonly gate: Gate; readonly etag: string | undefined }
}

function useGateForm({ close, edited }: Props) {
  const create = useChange('createGate')
  const update = useChange('updateGate')
  const call = useCall()
  const params = { gateId: edited?.gate.id ?? '' }
  return useForm({
    fields: gateFields(useWords(), useSpace().space.mode),
    start: { values: edited ? valuesOfGate(edited.gate) : newGate, etag: edited?.etag },
    send: ({ ifMatch, typed }) =>
      edited
        ? update({ params, body: gateBody(typed), ifMatch })
        : create({ body: { name: '', phoneNumber: '', ...gateBody(typed) } }),
    done: close,
    ...(edited && {
      unchanged: close,
      edited: {
        id: params.gateId,
        readNow: () => baseOf(call('getGate', { params }), ({ gate }) => valuesOfGate(gate)),
      },
    }),
  })
}

export function GateForm(props: Props) {
  const { close, edited } = props
  const { frame, gates } = useWords()
  const says = gates.form
  const form = useGateForm(props)
  const isOtherNumber = edited && form.typed.phoneNumber !== undefined
  const { changedMeanwhile, gone, limit, noAnswer, notSaved } = says
  return (
    <FormDialog
      form={form}
      title={edited ? says.edit(edited.gate.name) : says.add}
      does={edited ? frame.save : gates.add}
      doing={edited ? frame.saving : says.adding}
      trouble={{
        title: notSaved,
        own: { plan_limit_reached: limit, not_found: gone, network_error: noAnswer },
        changedMeanwhile,
      }}
      close={close}
    >
      {(Object.keys(form.fields) as (keyof GateValues)[]).map(name => (
        <FormField
          key={name}
          form={form}
          name={name}
          {...(name === 'phoneNumber' && isOtherNumber && { hint: says.numberChanges })}
        />
      ))}
    </FormDialog>
  )
}
