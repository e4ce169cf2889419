// The baseline of the opening: its own processes, and one round through them.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Baseline, startBaseline } from './baseline.ts'

let baseline: Baseline
beforeAll(async () => {
  baseline = await startBaseline()
})
afterAll(() => baseline?.stop())

it('measures both legs of a round', async () => {
  const { toAnswer, toLine } = await baseline.round()
  expect(toLine).toBeGreaterThan(0)
  expect(toAnswer).toBeGreaterThan(0)
})
