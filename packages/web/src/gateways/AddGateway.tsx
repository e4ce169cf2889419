// Adding a gateway, or replacing one: a one-time code is made for it, and then it is waited for.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import type { GatewayView } from '@callgate/contract/app/gateway'
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useChange } from '../client/reading.tsx'
import { useConfirmation } from '../confirm/Confirm.tsx'
import { Banner } from '../kit/Banner.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Field } from '../kit/Field.tsx'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'
import { AddByKey } from './AddByKey.tsx'
import { Enrolling } from './Enrolling.tsx'
import { nameCheck } from './gatewayFields.ts'

type Started = AppAnswerOf<'startEnrolment'>['body']

interface AddProps {
  /** The gateway that is shut out when the new one is confirmed. */
  readonly replaces?: GatewayView
  readonly close: () => void
}

function ReplaceMeans() {
  const { replaceWhat } = useWords().enrolment
  return (
    <ul className="dialog-means">
      {replaceWhat.map(what => (
        <li key={what}>{what}</li>
      ))}
    </ul>
  )
}

function NotMade({ failure }: { readonly failure: Failure | undefined }) {
  const words = useWords()
  const { notMade } = words.enrolment
  const { noAnswer } = words.gateways.form
  return (
    <div role="alert">
      {failure && (
        <Banner tone="shut" title={notMade}>
          {sayProblem(failure, words, { network_error: noAnswer })}
        </Banner>
      )}
    </div>
  )
}

function CodeForm(
  props: AddProps & { readonly begin: (started: Started) => void; readonly byKey: () => void },
) {
  const { begin, byKey, close, replaces } = props
  const { enrolment: says, gateways } = useWords()
  const { form } = gateways
  const start = useChange('startEnrolment')
  const { confirmed, dialog } = useConfirmation()
  const [name, setName] = useState('')
  const [isForCard, setForCard] = useState(false)
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | undefined>()

  async function go() {
    setSent(true)
    if (!replaces && nameCheck(form)(name)) return
    setBusy(true)
    const body = { isForCard, ...(replaces ? { replaces: replaces.id } : { name: name.trim() }) }
    const result = await confirmed(() => start({ body }))
    setBusy(false)
    if (result?.ok) begin(result.body)
    else setFailure(result)
  }

  if (dialog) return dialog
  return (
    <Dialog
      title={replaces ? says.replaceTitle(replaces.name) : form.addTitle}
      does={says.make}
      busy={isBusy ? says.making : undefined}
      isTyped={name !== ''}
      close={close}
      go={() => void go()}
    >
      {replaces ? (
        <ReplaceMeans />
      ) : (
        <Field
          label={form.name}
          hint={form.nameHint}
          value={name}
          change={typed => {
            setName(typed)
            setFailure(undefined)
          }}
          check={nameCheck(form)}
          isSent={isSent}
          input={{ autoComplete: 'off', 'data-autofocus': true }}
        />
      )}
      <p className="quiet">{says.intro}</p>
      <Checkbox
        label={says.forCard}
        checked={isForCard}
        onChange={event => setForCard(event.currentTarget.checked)}
      />
      {!replaces && (
        <button type="button" className="link small enrol-other" onClick={byKey}>
          {says.byKey}
        </button>
      )}
      <NotMade failure={failure} />
    </Dialog>
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
