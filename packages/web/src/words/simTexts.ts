// The texts about SIM cards. They arrive with what shows them, and not with a first visit.

import { sim as english } from './en/sim.ts'
import { inLanguage } from './inLanguage.ts'
import { sim as romanian } from './ro/sim.ts'

/** The texts about SIM cards in the language of the other texts. */
export const simTexts = inLanguage(english, romanian)
