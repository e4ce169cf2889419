// The name and the caller number of a gateway, in which nobody's change is lost without a word.

import type { GatewayView } from '@callgate/contract/app/gateway'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useCall, useChange, useRead } from '../client/reading.tsx'
import { Banner } from '../kit/Banner.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { type Draft, draftOf, rebased, valuesOf, withTyped } from '../kit/draft.ts'
import { Field } from '../kit/Field.tsx'
import { useLastChange } from '../kit/lastChange.ts'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'
import { type GatewayValues, gatewayBody, nameCheck, numberCheck, valuesOfGateway } from './gatewayFields.ts'

interface FormState {
  readonly draft: Draft<GatewayValues>
  readonly etag: string | undefined
  readonly isSent: boolean
  readonly isBusy: boolean
  readonly failure?: Failure | undefined
  /** Who has changed the gateway since it was read. */
  readonly changedBy?: string | undefined
}

/** Sends what is typed over what was read, and puts it over what is there now where that has changed. */
function useEdit(gateway: GatewayView, etag: string | undefined, close: () => void) {
  const { form } = useWords().gateways
  const change = useChange('updateGateway')
  const call = useCall()
  const lastChange = useLastChange()
  const [state, setState] = useState<FormState>({
    draft: draftOf(valuesOfGateway(gateway)),
    etag,
    isSent: false,
    isBusy: false,
  })
  const params = { gatewayId: gateway.id }

  async function readChanged(draft: Draft<GatewayValues>) {
    const [now, { who: changedBy }] = await Promise.all([
      call('getGateway', { params }),
      lastChange(gateway.id),
    ])
    setState(before =>
      now.ok
        ? {
            draft: rebased(draft, valuesOfGateway(now.body.gateway)),
            etag: now.etag ?? undefined,
            isSent: true,
            isBusy: false,
            changedBy,
          }
        : { ...before, isBusy: false, failure: now },
    )
  }

  async function send() {
    const { draft } = state
    const { callerNumber, name } = valuesOf(draft)
    const isWrong = nameCheck(form)(name) ?? numberCheck(form)(callerNumber)
    if (isWrong === undefined && Object.keys(draft.typed).length === 0) return close()
    setState({ draft, etag: state.etag, isSent: true, isBusy: isWrong === undefined })
    if (isWrong !== undefined) return
    const result = await change({ params, body: gatewayBody(draft.typed), ifMatch: state.etag })
    if (result.ok) return close()
    if (result.code === 'precondition_failed') return readChanged(draft)
    setState(before => ({ ...before, isBusy: false, failure: result }))
  }

  const type = (typed: Partial<GatewayValues>) =>
    setState(before => ({ ...before, draft: withTyped(before.draft, typed), failure: undefined }))
  return { state, type, send }
}

function Form(props: {
  readonly gateway: GatewayView
  readonly etag: string | undefined
  readonly close: () => void
}) {
  const { close, etag, gateway } = props
  const words = useWords()
  const { form } = words.gateways
  const { send, state, type } = useEdit(gateway, etag, close)
  const { draft, failure, isBusy, changedBy, isSent } = state
  const values = valuesOf(draft)
  const hint = (theirs: string | undefined, usual?: string) => {
    const says = theirs === undefined ? usual : theirs === '' ? form.theyCleared : form.theySet(theirs)
    return says === undefined ? {} : { hint: says }
  }
  const trouble = changedBy
    ? form.changedMeanwhile(changedBy)
    : failure && sayProblem(failure, words, { network_error: form.noAnswer })
  return (
    <Dialog
      title={form.editTitle(gateway.name)}
      does={changedBy ? form.saveMine : words.frame.save}
      busy={isBusy ? words.frame.saving : undefined}
      isTyped={Object.keys(draft.typed).length > 0}
      close={close}
      go={() => void send()}
    >
      <Field
        label={form.name}
        value={values.name}
        change={name => type({ name })}
        check={nameCheck(form)}
        isSent={isSent}
        {...hint(draft.theirs.name)}
        input={{ autoComplete: 'off' }}
      />
      <Field
        label={form.number}
        value={values.callerNumber}
        change={callerNumber => type({ callerNumber })}
        check={numberCheck(form)}
        isSent={isSent}
        {...hint(draft.theirs.callerNumber, form.numberHint)}
        input={{ type: 'tel', autoComplete: 'off', 'data-autofocus': true }}
      />
      <div role="alert">
        {trouble !== undefined && (
          <Banner tone="shut" title={form.notSaved}>
            {trouble}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}

/** Reads the gateway first: the list has no ETag to change it by. */
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
