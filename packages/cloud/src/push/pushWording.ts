// The sentences of pushes about openings, in each language. A name stands where no language has to inflect it.

import type { Language } from '@callgate/contract/language'

interface PushWording {
  /** `{name}` is who opened, `{gate}` the gate. */
  readonly opened: string
  /** The same where only time speaks for it. */
  readonly probablyOpened: string
}

export const pushWordings: Readonly<Record<Language, PushWording>> = {
  en: { opened: '{name} opened {gate}.', probablyOpened: '{name} probably opened {gate}.' },
  ro: { opened: '{name} a deschis: {gate}.', probablyOpened: '{name} a deschis probabil: {gate}.' },
  hu: { opened: '{name} kinyitotta: {gate}.', probablyOpened: '{name} valószínűleg kinyitotta: {gate}.' },
  de: { opened: '{name} hat geöffnet: {gate}.', probablyOpened: '{name} hat wohl geöffnet: {gate}.' },
  fr: {
    opened: '{name} a ouvert\u00a0: {gate}.',
    probablyOpened: '{name} a sans doute ouvert\u00a0: {gate}.',
  },
  it: { opened: '{name} ha aperto: {gate}.', probablyOpened: '{name} ha probabilmente aperto: {gate}.' },
  es: { opened: '{name} ha abierto: {gate}.', probablyOpened: '{name} probablemente ha abierto: {gate}.' },
  uk: { opened: '{name}: відчинено {gate}.', probablyOpened: '{name}: ймовірно, відчинено {gate}.' },
}
