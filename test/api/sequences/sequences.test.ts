// Model-based test of the API: after random sequences of requests, counters and activity log equal those of a model.

import { it } from 'vitest'
import { seedsOf } from '../../seedsOf.ts'
import { runSequences } from './sequences.ts'

it.each(seedsOf('SEQUENCES', ['1:200', '2:200']))(
  'keeps every counter and the activity log equal to the model in random sequences (seed %i, %i of them)',
  (seed, count) => runSequences(seed, count),
  600_000,
)
