// Romanian: every text of the dashboard.

import { frame } from './ro/frame.ts'
import { signIn } from './ro/signIn.ts'
import type { Words } from './words.tsx'

export const ro: Words = { locale: 'ro-RO', frame, signIn }
