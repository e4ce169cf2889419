// The dialog of a SIM card: how its network is asked for the balance, and when to warn.

import type { SimView } from '@callgate/contract/app/sim'
import { useChange } from '../client/reading.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { DateField } from '../kit/DateField.tsx'
import { dayTexts } from '../kit/dayTexts.ts'
import { simTexts } from '../words/simTexts.ts'
import { useWords } from '../words/words.tsx'
import { simBody, simFields, valuesOfSim } from './simFields.ts'

/** The typed text lies over the values that were read when the dialog was opened. Later readings do not change it. */
export function EditSim(props: {
  readonly gatewayId: string
  readonly sim: SimView
  readonly etag: string | undefined
  readonly close: () => void
}) {
  const { close, etag, gatewayId, sim } = props
  const words = useWords()
  const { noAnswer, notSaved } = words.gateways.form
  const says = simTexts(words).form
  const change = useChange('updateSim')
  const form = useForm({
    fields: simFields(words),
    start: { values: valuesOfSim(sim), etag },
    send: ({ ifMatch, values }) => change({ params: { gatewayId }, body: simBody(values), ifMatch }),
    done: close,
    unchanged: close,
  })
  const own = { precondition_failed: says.changedMeanwhile, network_error: noAnswer }
  return (
    <FormDialog
      form={form}
      title={simTexts(words).title}
      does={words.frame.save}
      doing={words.frame.saving}
      trouble={{ title: notSaved, own }}
      close={close}
    >
      <FormField form={form} name="code" />
      <FormField form={form} name="warnBelow" />
      <DateField
        label={says.expiresOn}
        hint={says.expiresOnHint}
        none={dayTexts(words).noLimit}
        value={form.values.expiresOn}
        change={expiresOn => form.type({ expiresOn })}
      />
    </FormDialog>
  )
}
