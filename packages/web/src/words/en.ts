// English: every text of the dashboard.

import { enFirst } from './enFirst.ts'
import { enMore } from './enMore.ts'

export const en = { ...enFirst, ...enMore }
