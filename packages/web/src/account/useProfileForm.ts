// The form of the user's own name and language.

import { type Language, languages } from '@callgate/contract/language'
import { useChange } from '../client/reading.tsx'
import { useSession, useSessions } from '../client/session.tsx'
import { type Form, useForm } from '../form/useForm.ts'
import { mailedNameField } from '../settings/spaceFields.ts'
import { languageChoices } from '../words/places.ts'
import { languages as spoken, useSpeech, useWords } from '../words/words.tsx'

export interface ProfileValues {
  readonly name: string
  readonly language: Language
}

type SpokenLanguage = keyof typeof spoken
const isSpoken = (language: string | undefined): language is SpokenLanguage =>
  language !== undefined && Object.hasOwn(spoken, language)

/** The read values, with a tag made here: the API gives none. */
const profileOf = ({ language, name }: ProfileValues) => ({
  values: { name, language },
  etag: JSON.stringify([name, language]),
})

export function useProfileForm(): Form<ProfileValues> {
  const words = useWords()
  const { speak } = useSpeech()
  const { user } = useSession()
  const { ask } = useSessions()
  const change = useChange('updateProfile')
  const says = words.account.profile
  return useForm({
    fields: {
      name: {
        label: says.name,
        hint: says.nameHint,
        ...mailedNameField(words),
        input: { autoComplete: 'name' },
      },
      language: {
        label: says.language,
        hint: says.languageHint,
        choices: languageChoices(languages, words.locale),
      },
    },
    start: profileOf(user),
    follows: true,
    async send({ typed: { name, ...typed } }) {
      const result = await change({ body: { ...typed, ...(name !== undefined && { name: name.trim() }) } })
      // The frame shows the name from the session.
      if (result.ok) await ask()
      return result
    },
    goesOn: ({ body }) => profileOf(body.user),
    done(_, { typed: { language } }) {
      if (isSpoken(language)) void speak(language)
    },
  })
}
