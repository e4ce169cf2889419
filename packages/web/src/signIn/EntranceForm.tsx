// A form for who is not signed in: its fields, what went wrong, and the one button.

import type { AppOperationId } from '@callgate/contract/app/appOperations'
import { type ReactNode, useState } from 'react'
import type { Failure, Result, Success } from '../client/client.ts'
import { Button } from '../kit/Button.tsx'
import { sayProblem } from '../words/problems.ts'
import type { Words } from '../words/words.tsx'

/** What a failure says; `refused` is what it means here that the server did not take what was sent. */
export function sayFailure(failure: Failure, words: Words, refused: string): string {
  const { signIn } = words
  switch (failure.code) {
    case 'rate_limited':
      return signIn.wait(failure.retryAfterS ?? 60)
    case 'network_error':
    case 'internal_error':
      return signIn.noAnswer
    case 'proxy_failed':
    case 'proxy_too_large':
    case 'unavailable':
      return sayProblem(failure, words)
    default:
      return failure.refusals ? sayProblem(failure, words) : refused
  }
}

/** One call at a time, and why the last one failed. */
export function useSending() {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  async function send<Id extends AppOperationId>(
    call: () => Promise<Result<Id>>,
  ): Promise<Success<Id> | undefined> {
    if (isBusy) return undefined
    setBusy(true)
    setFailure(undefined)
    const answer = await call()
    setBusy(false)
    if (answer.ok) return answer
    setFailure(answer)
    return undefined
  }
  return { failure, isBusy, send }
}

export function EntranceForm(props: {
  readonly children?: ReactNode
  /** What the button does, and what it says meanwhile. */
  readonly verb: string
  readonly doing: string
  readonly isBusy: boolean
  readonly trouble: string | undefined
  readonly submit: () => void
}) {
  const { children, doing, isBusy, submit, trouble, verb } = props
  return (
    <form
      className="sign-in-form"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
    >
      {children}
      <div role="alert">{trouble !== undefined && <p className="sign-in-failure">{trouble}</p>}</div>
      <Button type="submit" look="filled" isBig isWide busy={isBusy ? doing : undefined}>
        {verb}
      </Button>
    </form>
  )
}
