// When the gateways of a Space update themselves: the standing leave, which an owner gives and takes back.

import type { UpdateHours } from '@callgate/contract/app/update'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useChange, useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { useConfirmation } from '../confirm/Confirm.tsx'
import { Button } from '../kit/Button.tsx'
import { Card } from '../kit/Card.tsx'
import { Field } from '../kit/Field.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'

/** What is proposed where none is set: few gates are opened then. */
const usual: UpdateHours = { from: '02:00', to: '05:00' }

function HoursForm({ hours }: { readonly hours: UpdateHours | null }) {
  const words = useWords()
  const says = words.updates.hours
  const isOwner = useSpace().space.role === 'owner'
  const change = useChange('setUpdateHours')
  const { confirmed, dialog } = useConfirmation()
  const [typed, setTyped] = useState<Partial<UpdateHours>>({})
  const [failure, setFailure] = useState<Failure>()
  const [busy, setBusy] = useState<'save' | 'off'>()
  const [isSent, setSent] = useState(false)
  const { from, to } = { ...(hours ?? usual), ...typed }
  const isWrong = from === '' || to === '' || from === to
  async function send(next: UpdateHours | null) {
    setSent(true)
    if (next && isWrong) return
    setBusy(next ? 'save' : 'off')
    const result = await confirmed(() => change({ body: { hours: next } }))
    setBusy(undefined)
    setFailure(result && !result.ok ? result : undefined)
    if (result?.ok) {
      setTyped({})
      setSent(false)
    }
  }
  const fault = isSent && isWrong ? says.wrong : undefined
  return (
    <>
      <p>
        <b>{hours ? says.now(hours.from, hours.to) : says.never}</b>
      </p>
      <p className="small quiet">{says.why}</p>
      <fieldset className="group" disabled={!isOwner}>
        <div className="space-pair">
          <Field
            label={says.from}
            value={from}
            change={value => setTyped({ ...typed, from: value })}
            isSent={isSent}
            hint={says.hint}
            input={{ type: 'time' }}
          />
          <Field
            label={says.to}
            value={to}
            change={value => setTyped({ ...typed, to: value })}
            refused={fault}
            isSent={isSent}
            hint={says.hint}
            input={{ type: 'time' }}
          />
        </div>
        <div className="button-row">
          <Button busy={busy === 'save' ? says.saving : undefined} onClick={() => void send({ from, to })}>
            {says.save}
          </Button>
          {hours && (
            <Button busy={busy === 'off' ? says.saving : undefined} onClick={() => void send(null)}>
              {says.off}
            </Button>
          )}
        </div>
      </fieldset>
      <div role="alert" className="small">
        {failure && sayProblem(failure, words)}
      </div>
      {dialog}
    </>
  )
}

export function UpdateHoursCard() {
  const says = useWords().updates.hours
  const read = useRead('listUpdates', {})
  return (
    <Card title={says.title}>
      <NotRead what={says.title} of={read} />
      {!read.value && !read.failure && <Skeleton bars={[20, 40]} />}
      {read.value && <HoursForm hours={read.value.hours} />}
    </Card>
  )
}
