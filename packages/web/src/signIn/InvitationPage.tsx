// An invitation: its Space and role, and accepting it with an existing or a new account.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { Failure } from '../client/client.ts'
import { useClient } from '../client/connection.tsx'
import { useSessions } from '../client/session.tsx'
import { useSending } from '../confirm/useSending.ts'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { Button, ButtonLink } from '../kit/Button.tsx'
import { sayProblem } from '../words/problems.ts'
import { useFirstWords } from '../words/words.tsx'
import { Entrance } from './Entrance.tsx'
import { EntranceForm, newPasswordField, sayFailure, troubleOf } from './EntranceForm.tsx'
import { tokenOfAddress } from './mailedToken.ts'
import { useEntranceCall } from './useEntranceCall.ts'

type Invitation = AppAnswerOf<'readInvitation'>['body']

interface OpenedInvitation {
  readonly token: string
  readonly invitation: Invitation
}

function DeadInvitation() {
  const words = useFirstWords().invitation
  return (
    <Entrance title={words.dead} intro={words.deadWhy}>
      <ButtonLink href={dashboardPaths.home}>{words.toSignIn}</ButtonLink>
    </Entrance>
  )
}

function useInvited({ invitation }: OpenedInvitation): { readonly title: string; readonly intro: string } {
  const words = useFirstWords().invitation
  const { email, invitedBy, role, spaceName } = invitation
  return { title: words.title(spaceName), intro: words.intro[role](email, invitedBy) }
}

/** For a person with an account for this e-mail. */
function JoinForm(asked: OpenedInvitation) {
  const words = useFirstWords()
  const { invitation: says } = words
  const call = useEntranceCall()
  const { ask } = useSessions()
  const [, go] = useLocation()
  const { failure, isBusy, send } = useSending()
  async function submit() {
    const answer = await send(() => call('acceptInvitation', { body: { token: asked.token } }))
    if (!answer?.ok) return
    await ask()
    go(dashboardPaths.home, { replace: true })
  }
  const invited = useInvited(asked)
  if (failure?.code === 'not_found') return <DeadInvitation />
  return (
    <Entrance {...invited}>
      <EntranceForm
        verb={says.join}
        doing={says.joining}
        isBusy={isBusy}
        trouble={troubleOf({ failure }, words)}
        submit={() => void submit()}
      />
    </Entrance>
  )
}

/** For a person without an account: a name and a password create one. */
function AccountForm(asked: OpenedInvitation) {
  const words = useFirstWords()
  const says = words.invitation
  const call = useEntranceCall()
  const { begin } = useSessions()
  const [, go] = useLocation()
  const { token, invitation } = asked
  const form = useForm({
    start: { values: { name: invitation.name, password: '' }, etag: undefined },
    fields: {
      name: {
        label: says.name,
        check: value => (value.trim() === '' ? says.nameMissing : undefined),
        input: { name: 'name', autoComplete: 'name' },
      },
      password: newPasswordField(words),
    },
    send: ({ values: { name, password } }) =>
      call('acceptInvitation', { body: { token, name: name.trim(), password } }),
    done({ body }) {
      if (body.session) begin(body.session)
      go(dashboardPaths.home, { replace: true })
    },
  })
  const invited = useInvited(asked)
  if (form.failure?.code === 'not_found') return <DeadInvitation />
  return (
    <Entrance {...invited}>
      <EntranceForm
        verb={says.create}
        doing={says.joining}
        isBusy={form.isBusy}
        trouble={troubleOf(form, words)}
        submit={form.send}
      >
        {/* For a password manager, which stores the password under this account. */}
        <input type="text" autoComplete="username" value={invitation.email} readOnly hidden />
        <FormField form={form} name="name" />
        <FormField form={form} name="password" />
      </EntranceForm>
    </Entrance>
  )
}

export function InvitationPage() {
  const words = useFirstWords()
  const { frame, invitation: says } = words
  const client = useClient()
  const [token] = useState(tokenOfAddress)
  const [invitation, setInvitation] = useState<Invitation>()
  const [failure, setFailure] = useState<Failure>()
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (token === undefined || tries < 0) return
    void client.call('readInvitation', { body: { token } }).then(answer => {
      if (answer.ok) setInvitation(answer.body)
      else setFailure(answer)
    })
  }, [client, token, tries])
  if (token === undefined || failure?.code === 'not_found') return <DeadInvitation />
  if (invitation) {
    const asked = { token, invitation }
    return invitation.hasAccount ? <JoinForm {...asked} /> : <AccountForm {...asked} />
  }
  if (!failure) return null
  const again = () => {
    setFailure(undefined)
    setTries(tries + 1)
  }
  return (
    <Entrance title={says.unread} intro={sayFailure(failure, words, sayProblem(failure, words))}>
      <Button onClick={again}>{frame.readAgain}</Button>
    </Entrance>
  )
}
