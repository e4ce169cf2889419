// Romanian: the texts of the pages without a session, which all pages have.

import { forgotten } from './ro/forgotten.ts'
import { form } from './ro/form.ts'
import { frame } from './ro/frame.ts'
import { invitation } from './ro/invitation.ts'
import { problems } from './ro/problems.ts'
import { signIn } from './ro/signIn.ts'
import type { FirstWords } from './words.tsx'

export const roFirst: FirstWords = {
  locale: 'ro-RO',
  form,
  forgotten,
  frame,
  invitation,
  problems,
  signIn,
}
