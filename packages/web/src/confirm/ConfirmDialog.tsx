// The dialog that confirms an identity, by password or passkey, before anything that a stolen session must not do.

import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useClient } from '../client/connection.tsx'
import { givenPasskey, hasPasskeys } from '../client/passkey.ts'
import { useRead } from '../client/reading.tsx'
import { useSession } from '../client/session.tsx'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { PasswordField } from '../kit/Field.tsx'
import { sayProblem } from '../words/problems.ts'
import { useWords, type Words } from '../words/words.tsx'

const sayFailure = (failure: Failure, words: Words) =>
  sayProblem(failure, words, { network_error: words.signIn.noAnswer })

/** Confirms the session. `trouble` is the last failure, with its place. */
function useConfirming(done: () => void) {
  const words = useWords()
  const says = words.confirm
  const client = useClient()
  const [busy, setBusy] = useState<'password' | 'passkey'>()
  const [trouble, setTrouble] = useState<{ readonly of: 'password' | 'all'; readonly says: string }>()

  async function byPassword(password: string) {
    setBusy('password')
    setTrouble(undefined)
    const answer = await client.call('confirmSession', { body: { password } })
    setBusy(undefined)
    if (answer.ok) return done()
    const isWrong = answer.code === 'wrong_password'
    setTrouble(
      isWrong ? { of: 'password', says: says.wrong } : { of: 'all', says: sayFailure(answer, words) },
    )
  }

  async function byPasskey() {
    setBusy('passkey')
    setTrouble(undefined)
    const started = await client.call('startPasskeySignIn', {})
    const credential = started.ok ? await givenPasskey(started.body.options) : undefined
    const answer =
      started.ok && credential
        ? await client.call('confirmSession', { body: { ticket: started.body.ticket, credential } })
        : undefined
    setBusy(undefined)
    if (answer?.ok) return done()
    const failure = started.ok ? answer : started
    if (!failure) return setTrouble({ of: 'all', says: says.noKey })
    const isWrong = failure.code === 'wrong_password'
    setTrouble({ of: 'all', says: isWrong ? says.wrongKey : sayFailure(failure, words) })
  }

  return { busy, byPasskey, byPassword, trouble }
}

/** Asks for the password or a passkey; `done` follows once the cloud has accepted it. */
export function ConfirmDialog({ close, done }: { readonly close: () => void; readonly done: () => void }) {
  const says = useWords().confirm
  const session = useSession()
  const { busy, byPasskey, byPassword, trouble } = useConfirming(done)
  const passkeys = useRead('getSecurity', {}).value?.passkeys ?? []
  const [password, setPassword] = useState('')
  const [isSent, setSent] = useState(false)
  function go() {
    setSent(true)
    if (password !== '') void byPassword(password)
  }
  return (
    <Dialog
      title={says.title}
      does={says.does}
      busy={busy === 'password' ? says.doing : undefined}
      isDisabled={busy === 'passkey'}
      close={close}
      go={go}
    >
      <p>{says.why}</p>
      {/* For a password manager, which looks for the account of a password. */}
      <input type="text" autoComplete="username" value={session.user.email} readOnly hidden />
      <PasswordField
        label={says.password}
        value={password}
        change={setPassword}
        check={value => (value === '' ? says.passwordMissing : undefined)}
        refused={trouble?.of === 'password' ? trouble.says : undefined}
        isSent={isSent}
        input={{ autoComplete: 'current-password', 'data-autofocus': true }}
      />
      {passkeys.length > 0 && hasPasskeys() && (
        <Button
          busy={busy === 'passkey' ? says.askingKey : undefined}
          disabled={busy === 'password'}
          onClick={() => void byPasskey()}
        >
          {says.byKey}
        </Button>
      )}
      <div role="alert">{trouble?.of === 'all' && <p className="field-error">{trouble.says}</p>}</div>
    </Dialog>
  )
}
