// Model checking: every interleaving within the bounds keeps the promises and can reach an end, and a broken core is detected.

import { decidePress } from '@callgate/cloud/core/pressDecision'
import { decideClaim } from '@callgate/cloud/opening/core/claimDecision'
import { decideReport } from '@callgate/cloud/opening/core/reportDecision'
import { describe, expect, it } from 'vitest'
import { nearestOnly, smallest, tested, walkedByCommand } from './bounds.ts'
import { type Bounds, type Explored, explore } from './explore.ts'
import { walk } from './walk.ts'
import { exitCodeOf, reportOf } from './walkReport.ts'

describe('every interleaving', () => {
  it.each(Object.entries(tested))('keeps every promise, and can reach an end: %s', (name, bounds) => {
    const { dialled, ends, isWhole, states, steps, violation } = explore(bounds)
    process.stdout.write(`every interleaving of ${name}: ${states} states, ${steps} steps\n`)
    expect(violation).toBeUndefined()
    expect(isWhole).toBe(true)
    // Of two openings on one number, the second joins the first or comes within its cool-down.
    expect(dialled).toBe(bounds.isOneNumber ? 1 : bounds.openings)
    expect(ends).toBeGreaterThan(100)
    expect(states).toBeGreaterThan(900)
  })

  it.each(Object.entries({ ...walkedByCommand, ...nearestOnly }))(
    'keeps every promise in its first 5,000 states: %s',
    (name, bounds) => {
      const { dialled, states, violation } = explore({ ...bounds, mostStates: 5_000 })
      process.stdout.write(`every interleaving of ${name}: the first ${states} states\n`)
      expect(violation).toBeUndefined()
      expect(dialled).toBeGreaterThan(0)
    },
  )

  const clockMs = [0, 130_000, 150_000]
  const restart: Bounds = { ...smallest, clockMs, gatewayRestarts: 1, leftovers: ['wiped'] }
  const oneNumber: Bounds = { ...smallest, clockMs, openings: 2, isOneNumber: true }
  it.each<[string, Parameters<typeof explore>[1], RegExp, Bounds]>([
    ['no check just before the write', { mayDial: () => true }, /^P2/, smallest],
    [
      'every claim granted',
      { decideClaim: () => ({ kind: 'grant' }) },
      /^P1/,
      { ...smallest, clockMs: [0], gateways: 2 },
    ],
    [
      'another boot gets the same grant',
      {
        decideClaim: facts =>
          facts.opening?.gatewayId === facts.claim.gatewayId ? { kind: 'grant' } : decideClaim(facts),
      },
      /^P1/,
      { ...restart, clockMs: [0] },
    ],
    [
      'a second press gets a call of its own',
      { decidePress: facts => decidePress({ ...facts, holder: undefined, last: undefined }) },
      /^P5/,
      { ...oneNumber, gateways: 2, clockMs: [0] },
    ],
    [
      'a report that nothing was dialled is accepted from any boot',
      {
        decideReport: (opening, from, report) =>
          decideReport(opening, { ...from, bootId: opening?.bootId ?? from.bootId }, report),
      },
      /^A3/,
      restart,
    ],
    [
      'an ended opening ends again',
      {
        decideReport: (opening, from, report) =>
          decideReport(opening && { ...opening, status: 'initiated', isSettled: false }, from, report),
      },
      /^A2: .* went from/,
      restart,
    ],
    [
      'a report that ends nothing',
      { decideReport: () => ({ kind: 'keep' }) },
      /^A2: no end/,
      { ...smallest, clockMs: [0] },
    ],
  ])('detects a broken core: %s', (_, broken, what, within) => {
    const { violation } = explore(within, broken)
    expect(violation?.what).toMatch(what)
    expect(violation?.path[0]).toBe('cloud: press open_a')
  })
})

describe('a walk', () => {
  const walked = (moves: Record<string, string>, ends: string, wrong = '') =>
    walk<string>({
      first: 'a',
      keyOf: state => state,
      movesFrom: state => [...(moves[state] ?? '')].map(to => [`${state} to ${to}`, to] as const),
      isEnd: state => ends.includes(state),
      wrongWith: state => (state === wrong ? 'wrong' : undefined),
      mostStates: 5,
    })

  it('counts states and steps, and reports the path to a violation', () => {
    expect(walked({ a: 'bc', b: 'd', c: 'd' }, 'd')).toEqual({
      states: 4,
      steps: 4,
      ends: 1,
      isWhole: true,
      violation: undefined,
    })
    expect(walked({ a: 'bc', b: 'd', c: 'd' }, 'd', 'd').violation).toEqual({
      what: 'wrong',
      path: ['a to b', 'b to d'],
    })
    expect(walked({ a: 'bcdef' }, 'f')).toMatchObject({ states: 5, isWhole: false, violation: undefined })
    expect(walked({ a: 'bcdef' }, 'f', 'e').violation?.path).toEqual(['a to e'])
  })

  it('finds a state from which no end can be reached, also in a cycle', () => {
    const found = walked({ a: 'bd', b: 'c', c: 'b' }, 'd').violation
    expect(found).toEqual({ what: 'A2: no end can be reached', path: ['a to b'] })
  })
})

describe('the command', () => {
  const sums = { states: 7, steps: 9, ends: 1, dialled: 1, violation: undefined }
  const whole = { ...sums, isWhole: true }
  const nearest = { ...sums, isWhole: false }
  const broken = { ...nearest, violation: { what: 'P1: twice', path: ['press', 'dial'] } }

  it('reports incomplete walks, and how a promise was broken', () => {
    expect(reportOf('one', whole)).toBe('one: all 7 states, 9 steps, 1 ends, 1 dialled')
    expect(reportOf('one', nearest)).toMatch(/^one: the nearest 7 states only, .*not checked/)
    expect(reportOf('one', broken)).toBe('one: P1: twice\n  press\n  dial')
  })

  it('exits with the code of the worst walk', () => {
    const toBe = (explored: Explored, isToBeWhole: boolean) => ({ ...explored, isToBeWhole })
    expect(exitCodeOf([toBe(whole, true), toBe(nearest, false)])).toBe(0)
    expect(exitCodeOf([toBe(nearest, true), toBe(whole, true)])).toBe(2)
    expect(exitCodeOf([toBe(nearest, true), toBe(broken, false)])).toBe(1)
  })
})
