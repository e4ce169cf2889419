// Changing the password: the old one is asked for, and all other sessions end.

import { type FormEvent, useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useChange } from '../client/reading.tsx'
import { useSession, useSessions } from '../client/session.tsx'
import { Banner } from '../kit/Banner.tsx'
import { Button } from '../kit/Button.tsx'
import { Card } from '../kit/Card.tsx'
import { PasswordField } from '../kit/Field.tsx'
import { useWords, type Words } from '../words/words.tsx'
import { sayFailure } from './accountWords.ts'

/** The rules of the cloud: beside a second factor a password may be shorter. */
const leastAlone = 15
const leastWithCodes = 8
const most = 256

function freshFault(password: string, least: number, says: Words['account']['password']): string | undefined {
  const { length } = [...password.normalize('NFKC')]
  if (length === 0) return says.missing
  if (length < least) return says.short(least, length)
  return length > most ? says.long : undefined
}

function usePasswordForm(least: number) {
  const says = useWords().account.password
  const session = useSession()
  const { begin } = useSessions()
  const change = useChange('changePassword')
  const [current, setCurrent] = useState('')
  const [fresh, setFresh] = useState('')
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [times, setTimes] = useState(0)
  const [isDone, setDone] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const type = (set: (value: string) => void) => (value: string) => {
    set(value)
    setDone(false)
    setFailure(undefined)
  }
  const checkFresh = (value: string) => freshFault(value, least, says)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setSent(true)
    setDone(false)
    setFailure(undefined)
    if (current === '' || checkFresh(fresh) !== undefined) return
    setBusy(true)
    const result = await change({ body: { currentPassword: current, password: fresh } })
    setBusy(false)
    if (!result.ok) return setFailure(result)
    begin({ ...session, csrfToken: result.body.csrfToken })
    setCurrent('')
    setFresh('')
    setSent(false)
    setDone(true)
    setTimes(times + 1)
  }

  return {
    ...{ checkFresh, current, failure, fresh, isBusy, isDone, isSent, submit, times },
    typeCurrent: type(setCurrent),
    typeFresh: type(setFresh),
  }
}

type Form = ReturnType<typeof usePasswordForm>

const isWrong = ({ failure }: Form) => failure?.code === 'wrong_password'
/** How long it is, was looked at before. */
const isGuessed = ({ failure }: Form) => failure?.code === 'validation_error'

function Fields({ form, least }: { readonly form: Form; readonly least: number }) {
  const says = useWords().account.password
  return (
    <div className="account-pair">
      <PasswordField
        label={says.current}
        value={form.current}
        change={form.typeCurrent}
        check={value => (value === '' ? says.currentMissing : undefined)}
        refused={isWrong(form) ? says.wrong : undefined}
        isSent={form.isSent}
        input={{ autoComplete: 'current-password' }}
      />
      <PasswordField
        label={says.fresh}
        value={form.fresh}
        change={form.typeFresh}
        check={form.checkFresh}
        refused={isGuessed(form) ? says.guessed : undefined}
        hint={says.rule(least)}
        isSent={form.isSent}
        input={{ autoComplete: 'new-password' }}
      />
    </div>
  )
}

/** `hasCodes`: a code of an app is asked for beside the password. */
export function PasswordCard({ hasCodes }: { readonly hasCodes: boolean }) {
  const words = useWords()
  const says = words.account.password
  const { email } = useSession().user
  const least = hasCodes ? leastWithCodes : leastAlone
  const form = usePasswordForm(least)
  const { failure } = form
  return (
    <Card title={says.title}>
      <form className="account-form" noValidate onSubmit={event => void form.submit(event)}>
        <p className="quiet">{says.why}</p>
        {/* For a password manager, which keeps the password under this account. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        {/* After each change the fields are new: nobody has left them yet. */}
        <Fields key={form.times} form={form} least={least} />
        <div role="alert">
          {failure && !isWrong(form) && !isGuessed(form) && (
            <Banner tone="shut" title={words.account.notDone}>
              {sayFailure(failure, words)}
            </Banner>
          )}
        </div>
        <div role="status">
          {form.isDone && (
            <Banner tone="open" title={says.done}>
              {says.doneWhy}
            </Banner>
          )}
        </div>
        <div className="account-actions">
          <Button type="submit" busy={form.isBusy ? says.doing : undefined}>
            {says.does}
          </Button>
        </div>
      </form>
    </Card>
  )
}
