// Romanian: the gates of a Space that has many.

import type { manyGates as english } from '../en/manyGates.ts'
import { count as counted } from './counted.ts'

export const manyGates: typeof english = {
  state: 'Stare',
  anyState: 'Toate stările',
  countOf: (state, count) => `${state}, ${count}`,
  first: 'Uită-te întâi la acestea',
  others: 'Toate celelalte porți',
  showAll: count => `Arată toate cele ${counted(count, '1 poartă', 'porți')}`,
  noneFound: 'Nicio poartă nu se potrivește.',
}
