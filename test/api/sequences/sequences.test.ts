// Model-based test of the API: after random sequences of requests, counters and activity log equal those of a model.

import { it } from 'vitest'
import { runSequences } from './sequences.ts'

it.each([1, 2])(
  'keeps every counter and the activity log equal to the model in 2,500 random sequences of seed %i',
  seed => runSequences(seed, 2_500),
  600_000,
)
