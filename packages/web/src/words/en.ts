// English: every text of the dashboard, by the page or part that shows it.

import { frame } from './en/frame.ts'
import { signIn } from './en/signIn.ts'

export const en = { locale: 'en-GB', frame, signIn }
