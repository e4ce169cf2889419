// Romanian: every text of the dashboard.

import { roFirst } from './roFirst.ts'
import { roMore } from './roMore.ts'
import type { Words } from './words.tsx'

export const ro: Words = { ...roFirst, ...roMore }
