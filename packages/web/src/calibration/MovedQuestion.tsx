// The question after a test call: did the gate move, and after how many seconds.

import { limits } from '@callgate/contract/limits'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useChange } from '../client/reading.tsx'
import { useSending } from '../confirm/useSending.ts'
import { isWhole } from '../form/checks.ts'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { Trouble } from '../kit/Trouble.tsx'
import { useWords } from '../words/words.tsx'

interface MovedQuestionProps {
  readonly gateId: string
  readonly openingId: string
  readonly done: () => void
}

const { afterS: limit } = limits.testCall

/** `afterS`: the seconds that the person noted during the call, or answered before. */
function useAnswer({
  afterS,
  done,
  gateId,
  openingId,
}: MovedQuestionProps & { readonly afterS: number | undefined }) {
  const words = useWords()
  const says = words.calibration
  const answer = useChange('answerTestCall')
  const still = useSending()
  const send = (hasMoved: boolean, typed: string) => {
    const seconds = typed.trim() === '' ? null : Number(typed)
    return answer({ params: { gateId }, body: { openingId, hasMoved, afterS: seconds } })
  }
  const form = useForm({
    start: { values: { after: afterS === undefined ? '' : String(afterS) }, etag: undefined },
    fields: {
      after: {
        label: says.after,
        hint: says.afterHint,
        check: text =>
          text.trim() === '' || isWhole(text, limit)
            ? undefined
            : words.form.betweenOrEmpty(limit.least, limit.most),
        input: { inputMode: 'numeric' },
      },
    },
    send: ({ values }) => send(true, values.after),
    done,
  })
  async function sayStill() {
    const result = await still.send(() => send(false, ''))
    if (result?.ok) done()
  }
  return { form, still, sayStill: () => void sayStill() }
}

export function MovedQuestion(
  asked: MovedQuestionProps & { readonly afterS: number | undefined; readonly head: ReactNode },
) {
  const says = useWords().calibration
  const { form, sayStill, still } = useAnswer(asked)
  const [hasMoved, setMoved] = useState(asked.afterS !== undefined)
  function submit(event: FormEvent) {
    event.preventDefault()
    form.send()
  }
  return (
    <form className="calibration-parts" onSubmit={submit} noValidate>
      {asked.head}
      <div className="calibration-answers">
        <Button
          isBig
          look={hasMoved ? 'soft' : 'outlined'}
          icon={hasMoved && <icons.check size={20} />}
          aria-pressed={hasMoved}
          onClick={() => setMoved(true)}
        >
          {says.yes}
        </Button>
        <Button isBig busy={still.isBusy ? says.saving : undefined} onClick={sayStill}>
          {says.no}
        </Button>
      </div>
      {hasMoved && (
        <>
          <FormField form={form} name="after" />
          <Button type="submit" look="filled" isBig isWide busy={form.isBusy ? says.saving : undefined}>
            {says.next}
          </Button>
        </>
      )}
      <Trouble form={{ failure: form.failure ?? still.failure, refused: form.refused }} />
    </form>
  )
}
