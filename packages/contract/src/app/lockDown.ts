// The lock-down of a Space, as every page of the dashboard shows it.

import Type, { type Static } from 'typebox'
import { closed, instant, nullable } from '../text.ts'

export const LockDown = closed({
  since: instant('From when on nobody opens a gate of the Space'),
  by: nullable(
    Type.String({ description: 'The name of the user who has locked the gates; null: not known any more' }),
  ),
})
export type LockDown = Static<typeof LockDown>
