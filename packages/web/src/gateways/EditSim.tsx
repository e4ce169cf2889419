// The dialog that sets how the network of a gateway is asked for its balance, and when to warn.

import type { SimView } from '@callgate/contract/app/sim'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useChange } from '../client/reading.tsx'
import { useConfirmation } from '../confirm/Confirm.tsx'
import { Banner } from '../kit/Banner.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Field } from '../kit/Field.tsx'
import { refusedField, sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'
import { amountCheck, codeCheck, type SimValues, simBody, valuesOfSim } from './simFields.ts'

interface Given {
  readonly gatewayId: string
  readonly sim: SimView
  readonly etag: string | undefined
  readonly close: () => void
}

/** What is typed over what was read when the dialog was opened. What is read meanwhile changes nothing of it. */
function useEdit(given: Given) {
  const { close, gatewayId } = given
  const { form } = useWords().sim
  const change = useChange('updateSim')
  const { confirmed, dialog } = useConfirmation()
  const [{ etag, sim }] = useState(given)
  const [values, setValues] = useState<SimValues>(() => valuesOfSim(sim))
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const isTyped = JSON.stringify(values) !== JSON.stringify(valuesOfSim(sim))
  const type = (typed: Partial<SimValues>) => {
    setValues({ ...values, ...typed })
    setFailure(undefined)
  }
  async function send() {
    setSent(true)
    if (codeCheck(form)(values.code) ?? amountCheck(form)(values.warnBelow)) return
    if (!isTyped) return close()
    setBusy(true)
    const result = await confirmed(() =>
      change({ params: { gatewayId }, body: simBody(values), ifMatch: etag }),
    )
    setBusy(false)
    if (result?.ok) return close()
    setFailure(result)
  }
  return { dialog, values, isSent, isBusy, failure, isTyped, type, send }
}

export function EditSim(props: Given) {
  const { close } = props
  const words = useWords()
  const { form, title } = words.sim
  const { dialog, failure, isBusy, isSent, isTyped, send, type, values } = useEdit(props)
  const refused = refusedField(failure, ['code'], words)
  if (dialog) return dialog
  return (
    <Dialog
      title={title}
      does={words.frame.save}
      busy={isBusy ? words.frame.saving : undefined}
      isTyped={isTyped}
      close={close}
      go={() => void send()}
    >
      <Field
        label={form.code}
        hint={form.codeHint}
        value={values.code}
        change={code => type({ code })}
        check={codeCheck(form)}
        refused={refused ? form.codeRefused : undefined}
        isSent={isSent}
        input={{ autoComplete: 'off', inputMode: 'tel', placeholder: '*100#', 'data-autofocus': true }}
      />
      <Field
        label={form.warnBelow}
        hint={form.warnBelowHint}
        value={values.warnBelow}
        change={warnBelow => type({ warnBelow })}
        check={amountCheck(form)}
        isSent={isSent}
        input={{ autoComplete: 'off', inputMode: 'decimal' }}
      />
      <Field
        label={form.expiresOn}
        hint={form.expiresOnHint}
        value={values.expiresOn}
        change={expiresOn => type({ expiresOn })}
        isSent={isSent}
        input={{ type: 'date' }}
      />
      <div role="alert">
        {failure && !refused && (
          <Banner tone="shut" title={words.gateways.form.notSaved}>
            {failure.code === 'precondition_failed'
              ? form.changedMeanwhile
              : sayProblem(failure, words, { network_error: words.gateways.form.noAnswer })}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}
