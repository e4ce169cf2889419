// Changing the password: the old one is asked for, and all other sessions end.

import { type Limit, passwordLengths } from '@callgate/contract/limits'
import { type FormEvent, useState } from 'react'
import { useChange } from '../client/reading.tsx'
import { useSession, useSessions } from '../client/session.tsx'
import { FormField } from '../form/FormField.tsx'
import { useForm } from '../form/useForm.ts'
import { Banner } from '../kit/Banner.tsx'
import { Button } from '../kit/Button.tsx'
import { Card } from '../kit/Card.tsx'
import { Trouble } from '../kit/Trouble.tsx'
import { useWords, type Words } from '../words/words.tsx'
import { sayFailure } from './accountWords.ts'

/** The error in the length of a new password, if any. */
function lengthFault(password: string, { least, most }: Limit, words: Words): string | undefined {
  const says = words.account.password
  const { length } = [...password.normalize('NFKC')]
  if (length === 0) return says.missing
  if (length < least) return says.short(least, length)
  return length > most ? words.form.long(most) : undefined
}

const none = { current: '', fresh: '' }

function usePasswordForm(limit: Limit, done: () => void) {
  const words = useWords()
  const says = words.account.password
  const session = useSession()
  const { begin } = useSessions()
  const change = useChange('changePassword')
  return useForm({
    start: { values: none, etag: undefined },
    fields: {
      current: {
        label: says.current,
        check: value => (value === '' ? says.currentMissing : undefined),
        isPassword: true,
        input: { autoComplete: 'current-password' },
      },
      fresh: {
        label: says.fresh,
        hint: words.forgotten.rule(limit.least),
        check: value => lengthFault(value, limit, words),
        isPassword: true,
        input: { autoComplete: 'new-password' },
      },
    },
    // The length was checked before, so here the password is one that is easily guessed.
    refusals: { wrong_password: ['current', says.wrong], validation_error: ['fresh', says.guessed] },
    send: ({ values: { current, fresh } }) => change({ body: { currentPassword: current, password: fresh } }),
    goesOn: () => ({ values: none, etag: undefined }),
    done({ body }) {
      begin({ ...session, csrfToken: body.csrfToken })
      done()
    },
  })
}

/** `hasCodes`: a code of an app is requested as well as the password. */
export function PasswordCard({ hasCodes }: { readonly hasCodes: boolean }) {
  const words = useWords()
  const says = words.account.password
  const { email } = useSession().user
  const [times, setTimes] = useState(0)
  const limit = hasCodes ? passwordLengths.besideSecondFactor : passwordLengths.alone
  const form = usePasswordForm(limit, () => setTimes(times + 1))
  function submit(event: FormEvent) {
    event.preventDefault()
    form.send()
  }
  return (
    <Card title={says.title}>
      <form className="account-form" noValidate onSubmit={submit}>
        <p className="quiet">{says.why}</p>
        {/* For a password manager, which stores the password under this account. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        {/* After each change the fields are new, so none counts as visited. */}
        <div className="account-pair" key={times}>
          <FormField form={form} name="current" />
          <FormField form={form} name="fresh" />
        </div>
        <Trouble
          form={form}
          title={words.account.notDone}
          sayFailure={failure => sayFailure(failure, words)}
        />
        <div role="status">
          {form.isSaved && (
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
