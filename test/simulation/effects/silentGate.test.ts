// Fault injection: one opening of a gate that only rings, in which each timer is late in turn.

import { expect, it } from 'vitest'
import { eachFailing } from './eachFailing.ts'
import { silentGate } from './oneOpening.ts'

it('keeps every promise when any of its timer effects fails', async () => {
  const { runs, unhandled, violations } = await eachFailing(silentGate, 'timer')
  expect(violations).toEqual([])
  expect(unhandled).toEqual([])
  expect(runs).toBeGreaterThanOrEqual(100)
})
