// Signing in by e-mail and password, then a code of an app where the person has one, or by a passkey; it is on the page of the
// sign-in, and over a page whose session has ended.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Session } from '@callgate/contract/app/session'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Failure } from '../client/client.ts'
import { givenPasskey, hasPasskeys } from '../client/passkey.ts'
import { useSessions } from '../client/session.tsx'
import { useSending } from '../confirm/useSending.ts'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { Button } from '../kit/Button.tsx'
import { useFirstWords } from '../words/words.tsx'
import { EntranceForm, sayFailure } from './EntranceForm.tsx'
import { useEntranceCall } from './useEntranceCall.ts'

const isEmpty = (text: string) => text.trim() === ''

/** The ticket after a right password, which a code has to follow. */
function ticketOf(failure: Failure | undefined): string | undefined {
  return failure?.code === 'second_factor_needed' ? String(failure.extra['ticket']) : undefined
}

/** Loads the page that follows. */
type LoadAhead = () => Promise<void>

/** Waits for the page that follows a sign-in, so that this one stays until then. */
async function followed<Answer extends { readonly ok: boolean }>(
  calling: Promise<Answer>,
  loadAhead: LoadAhead | undefined,
): Promise<Answer> {
  const loading = loadAhead?.()
  const answer = await calling
  if (answer.ok) await loading
  return answer
}

function CodeForm(props: {
  readonly again: () => void
  readonly ticket: string
  readonly loadAhead: LoadAhead | undefined
}) {
  const { again, loadAhead, ticket } = props
  const allWords = useFirstWords()
  const words = allWords.signIn
  const call = useEntranceCall()
  const { begin } = useSessions()
  const form = useForm({
    start: { values: { code: '' }, etag: undefined },
    fields: {
      code: {
        label: words.code,
        hint: words.codeHint,
        check: value => (isEmpty(value) ? words.codeMissing : undefined),
        input: { name: 'code', autoComplete: 'one-time-code', autoFocus: true },
      },
    },
    send: ({ values }) =>
      followed(call('signInWithCode', { body: { ticket, code: values.code.trim() } }), loadAhead),
    done: ({ body }) => begin(body),
  })
  return (
    <>
      <EntranceForm
        verb={words.signIn}
        doing={words.signingIn}
        isBusy={form.isBusy}
        trouble={form.failure && sayFailure(form.failure, allWords, words.wrongCode)}
        submit={form.send}
      >
        <FormField form={form} name="code" />
      </EntranceForm>
      <Button look="quiet" isWide onClick={again}>
        {words.again}
      </Button>
    </>
  )
}

/** The other way to sign in; nothing where this browser has no passkeys. */
function PasskeyButton(props: {
  readonly begin: (session: Session) => void
  readonly loadAhead: LoadAhead | undefined
}) {
  const { begin, loadAhead } = props
  const allWords = useFirstWords()
  const words = allWords.signIn
  const call = useEntranceCall()
  const { failure, isBusy, send } = useSending()
  const [isNone, setNone] = useState(false)
  if (!hasPasskeys()) return null
  async function ask() {
    setNone(false)
    const started = await send(() => call('startPasskeySignIn', {}))
    if (!started?.ok) return
    const { options, ticket } = started.body
    const credential = await givenPasskey(options)
    if (!credential) return setNone(true)
    const answer = await send(() =>
      followed(call('signInWithPasskey', { body: { ticket, credential } }), loadAhead),
    )
    if (answer?.ok) begin(answer.body)
  }
  const trouble = failure ? sayFailure(failure, allWords, words.wrongPasskey) : words.noPasskey
  return (
    <div className="sign-in-passkey">
      <Button isBig isWide busy={isBusy ? words.askingPasskey : undefined} onClick={() => void ask()}>
        {words.byPasskey}
      </Button>
      <div role="alert">{(failure || isNone) && <p className="sign-in-failure">{trouble}</p>}</div>
    </div>
  )
}

/** `email` is filled in where the former user is known. */
export function SignInForm(props: { readonly email?: string; readonly loadAhead?: LoadAhead }) {
  const { email: known, loadAhead } = props
  const allWords = useFirstWords()
  const words = allWords.signIn
  const call = useEntranceCall()
  const { begin } = useSessions()
  const [isAgain, setAgain] = useState(false)
  const isKnown = known !== undefined
  const form = useForm({
    start: { values: { email: known ?? '', password: '' }, etag: undefined },
    fields: {
      email: {
        label: words.email,
        check: value => (isEmpty(value) ? words.emailMissing : undefined),
        input: { type: 'email', name: 'email', autoComplete: 'username', autoFocus: !isKnown },
      },
      password: {
        label: words.password,
        check: value => (value === '' ? words.passwordMissing : undefined),
        isPassword: true,
        input: { name: 'password', autoComplete: 'current-password', autoFocus: isKnown },
      },
    },
    send({ values: { email, password } }) {
      setAgain(false)
      return followed(call('signIn', { body: { email: email.trim(), password } }), loadAhead)
    },
    done: ({ body }) => begin(body),
  })
  const { failure } = form
  const ticket = ticketOf(failure)
  if (ticket !== undefined && !isAgain)
    return <CodeForm ticket={ticket} again={() => setAgain(true)} loadAhead={loadAhead} />
  return (
    <>
      <EntranceForm
        verb={words.signIn}
        doing={words.signingIn}
        isBusy={form.isBusy}
        trouble={failure && ticket === undefined ? sayFailure(failure, allWords, words.wrong) : undefined}
        submit={form.send}
      >
        <FormField form={form} name="email" />
        <div className="sign-in-password">
          <FormField form={form} name="password" />
          {!isKnown && (
            <Link className="link small sign-in-forgotten" href={dashboardPaths.passwordForgotten}>
              {words.forgotten}
            </Link>
          )}
        </div>
      </EntranceForm>
      <PasskeyButton begin={begin} loadAhead={loadAhead} />
    </>
  )
}
