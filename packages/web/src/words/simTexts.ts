// The texts about SIM cards. They arrive with what shows them, and not with a first visit.

import { sim as english } from './en/sim.ts'
import { sim as romanian } from './ro/sim.ts'
import type { Words } from './words.tsx'

/** The texts about SIM cards in the language of the other texts. */
export const simTexts = ({ locale }: Pick<Words, 'locale'>): typeof english =>
  locale.startsWith('ro') ? romanian : english
