// When the gateways of a Space update themselves: a standing permission, which an owner gives and withdraws.

import type { UpdateHours } from '@callgate/contract/app/update'
import { useState } from 'react'
import { useChange, useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { useSending } from '../confirm/useSending.ts'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { Button } from '../kit/Button.tsx'
import { Card } from '../kit/Card.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { timeTyped } from '../schedule/scheduleForm.ts'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'
import { updateTexts } from './updateTexts.ts'

/** The default proposal: few gates are opened at this time. */
const usual: UpdateHours = { from: '02:00', to: '05:00' }

/** The read values, with a tag made here: the API gives none. */
const hoursOf = (hours: UpdateHours | null) => ({ values: hours ?? usual, etag: JSON.stringify(hours) })

function useHoursForm(hours: UpdateHours | null) {
  const words = useWords()
  const says = updateTexts(words).hours
  const change = useChange('setUpdateHours')
  const off = useSending()
  // A native field of a time writes it as the browser does, and not as the page.
  const input = { inputMode: 'numeric', autoComplete: 'off' } as const
  const timeProblem = (text: string) =>
    timeTyped(text) === undefined ? words.schedule.wrong.noTime : undefined
  const form = useForm({
    start: hoursOf(hours),
    follows: true,
    fields: {
      from: { label: says.from, hint: says.hint, input, check: timeProblem },
      to: {
        label: says.to,
        input,
        isCheckedLate: true,
        check: (to, { from }) =>
          timeProblem(to) ?? (timeTyped(from) === timeTyped(to) ? says.wrong : undefined),
      },
    },
    send: ({ values: { from, to } }) =>
      change({ body: { hours: { from: timeTyped(from) ?? from, to: timeTyped(to) ?? to } } }),
    goesOn: ({ body }) => hoursOf(body.hours),
  })
  return {
    form,
    off,
    switchOff: () => void off.send(() => change({ body: { hours: null } })),
  }
}

function HoursForm({ hours }: { readonly hours: UpdateHours | null }) {
  const words = useWords()
  const says = updateTexts(words).hours
  const isOwner = useSpace().space.role === 'owner'
  const { form, off, switchOff } = useHoursForm(hours)
  const [isChoosing, setChoosing] = useState(false)
  const failure = form.failure ?? off.failure
  return (
    <>
      <p>
        <b>{hours ? says.now(hours.from, hours.to) : says.never}</b>
      </p>
      <p className="small quiet">{says.why}</p>
      {!hours && !isChoosing && isOwner && (
        <div>
          <Button onClick={() => setChoosing(true)}>{says.choose}</Button>
        </div>
      )}
      {(hours || isChoosing) && (
        <fieldset className="group" disabled={!isOwner}>
          <div className="space-pair">
            <FormField form={form} name="from" />
            <FormField form={form} name="to" />
          </div>
          <div className="button-row">
            <Button busy={form.isBusy ? says.saving : undefined} onClick={form.send}>
              {says.save}
            </Button>
            {hours && (
              <Button busy={off.isBusy ? says.saving : undefined} onClick={switchOff}>
                {says.off}
              </Button>
            )}
          </div>
        </fieldset>
      )}
      <div role="alert" className="small">
        {failure && sayProblem(failure, words)}
      </div>
      {form.asksWho}
      {off.asksWho}
    </>
  )
}

export function UpdateHoursCard() {
  const says = updateTexts(useWords()).hours
  const read = useRead('listUpdates', {})
  return (
    <Card title={says.title}>
      <NotRead what={says.title} of={read} />
      {!read.value && !read.failure && <Skeleton bars={[20, 40]} />}
      {read.value && <HoursForm hours={read.value.hours} />}
    </Card>
  )
}
