// A forgotten password: asking for a mail, and setting a new one by its link.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { useState } from 'react'
import { useClient } from '../client/reading.tsx'
import { ButtonLink } from '../kit/Button.tsx'
import { Field, PasswordField } from '../kit/Field.tsx'
import { refusedField, sayProblem } from '../words/problems.ts'
import { useWords } from '../words/words.tsx'
import { Entrance } from './Entrance.tsx'
import { EntranceForm, sayFailure, useSending } from './EntranceForm.tsx'
import { tokenOfAddress } from './mailedToken.ts'

export function ForgottenPage() {
  const allWords = useWords()
  const { forgotten: words, signIn } = allWords
  const client = useClient()
  const { failure, isBusy, send } = useSending()
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)
  const [isDone, setDone] = useState(false)
  async function submit() {
    setSent(true)
    if (email.trim() === '') return
    const answer = await send(() => client.call('requestPasswordReset', { body: { email: email.trim() } }))
    if (answer) setDone(true)
  }
  if (isDone)
    return (
      <Entrance title={words.asked} intro={words.askedWhy(email.trim())}>
        <ButtonLink href={dashboardPaths.home}>{words.toSignIn}</ButtonLink>
      </Entrance>
    )
  return (
    <Entrance title={words.title} intro={words.intro}>
      <EntranceForm
        verb={words.send}
        doing={words.sending}
        isBusy={isBusy}
        trouble={failure && sayFailure(failure, allWords, words.badEmail)}
        submit={() => void submit()}
      >
        <Field
          label={signIn.email}
          value={email}
          change={setEmail}
          check={value => (value.trim() === '' ? signIn.emailMissing : undefined)}
          isSent={isSent}
          input={{ type: 'email', name: 'email', autoComplete: 'username', autoFocus: true }}
        />
      </EntranceForm>
      <ButtonLink look="quiet" isWide href={dashboardPaths.home}>
        {words.toSignIn}
      </ButtonLink>
    </Entrance>
  )
}

/** The link was used, is too old, or was cut on its way. */
function DeadReset() {
  const words = useWords().forgotten
  return (
    <Entrance title={words.dead} intro={words.deadWhy}>
      <ButtonLink look="filled" isBig href={dashboardPaths.passwordForgotten}>
        {words.askAgain}
      </ButtonLink>
    </Entrance>
  )
}

function ResetForm({ done, token }: { readonly done: () => void; readonly token: string }) {
  const words = useWords()
  const { forgotten: says, signIn } = words
  const client = useClient()
  const { failure, isBusy, send } = useSending()
  const [password, setPassword] = useState('')
  const [isSent, setSent] = useState(false)
  async function submit() {
    setSent(true)
    if (password === '') return
    if (await send(() => client.call('resetPassword', { body: { token, password } }))) done()
  }
  if (failure?.code === 'not_found') return <DeadReset />
  const refused = refusedField(failure, ['password'], words)
  return (
    <Entrance title={says.newTitle} intro={says.newIntro}>
      <EntranceForm
        verb={says.set}
        doing={says.setting}
        isBusy={isBusy}
        trouble={failure && !refused ? sayFailure(failure, words, sayProblem(failure, words)) : undefined}
        submit={() => void submit()}
      >
        <PasswordField
          label={says.newPassword}
          value={password}
          change={setPassword}
          check={value => (value === '' ? signIn.passwordMissing : undefined)}
          refused={refused?.says}
          hint={says.rule}
          isSent={isSent}
          input={{ name: 'password', autoComplete: 'new-password', autoFocus: true }}
        />
      </EntranceForm>
    </Entrance>
  )
}

export function ResetPage() {
  const words = useWords().forgotten
  const [token] = useState(tokenOfAddress)
  const [isDone, setDone] = useState(false)
  if (isDone)
    return (
      <Entrance title={words.done} intro={words.doneWhy}>
        <ButtonLink look="filled" isBig href={dashboardPaths.home}>
          {words.toSignIn}
        </ButtonLink>
      </Entrance>
    )
  return token === undefined ? <DeadReset /> : <ResetForm token={token} done={() => setDone(true)} />
}
