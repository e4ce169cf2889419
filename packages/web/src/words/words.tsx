// The words of the dashboard in the language of the person: which language, and how a component gets them.

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { en } from './en.ts'

/** Every text of the dashboard. The English one says which there are; the compiler asks every language for each. */
export type Words = typeof en

export const languages = { en: 'English', ro: 'Română' } as const
export type Language = keyof typeof languages

const stored = 'callgate.language'

const isLanguage = (value: string | null | undefined): value is Language =>
  value !== null && value !== undefined && Object.hasOwn(languages, value)

/** The language that was picked on this browser, else the first of the browser's that we speak. */
function chosenLanguage(): Language {
  const picked = localStorage.getItem(stored)
  if (isLanguage(picked)) return picked
  return navigator.languages.map(name => name.slice(0, 2)).find(isLanguage) ?? 'en'
}

/** Only the words of one language are loaded. */
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
  /** Speaks the language that was picked, and keeps it on this browser. */
  speak(language: Language): Promise<void>
  /** Speaks the language of the user, unless another was picked on this browser. */
  suggest(language: string): Promise<void>
}

const Said = createContext<Speech | undefined>(undefined)

/** Gives everything below it its words, and lets it change the language. */
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
