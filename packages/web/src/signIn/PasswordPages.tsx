// A forgotten password: requesting a mail, and setting a new password by its link.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { useState } from 'react'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { ButtonLink } from '../kit/Button.tsx'
import { useFirstWords } from '../words/words.tsx'
import { Entrance } from './Entrance.tsx'
import { EntranceForm, newPasswordField, newPasswordInput, sayFailure, troubleOf } from './EntranceForm.tsx'
import { tokenOfAddress } from './mailedToken.ts'
import { useEntranceCall } from './useEntranceCall.ts'

export function ForgottenPage() {
  const allWords = useFirstWords()
  const { forgotten: words, signIn } = allWords
  const call = useEntranceCall()
  const [isDone, setDone] = useState(false)
  const form = useForm({
    start: { values: { email: '' }, etag: undefined },
    fields: {
      email: {
        label: signIn.email,
        check: value => (value.trim() === '' ? signIn.emailMissing : undefined),
        input: { type: 'email', name: 'email', autoComplete: 'username', autoFocus: true },
      },
    },
    send: ({ values }) => call('requestPasswordReset', { body: { email: values.email.trim() } }),
    done: () => setDone(true),
  })
  if (isDone)
    return (
      <Entrance title={words.asked} intro={words.askedWhy(form.values.email.trim())}>
        <ButtonLink href={dashboardPaths.home}>{words.toSignIn}</ButtonLink>
      </Entrance>
    )
  return (
    <Entrance title={words.title} intro={words.intro}>
      <EntranceForm
        verb={words.send}
        doing={words.sending}
        isBusy={form.isBusy}
        trouble={form.failure && sayFailure(form.failure, allWords, words.badEmail)}
        submit={form.send}
      >
        <FormField form={form} name="email" />
      </EntranceForm>
      <ButtonLink look="quiet" isWide href={dashboardPaths.home}>
        {words.toSignIn}
      </ButtonLink>
    </Entrance>
  )
}

/** The link was used, is too old, or was cut off on its way. */
function DeadReset() {
  const words = useFirstWords().forgotten
  return (
    <Entrance title={words.dead} intro={words.deadWhy}>
      <ButtonLink look="filled" isBig href={dashboardPaths.passwordForgotten}>
        {words.askAgain}
      </ButtonLink>
    </Entrance>
  )
}

function ResetForm({ done, token }: { readonly done: () => void; readonly token: string }) {
  const words = useFirstWords()
  const says = words.forgotten
  const call = useEntranceCall()
  const form = useForm({
    start: { values: { password: '' }, etag: undefined },
    fields: { password: { ...newPasswordField(words), input: { ...newPasswordInput, autoFocus: true } } },
    send: ({ values: { password } }) => call('resetPassword', { body: { token, password } }),
    done,
  })
  if (form.failure?.code === 'not_found') return <DeadReset />
  return (
    <Entrance title={says.newTitle} intro={says.newIntro}>
      <EntranceForm
        verb={says.set}
        doing={says.setting}
        isBusy={form.isBusy}
        trouble={troubleOf(form, words)}
        submit={form.send}
      >
        <FormField form={form} name="password" />
      </EntranceForm>
    </Entrance>
  )
}

export function ResetPage() {
  const words = useFirstWords().forgotten
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
