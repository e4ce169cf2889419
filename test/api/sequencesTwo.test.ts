// Counters and activity after the second half of 5,000 random sequences. Two files, so that two workers share them.

import { it } from 'vitest'
import { runSequences } from './sequences/sequences.ts'

it(
  'keeps every counter and the activity log true through 2,500 random sequences',
  () => runSequences(2, 2_500),
  600_000,
)
