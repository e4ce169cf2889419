// The question after a test call: did the gate move, and after how many seconds.

import { type FormEvent, useState } from 'react'
import { useChange } from '../client/reading.tsx'
import { Banner } from '../kit/Banner.tsx'
import { Button } from '../kit/Button.tsx'
import { Field } from '../kit/Field.tsx'
import { icons } from '../kit/icons.tsx'
import { sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'

const isSeconds = (text: string) => /^\d{1,3}$/.test(text.trim()) && Number(text) <= 120

interface Asked {
  readonly gateId: string
  readonly openingId: string
  readonly done: () => void
}

/** Sends what was seen. `typed` are the seconds as they stand in the field. */
function useAnswer({ done, gateId, openingId }: Asked) {
  const words = useWords()
  const answer = useChange('answerTestCall')
  const [sending, setSending] = useState<'moved' | 'still'>()
  const [trouble, setTrouble] = useState<string>()
  async function send(hasMoved: boolean, typed: string) {
    setSending(hasMoved ? 'moved' : 'still')
    const afterS = hasMoved && typed.trim() !== '' ? Number(typed) : null
    const result = await answer({ params: { gateId }, body: { openingId, hasMoved, afterS } })
    setSending(undefined)
    if (result.ok) return done()
    setTrouble(sayProblem(result, words))
  }
  return { send, sending, trouble }
}

/** `afterS`: what the person noted during the call, or has said before. */
export function MovedQuestion({ afterS, ...asked }: Asked & { readonly afterS: number | undefined }) {
  const says = useWords().calibration
  const { send, sending, trouble } = useAnswer(asked)
  const [hasMoved, setMoved] = useState(afterS !== undefined)
  const [typed, setTyped] = useState(afterS === undefined ? '' : String(afterS))
  const [isSent, setSent] = useState(false)
  const check = (text: string) => (text.trim() === '' || isSeconds(text) ? undefined : says.afterWrong)
  function submit(event: FormEvent) {
    event.preventDefault()
    setSent(true)
    if (check(typed) === undefined) void send(true, typed)
  }
  return (
    <form className="calibration-parts" onSubmit={submit} noValidate>
      <h2>{says.ask}</h2>
      <div className="calibration-answers">
        <Button
          isBig
          look={hasMoved ? 'soft' : 'outlined'}
          aria-pressed={hasMoved}
          onClick={() => setMoved(true)}
        >
          {says.yes}
        </Button>
        <Button
          isBig
          busy={sending === 'still' ? says.saving : undefined}
          onClick={() => void send(false, '')}
        >
          {says.no}
        </Button>
      </div>
      {hasMoved && (
        <>
          <Field
            label={says.after}
            hint={says.afterHint}
            value={typed}
            change={setTyped}
            check={check}
            isSent={isSent}
            input={{ inputMode: 'numeric', size: 'lg' }}
          />
          <Button
            type="submit"
            look="filled"
            isBig
            isWide
            icon={<icons.next size={20} />}
            busy={sending === 'moved' ? says.saving : undefined}
          >
            {says.next}
          </Button>
        </>
      )}
      <div role="alert">{trouble !== undefined && <Banner tone="shut">{trouble}</Banner>}</div>
    </form>
  )
}
