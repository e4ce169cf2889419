// The texts of the dashboard in the language of the person: the chosen language, and the access for components.

import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { en } from './en.ts'
import type { enFirst } from './enFirst.ts'
import type { enMore } from './enMore.ts'

/**
 * The texts are loaded in two parts: the first ones are those of the pages without a session. The English ones are the pattern; the
 * compiler requires every text in each language.
 */
export type MoreWords = typeof enMore

/** Every text of the dashboard. */
export type Words = typeof en

/** The first texts. Refusals are among them once all are loaded. */
export type FirstWords = typeof enFirst & Partial<Pick<MoreWords, 'refusals'>>

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
const loads: Readonly<
  Record<Language, { readonly first: () => Promise<typeof enFirst>; readonly more: () => Promise<MoreWords> }>
> = {
  en: {
    first: async () => (await import('./enFirst.ts')).enFirst,
    more: async () => (await import('./enMore.ts')).enMore,
  },
  ro: {
    first: async () => (await import('./roFirst.ts')).roFirst,
    more: async () => (await import('./roMore.ts')).roMore,
  },
}

export interface Spoken {
  readonly language: Language
  readonly first: FirstWords
  /** Undefined before they are loaded. */
  readonly all: Words | undefined
}

/** The first words of the chosen language. */
export async function readFirstWords(language: Language = chosenLanguage()): Promise<Spoken> {
  return { language, first: await loads[language].first(), all: undefined }
}

/** All words of the chosen language. */
export async function readWords(language: Language = chosenLanguage()): Promise<Spoken> {
  const [first, more] = await Promise.all([loads[language].first(), loads[language].more()])
  const all = { ...first, ...more }
  return { language, first: all, all }
}

interface Speech extends Spoken {
  /** Uses the chosen language, and stores it in this browser. */
  speak(language: Language): Promise<void>
  /** Uses the language of the user, unless another was chosen in this browser. */
  suggest(language: string): Promise<void>
  /** Loads all words. */
  readAll(): Promise<void>
}

const Said = createContext<Speech | undefined>(undefined)

/** Provides the texts to everything below it, and lets it change the language. */
export function Speaking({ children, spoken }: { readonly children: ReactNode; readonly spoken: Spoken }) {
  const [now, setNow] = useState(spoken)
  // What was asked for last: an answer that comes later belongs to an earlier wish.
  const wish = useRef({ language: spoken.language, isAll: spoken.all !== undefined })
  useEffect(() => {
    document.documentElement.lang = now.language
  }, [now.language])
  const speech = useMemo(() => {
    async function want(change: Partial<typeof wish.current>) {
      const wanted = { ...wish.current, ...change }
      wish.current = wanted
      const read = await (wanted.isAll ? readWords : readFirstWords)(wanted.language)
      if (wish.current === wanted) setNow(read)
    }
    return {
      ...now,
      async speak(language: Language) {
        localStorage.setItem(stored, language)
        await want({ language })
      },
      async suggest(language: string) {
        if (isLanguage(language) && language !== now.language && !isLanguage(localStorage.getItem(stored)))
          await want({ language })
      },
      readAll: async () => (now.all ? undefined : want({ isAll: true })),
    }
  }, [now])
  return <Said value={speech}>{children}</Said>
}

export function useSpeech(): Speech {
  const speech = useContext(Said)
  if (!speech) throw new Error('There are no words above this component.')
  return speech
}

/** Shows what is below it once all words are loaded. */
export function WithAllWords({ children }: { readonly children: ReactNode }) {
  const { all, readAll } = useSpeech()
  useEffect(() => {
    if (!all) void readAll()
  }, [all, readAll])
  return all ? children : null
}

/** The texts of the pages without a session, in the language of the person; on every page. */
export function useFirstWords(): FirstWords {
  return useSpeech().first
}

/** All texts, in the language of the person, below `WithAllWords`. */
export function useWords(): Words {
  const { all } = useSpeech()
  if (!all) throw new Error('Only the first words are loaded here.')
  return all
}
