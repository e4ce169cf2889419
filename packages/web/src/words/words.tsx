// The texts of the dashboard in the language of the person: the chosen language, and the access for components.

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { en } from './en.ts'

/** Every text of the dashboard. The English one is the pattern; the compiler requires every text in each language. */
export type Words = typeof en

export const languages = { en: 'English', ro: 'Română' } as const
export type Language = keyof typeof languages

const stored = 'callgate.language'

const isLanguage = (value: string | null | undefined): value is Language =>
  value !== null && value !== undefined && Object.hasOwn(languages, value)

/** The language that was chosen in this browser, else the browser's first language that we have. */
function chosenLanguage(): Language {
  const picked = localStorage.getItem(stored)
  if (isLanguage(picked)) return picked
  return navigator.languages.map(name => name.slice(0, 2)).find(isLanguage) ?? 'en'
}

/** Only the texts of one language are loaded. */
const loads: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => (await import('./en.ts')).en,
  ro: async () => (await import('./ro.ts')).ro,
}

export interface Spoken {
  readonly language: Language
  readonly words: Words
}

/** The words of the chosen language. */
export async function readWords(language: Language = chosenLanguage()): Promise<Spoken> {
  return { language, words: await loads[language]() }
}

interface Speech extends Spoken {
  /** Uses the chosen language, and stores it in this browser. */
  speak(language: Language): Promise<void>
  /** Uses the language of the user, unless another was chosen in this browser. */
  suggest(language: string): Promise<void>
}

const Said = createContext<Speech | undefined>(undefined)

/** Provides the texts to everything below it, and lets it change the language. */
export function Speaking({ children, spoken }: { readonly children: ReactNode; readonly spoken: Spoken }) {
  const [now, setNow] = useState(spoken)
  useEffect(() => {
    document.documentElement.lang = now.language
  }, [now.language])
  const speech = useMemo(
    () => ({
      ...now,
      async speak(language: Language) {
        localStorage.setItem(stored, language)
        setNow(await readWords(language))
      },
      async suggest(language: string) {
        if (isLanguage(language) && language !== now.language && !isLanguage(localStorage.getItem(stored)))
          setNow(await readWords(language))
      },
    }),
    [now],
  )
  return <Said value={speech}>{children}</Said>
}

export function useSpeech(): Speech {
  const speech = useContext(Said)
  if (!speech) throw new Error('There are no words above this component.')
  return speech
}

/** The texts, in the language of the person. */
export function useWords(): Words {
  return useSpeech().words
}
