// Fault injection where two Spaces press at the same moment, so that their writes share commits.

import { expect, it } from 'vitest'
import { eachFailing } from './eachFailing.ts'
import { oneOpening, openingGate } from './oneOpening.ts'

it('shares commits between the writes of two Spaces', async () => {
  const { calls, effects, ending, violations } = await oneOpening(openingGate, undefined, {
    otherSpace: true,
  })
  expect({ calls, ending, violations }).toEqual({
    calls: 1,
    ending: 'completed rejected_after_ring',
    violations: [],
  })
  expect(effects.filter(({ what }) => what === 'SAVEPOINT member').length).toBeGreaterThanOrEqual(2)
})

it('keeps every promise when any statement that begins, shares or ends a transaction fails', async () => {
  const what = /^(BEGIN|SAVEPOINT|RELEASE|ROLLBACK TO|COMMIT)/
  const { endings, runs, unhandled, violations } = await eachFailing(openingGate, 'database', {
    otherSpace: true,
    what,
  })
  expect(violations).toEqual([])
  expect(unhandled).toEqual([])
  expect(runs).toBeGreaterThanOrEqual(60)
  expect(endings.size).toBeGreaterThan(1)
})
