// Fault injection: one opening, in which each effect fails in turn. Every promise must hold each time.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HouseGate } from '../house/furnish.ts'
import { type Effect, type Fault, faultsOf } from './faults.ts'
import { oneOpening, openingGate, silentGate } from './oneOpening.ts'

const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)
beforeAll(() => void process.on('unhandledRejection', note))
afterAll(() => void process.off('unhandledRejection', note))

/** The violations of all runs with one fault each. */
async function found(gate: HouseGate, kind: Effect['kind'], endings = new Map<string, number>()) {
  const { effects } = await oneOpening(gate)
  const faults = faultsOf(effects).filter(({ effect }) => effect.kind === kind)
  const violations: string[] = []
  for (const { effect, ...fault } of faults) {
    const run = await oneOpening(gate, fault)
    endings.set(run.ending, (endings.get(run.ending) ?? 0) + 1)
    const name = `${effect.who}: ${effect.what} (${fault.at}), ${fault.way} for ${fault.forMs} ms`
    violations.push(...run.violations.map(violation => `${name}: ${violation}`))
  }
  process.stdout.write(`failing effects, ${gate.farEnd}, ${kind}: ${faults.length} runs\n`)
  return { violations, runs: faults.length }
}

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
    ['a gate that opens', 'database', openingGate, 250],
    ['a gate that opens', 'publish', openingGate, 30],
    ['a gate that opens', 'disk', openingGate, 50],
    ['a gate that opens', 'serial', openingGate, 50],
    ['a gate that opens', 'timer', openingGate, 30],
    ['a gate that only rings', 'timer', silentGate, 100],
  ] as const)('at %s keeps every promise when any of its %s effects fails', async (_, kind, gate, least) => {
    const endings = new Map<string, number>()
    const { runs, violations } = await found(gate, kind, endings)
    expect(violations).toEqual([])
    expect(unhandled).toEqual([])
    expect(runs).toBeGreaterThanOrEqual(least)
    // Faults that never change the outcome would test nothing.
    if (kind !== 'timer') expect(endings.size).toBeGreaterThan(1)
  })

  it.each<[string, Effect['kind'], Partial<Fault>, string, number]>([
    ['when the INTENT cannot be written to the disk', 'disk', { way: 'EIO' }, 'failed not_dialled', 0],
    ['when the port refuses the ATD', 'serial', { way: 'refused' }, 'failed outcome_unknown', 0],
  ])('places no call %s', async (_, kind, { way }, ending, calls) => {
    const { effects } = await oneOpening(openingGate)
    const fault = faultsOf(effects).find(one => one.effect.kind === kind && one.way === way)
    expect(await oneOpening(openingGate, fault)).toMatchObject({ ending, calls, violations: [] })
  })
})
