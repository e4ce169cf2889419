// The form of the user's own name and language.

import type { Language } from '@callgate/contract/language'
import { useState } from 'react'
import type { Failure } from '../client/client.ts'
import { useChange } from '../client/reading.tsx'
import { useSession, useSessions } from '../client/session.tsx'
import { draftOf, valuesOf, withTyped } from '../kit/draft.ts'
import { nameFault } from '../settings/spaceFields.ts'
import { languages as spoken, useSpeech } from '../words/words.tsx'

interface ProfileValues {
  readonly name: string
  readonly language: Language
}

type SpokenLanguage = keyof typeof spoken
const isSpoken = (language: string | undefined): language is SpokenLanguage =>
  language !== undefined && Object.hasOwn(spoken, language)

export function useProfileForm() {
  const { speak, words } = useSpeech()
  const { name, language } = useSession().user
  const { ask } = useSessions()
  const change = useChange('updateProfile')
  const [typedLast, setTyped] = useState<Partial<ProfileValues>>({})
  const [isSent, setSent] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const draft = withTyped(draftOf<ProfileValues>({ name, language }), typedLast)
  const { typed } = draft
  const values = valuesOf(draft)

  function discard() {
    setTyped({})
    setSent(false)
    setFailure(undefined)
  }

  async function save() {
    setSent(true)
    setFailure(undefined)
    if (nameFault(values.name, words.space) !== undefined) return
    setBusy(true)
    const body = { ...typed, ...(typed.name !== undefined && { name: typed.name.trim() }) }
    const result = await change({ body })
    // The frame shows the name as the session has it.
    if (result.ok) await ask()
    setBusy(false)
    if (!result.ok) return setFailure(result)
    setSent(false)
    // What was typed while it was being saved stays.
    setTyped(({ language: toLanguage, name: toName }) => ({
      ...(toName !== undefined && toName !== typed.name && { name: toName }),
      ...(toLanguage !== undefined && toLanguage !== typed.language && { language: toLanguage }),
    }))
    if (isSpoken(typed.language)) await speak(typed.language)
  }

  return {
    values,
    isSent,
    isBusy,
    failure,
    isTyped: Object.keys(typed).length > 0,
    type: (more: Partial<ProfileValues>) => setTyped(before => ({ ...before, ...more })),
    save,
    discard,
  }
}
