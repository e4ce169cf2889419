// The texts of the enrolment of gateways. They arrive with its pages and not with a first visit, since few visits go there.

import { enrolment as english } from '../words/en/enrolment.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { enrolment as romanian } from '../words/ro/enrolment.ts'
import { useWords } from '../words/words.tsx'

const enrolmentTexts = inLanguage(english, romanian)

/** The texts of the enrolment in the language of the other texts. */
export const useEnrolmentTexts = () => enrolmentTexts(useWords())
