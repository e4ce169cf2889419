// Inviting a person to the Space by mail.

import type { RoleName } from '@callgate/contract/app/appOperation'
import { type Language, languages } from '@callgate/contract/language'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useChange } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { useConfirmation } from '../confirm/Confirm.tsx'
import { Banner } from '../kit/Banner.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Field } from '../kit/Field.tsx'
import { languageChoices } from '../words/places.ts'
import { useWords } from '../words/words.tsx'
import { emailFault, failureWords, inviteNameFault } from './userFields.ts'

/** The form: what is typed, and what became of it when it was sent. */
function useInviteForm(close: () => void) {
  const { users } = useWords()
  const { space } = useSpace()
  const invite = useChange('inviteUser')
  const { confirmed, dialog } = useConfirmation()
  const [values, setValues] = useState({
    email: '',
    name: '',
    role: 'admin' as RoleName,
    language: space.language as Language,
  })
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()

  async function go() {
    setSent(true)
    if (emailFault(values.email, users) ?? inviteNameFault(values.name, users)) return
    setBusy(true)
    const body = { ...values, email: values.email.trim(), name: values.name.trim() }
    const result = await confirmed(() => invite({ body }))
    setBusy(false)
    if (result?.ok) close()
    else setFailure(result)
  }

  const type = (typed: Partial<typeof values>) => {
    setValues({ ...values, ...typed })
    setFailure(undefined)
  }
  return { dialog, failure, go, isBusy, isSent, type, values }
}

export function InviteUser({ close }: { readonly close: () => void }) {
  const words = useWords()
  const { locale, users } = words
  const says = users.invite
  const { dialog, failure, go, isBusy, isSent, type, values } = useInviteForm(close)
  if (dialog) return dialog
  return (
    <Dialog
      title={says.title}
      does={says.does}
      busy={isBusy ? says.doing : undefined}
      isTyped={values.email !== '' || values.name !== ''}
      close={close}
      go={() => void go()}
    >
      <p className="quiet">{says.why}</p>
      <Field
        label={says.email}
        value={values.email}
        change={email => type({ email })}
        check={email => emailFault(email, users)}
        refused={failure?.code === 'conflict' ? says.isUser : undefined}
        isSent={isSent}
        input={{ type: 'email', autoComplete: 'off', 'data-autofocus': true }}
      />
      <Field
        label={says.name}
        value={values.name}
        change={name => type({ name })}
        check={name => inviteNameFault(name, users)}
        isSent={isSent}
        input={{ autoComplete: 'off' }}
      />
      <NativeSelect
        label={says.role}
        value={values.role}
        onChange={event => type({ role: event.currentTarget.value as RoleName })}
        data={Object.entries(says.roles).map(([value, label]) => ({ value, label }))}
      />
      <NativeSelect
        label={says.language}
        value={values.language}
        onChange={event => type({ language: event.currentTarget.value as Language })}
        data={[...languageChoices(languages, locale)]}
      />
      <div role="alert">
        {failure && failure.code !== 'conflict' && (
          <Banner tone="shut" title={users.notDone}>
            {failureWords(words, says.isUser)(failure)}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}
