// A form without a session: its fields, the failure, and the single button.

import { passwordLengths } from '@callgate/contract/limits'
import type { ReactNode } from 'react'
import type { Failure } from '../client/client.ts'
import { Button } from '../kit/Button.tsx'
import { sayProblem } from '../words/problems.ts'
import type { FirstWords } from '../words/words.tsx'

/** The texts of a failure; `refused` is the meaning of a refusal here. */
export function sayFailure(failure: Failure, words: FirstWords, refused: string): string {
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

/** Why a form was not sent, where no field shows it. */
export function troubleOf(
  { failure, refused }: { readonly failure: Failure | undefined; readonly refused?: object | undefined },
  words: FirstWords,
): string | undefined {
  return failure && !refused ? sayFailure(failure, words, sayProblem(failure, words)) : undefined
}

export const newPasswordInput = { name: 'password', autoComplete: 'new-password' } as const

/** A new password, without a session. The cloud checks its length, because it knows about the second factor. */
export function newPasswordField({ forgotten, signIn }: FirstWords) {
  return {
    label: forgotten.newPassword,
    hint: forgotten.rule(passwordLengths.alone.least),
    check: (value: string) => (value === '' ? signIn.passwordMissing : undefined),
    isPassword: true,
    input: newPasswordInput,
  } as const
}

export function EntranceForm(props: {
  readonly children?: ReactNode
  /** The text of the button, and its text while it works. */
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
