// Inviting a person to the Space by mail.

import type { RoleName } from '@callgate/contract/app/appOperation'
import { type Language, languages } from '@callgate/contract/language'
import { useChange } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { FormField } from '../form/FormField.tsx'
import type { Fields } from '../form/fields.ts'
import { useForm } from '../form/useForm.ts'
import { languageChoices } from '../words/places.ts'
import { useWords, type Words } from '../words/words.tsx'
import { emailFault, ownWords, userNameField } from './userFields.ts'
import { userTexts } from './userTexts.ts'

interface InviteValues {
  readonly email: string
  readonly name: string
  readonly role: RoleName
  readonly language: Language
}

function inviteFields(words: Words): Fields<InviteValues> {
  const says = userTexts(words).invite
  return {
    email: {
      label: says.email,
      check: email => emailFault(email, userTexts(words)),
      input: { type: 'email', autoComplete: 'off', 'data-autofocus': true },
    },
    name: userNameField(words),
    role: {
      label: says.role,
      choices: Object.entries(says.roles).map(([value, label]) => ({ value, label })),
    },
    language: { label: says.language, choices: languageChoices(languages, words.locale) },
  }
}

export function InviteUser({ close }: { readonly close: () => void }) {
  const words = useWords()
  const users = userTexts(words)
  const says = users.invite
  const { space } = useSpace()
  const invite = useChange('inviteUser')
  const values: InviteValues = { email: '', name: '', role: 'admin', language: space.language as Language }
  const form = useForm({
    fields: inviteFields(words),
    start: { values, etag: undefined },
    refusals: { conflict: ['email', says.isUser] },
    held: ['email', 'name'],
    send: ({ values: { email, name, ...rest } }) =>
      invite({ body: { ...rest, email: email.trim(), name: name.trim() } }),
    done: close,
  })
  return (
    <FormDialog
      form={form}
      title={says.title}
      does={says.does}
      doing={says.doing}
      trouble={{ title: users.notDone, own: ownWords(words, says.isUser) }}
      close={close}
    >
      <p className="quiet">{says.why}</p>
      <FormField form={form} name="email" />
      <FormField form={form} name="name" />
      <FormField form={form} name="role" />
      <FormField form={form} name="language" />
    </FormDialog>
  )
}
