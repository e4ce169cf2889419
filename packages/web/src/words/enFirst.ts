// English: the texts of the pages without a session, which the others need as well. They are the pattern of the other language.

import { forgotten } from './en/forgotten.ts'
import { form } from './en/form.ts'
import { frame } from './en/frame.ts'
import { invitation } from './en/invitation.ts'
import { problems } from './en/problems.ts'
import { signIn } from './en/signIn.ts'

export const enFirst = {
  locale: 'en-GB',
  form,
  forgotten,
  frame,
  invitation,
  problems,
  signIn,
}
