// The form of a new or changed gate; a change by another person is never lost silently.

import type { Gate } from '@callgate/contract/rest/gate'
import { useCall } from '../client/connection.tsx'
import { useChange, useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import { baseOf } from '../form/formState.ts'
import { type Form, useForm } from '../form/useForm.ts'
import { useReadNumber } from '../form/useReadNumber.ts'
import { sayNumber } from '../words/number.ts'
import { countryName } from '../words/places.ts'
import { useWords } from '../words/words.tsx'
import { type GateValues, gateBody, gateFields, newGate, valuesOfGate } from './gateFields.ts'
import { gateFormTexts } from './gateFormTexts.ts'

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

/**
 * What is known of the typed number: which one is called, and whether another gate has it. Nothing is called in a sandbox.
 */
function useNumberHint(form: Form<GateValues>, gateId: string | undefined): string | undefined {
  const words = useWords()
  const says = gateFormTexts(words)
  const { mode } = useSpace().space
  const read = useReadNumber(form.typed.phoneNumber ?? '')
  const gates = useRead('listGates', {}).value?.gates ?? []
  if (form.typed.phoneNumber === undefined) return undefined
  const other = read && gates.find(gate => gate.phoneNumber === read.number && gate.id !== gateId)
  const country = read?.country === undefined ? '' : countryName(read.country, words.locale)
  const parts = [
    read && mode === 'live' ? says.willBeCalled(sayNumber(read.number), country) : '',
    other ? says.sameNumber(other.name) : '',
    gateId === undefined ? '' : says.numberChanges,
  ].filter(Boolean)
  return parts.length === 0 ? undefined : parts.join(' ')
}

export function GateForm(props: Props) {
  const { close, edited } = props
  const words = useWords()
  const { frame, gates } = words
  const says = gateFormTexts(words)
  const form = useGateForm(props)
  const hint = useNumberHint(form, edited?.gate.id)
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
        <FormField key={name} form={form} name={name} {...(name === 'phoneNumber' && { hint })} />
      ))}
    </FormDialog>
  )
}
