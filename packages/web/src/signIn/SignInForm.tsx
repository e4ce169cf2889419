// The form of e-mail and password, on the page of the sign-in and over a page whose session has ended.

import { type FormEvent, useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useClient } from '../client/reading.tsx'
import { useSessions } from '../client/session.tsx'
import { Button } from '../kit/Button.tsx'
import { Field, PasswordField } from '../kit/Field.tsx'
import type { Words } from '../words/words.tsx'
import { useWords } from '../words/words.tsx'

function sayFailure({ code, retryAfterS }: Failure, words: Words['signIn']): string {
  if (code === 'rate_limited') return words.wait(retryAfterS ?? 60)
  return code === 'unauthorized' || code === 'validation_error' ? words.wrong : words.noAnswer
}

/** `email` is filled in where it is known who was signed in. */
export function SignInForm({ email: known = '' }: { readonly email?: string }) {
  const words = useWords().signIn
  const client = useClient()
  const { begin } = useSessions()
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()

  const isEmpty = (text: string) => text.trim() === ''
  async function send(event: FormEvent) {
    event.preventDefault()
    setSent(true)
    if (isBusy || isEmpty(email) || password === '') return
    setBusy(true)
    setFailure(undefined)
    const answer = await client.call('signIn', { body: { email: email.trim(), password } })
    setBusy(false)
    if (answer.ok) begin(answer.body)
    else setFailure(answer)
  }

  return (
    <form className="sign-in-form" onSubmit={event => void send(event)} noValidate>
      <Field
        label={words.email}
        value={email}
        change={setEmail}
        check={value => (isEmpty(value) ? words.emailMissing : undefined)}
        isSent={isSent}
        input={{ type: 'email', name: 'email', autoComplete: 'username', autoFocus: known === '' }}
      />
      <PasswordField
        label={words.password}
        value={password}
        change={setPassword}
        check={value => (value === '' ? words.passwordMissing : undefined)}
        isSent={isSent}
        input={{ name: 'password', autoComplete: 'current-password', autoFocus: known !== '' }}
      />
      <div role="alert">{failure && <p className="sign-in-failure">{sayFailure(failure, words)}</p>}</div>
      <Button type="submit" look="filled" isBig isWide busy={isBusy ? words.signingIn : undefined}>
        {words.signIn}
      </Button>
    </form>
  )
}
