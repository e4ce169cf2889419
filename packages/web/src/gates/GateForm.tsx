// The form of a gate: a new one, or a change of one, in which nobody's change is lost without a word.

import type { Gate } from '@callgate/contract/rest/gate'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useCall, useChange } from '../client/reading.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { type Draft, draftOf, rebased, valuesOf, withTyped } from '../kit/draft.ts'
import { Field } from '../kit/Field.tsx'
import { icons } from '../kit/icons.tsx'
import { useLastChange } from '../kit/lastChange.ts'
import { refusedField, sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'
import { type GateValues, gateBody, gateChecks, newGate, valuesOfGate } from './gateFields.ts'

const fields = Object.keys(newGate) as (keyof GateValues)[]

interface FormState {
  readonly draft: Draft<GateValues>
  readonly isSent: boolean
  readonly failure?: Failure | undefined
  /** Who has changed the gate since it was read. */
  readonly changedBy?: string | undefined
}

function Fields(props: {
  readonly state: FormState
  readonly type: (change: Partial<GateValues>) => void
  readonly isNew: boolean
}) {
  const { isNew, state, type } = props
  const words = useWords()
  const says = words.gates.form
  const { draft, failure, isSent } = state
  const values = valuesOf(draft)
  const checks = gateChecks(says)
  const refused = refusedField(failure, fields, words)
  const field = (name: keyof GateValues) => {
    const theirs = draft.theirs[name]
    return {
      value: values[name],
      change: (value: string) => type({ [name]: value }),
      check: checks[name],
      isSent,
      ...(theirs !== undefined && { hint: theirs === '' ? says.theyCleared : says.theySet(theirs) }),
      ...(refused?.field === name && { refused: refused.says }),
    }
  }
  const numberHint = isNew || draft.typed.phoneNumber === undefined ? says.numberHint : says.numberChanges
  return (
    <>
      <Field label={says.name} {...field('name')} input={{ 'data-autofocus': true, autoComplete: 'off' }} />
      <Field
        label={says.number}
        hint={numberHint}
        {...field('phoneNumber')}
        input={{ type: 'tel', inputMode: 'tel', autoComplete: 'off' }}
      />
      <Field label={says.place} hint={says.placeHint} {...field('location')} />
      <Field label={says.note} {...field('description')} />
    </>
  )
}

function Troubles({ state }: { readonly state: FormState }) {
  const words = useWords()
  const says = words.gates.form
  const { changedBy, failure } = state
  const own = { plan_limit_reached: says.limit, not_found: says.gone, network_error: says.noAnswer }
  const text = changedBy
    ? says.changedMeanwhile(changedBy)
    : failure && !refusedField(failure, fields, words)
      ? sayProblem(failure, words, own)
      : undefined
  return (
    <div role="alert">
      {text !== undefined && (
        <p className="banner banner-shut dialog-banner">
          <icons.error size={20} />
          <span>
            <b>{says.notSaved}</b> {text}
          </span>
        </p>
      )}
    </div>
  )
}

/** Sends what is typed, and shows over the form what came of it. */
function useGateForm(
  edited: { readonly gate: Gate; readonly etag: string | undefined } | undefined,
  close: () => void,
) {
  const create = useChange('createGate')
  const update = useChange('updateGate')
  const call = useCall()
  const lastChange = useLastChange()
  const says = useWords().gates.form
  const [state, setState] = useState<FormState>({
    draft: draftOf(edited ? valuesOfGate(edited.gate) : newGate),
    isSent: false,
  })
  const [etag, setEtag] = useState(edited?.etag)
  const [isBusy, setBusy] = useState(false)

  /** Puts what is typed over the gate as it is now. */
  async function readChanged(gateId: string): Promise<void> {
    const [now, { who: changedBy }] = await Promise.all([
      call('getGate', { params: { gateId } }),
      lastChange(gateId),
    ])
    if (!now.ok) return setState(before => ({ ...before, failure: now }))
    setEtag(now.etag ?? undefined)
    const base = valuesOfGate(now.body.gate)
    setState(before => ({
      ...before,
      draft: rebased(before.draft, base),
      changedBy,
      failure: undefined,
    }))
  }

  async function send(): Promise<void> {
    const { draft } = state
    setState({ draft, isSent: true })
    const values = valuesOf(draft)
    const checks = gateChecks(says)
    if (fields.some(name => checks[name](values[name]) !== undefined)) return
    const gateId = edited?.gate.id
    if (gateId !== undefined && Object.keys(draft.typed).length === 0) return close()
    setBusy(true)
    const result =
      gateId === undefined
        ? await create({ body: { name: '', phoneNumber: '', ...gateBody(draft.typed) } })
        : await update({ params: { gateId }, body: gateBody(draft.typed), ifMatch: etag })
    if (result.ok) return close()
    if (result.code === 'precondition_failed' && gateId !== undefined) await readChanged(gateId)
    else setState({ draft, isSent: true, failure: result })
    setBusy(false)
  }
  const type = (change: Partial<GateValues>) =>
    setState(before => ({ ...before, draft: withTyped(before.draft, change), failure: undefined }))
  return { state, type, isBusy, send: () => void send() }
}

/** Without `edited` a new gate is made. */
export function GateForm({
  close,
  edited,
}: {
  readonly close: () => void
  readonly edited?: { readonly gate: Gate; readonly etag: string | undefined }
}) {
  const words = useWords()
  const says = words.gates.form
  const { isBusy, send, state, type } = useGateForm(edited, close)
  const does = state.changedBy ? says.saveMine : edited ? words.frame.save : words.gates.add
  return (
    <Dialog
      title={edited ? says.edit(edited.gate.name) : says.add}
      does={does}
      busy={isBusy ? (edited ? words.frame.saving : says.adding) : undefined}
      isTyped={Object.keys(state.draft.typed).length > 0}
      close={close}
      go={send}
    >
      <Fields state={state} type={type} isNew={!edited} />
      <Troubles state={state} />
    </Dialog>
  )
}
