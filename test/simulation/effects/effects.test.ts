// Fault injection: one opening, in which each effect fails in turn and every promise must hold. `silentGate.test.ts` tests late
// timers at a gate that only rings, where a call takes longest.

import { describe, expect, it } from 'vitest'
import { eachFailing } from './eachFailing.ts'
import { type Effect, type Fault, faultsOf } from './faults.ts'
import { oneOpening, openingGate } from './oneOpening.ts'

describe('one opening', () => {
  it('has these effects, and completes when none of them fails', async () => {
    const { calls, effects, ending, violations } = await oneOpening(openingGate)
    expect({ calls, ending, violations }).toEqual({
      calls: 1,
      ending: 'completed rejected_after_ring',
      violations: [],
    })
    const what = effects.map(effect => `${effect.kind} ${effect.what}`)
    for (const kind of ['hint', 'claim', 'grant', 'report', 'ack']) expect(what).toContain(`publish ${kind}`)
    // The press, the claim and two reports commit; so do the beats.
    expect(what.filter(one => one === 'database COMMIT').length).toBeGreaterThanOrEqual(4)
    expect(what.filter(one => /^disk sync/.test(one)).length).toBeGreaterThanOrEqual(3)
    expect(what.filter(one => /^serial now "ATD/.test(one))).toHaveLength(1)
    expect(what.filter(one => /^timer/.test(one)).length).toBeGreaterThan(20)
  })

  it.each([
    ['database', 250],
    ['publish', 30],
    ['disk', 50],
    ['serial', 50],
    ['timer', 30],
  ] as const)(
    'at a gate that opens keeps every promise when any of its %s effects fails',
    async (kind, least) => {
      const { endings, runs, unhandled, violations } = await eachFailing(openingGate, kind)
      expect(violations).toEqual([])
      expect(unhandled).toEqual([])
      expect(runs).toBeGreaterThanOrEqual(least)
      // Faults that never change the outcome would test nothing.
      if (kind !== 'timer') expect(endings.size).toBeGreaterThan(1)
    },
  )

  it.each<[string, Effect['kind'], Partial<Fault>, string, number]>([
    ['when the INTENT cannot be written to the disk', 'disk', { way: 'EIO' }, 'failed not_dialled', 0],
    ['when the port refuses the ATD', 'serial', { way: 'refused' }, 'failed outcome_unknown', 0],
  ])('places no call %s', async (_, kind, { way }, ending, calls) => {
    const { effects } = await oneOpening(openingGate)
    const fault = faultsOf(effects).find(one => one.effect.kind === kind && one.way === way)
    expect(await oneOpening(openingGate, fault)).toMatchObject({ ending, calls, violations: [] })
  })
})
