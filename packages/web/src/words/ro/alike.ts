// Romanian: rows that stand for several openings that say the same.

import type { alike as english } from '../en/alike.ts'
import { count as counted } from './counted.ts'

export const alike: typeof english = {
  times: (what, count) => `${what}, de ${counted(count, '1 dată', 'ori')}`,
  span: (from, to) => `de la ${from} la ${to}`,
}
