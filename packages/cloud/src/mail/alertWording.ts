// The texts of the mails on incidents, in each language.

import type { IncidentKind } from '@callgate/contract/app/incidentKinds'
import type { Language } from '@callgate/contract/language'
import { wholeWordsIn } from '@callgate/contract/wholeWords'
import type { Plural } from '../text/plural.ts'
import { de } from './alertTexts/de.ts'
import { en } from './alertTexts/en.ts'
import { es } from './alertTexts/es.ts'
import { fr } from './alertTexts/fr.ts'
import { hu } from './alertTexts/hu.ts'
import { it } from './alertTexts/it.ts'
import { ro } from './alertTexts/ro.ts'
import { uk } from './alertTexts/uk.ts'

/** The sentences of one language. Names are in the nominative or after a colon, so that no language has to inflect them. */
interface KindWording {
  /** What is wrong, in a few words, without a full stop. */
  readonly begun: string
  /** The sentence that the problem is over. */
  readonly over: string
  /** What it means. */
  readonly means: string
  /** What a person can check. */
  readonly check: string
}

export interface AlertWording {
  /** The headline of several incidents: how many of them go on, or, where none does, how many are over. `{count}`. */
  readonly goOn: Plural
  readonly areOver: Plural
  /** `{time}`. */
  readonly since: string
  /** From when to when the problem was there: `{time}`. */
  readonly lasted: string
  /** The text after a list that was cut. */
  readonly more: string
  readonly button: string
  /** `{space}`. */
  readonly why: string
  /** `{name}` is the gateway or the gate. */
  readonly kinds: Readonly<Record<IncidentKind, KindWording>>
}

export const alertWordings: Readonly<Record<Language, AlertWording>> = wholeWordsIn({
  en,
  ro,
  hu,
  de,
  fr,
  it,
  es,
  uk,
})
