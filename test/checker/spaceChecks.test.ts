// The checks of two Spaces with one number: correct runs pass, and each wrong one is found.

import { expect, it } from 'vitest'
import type { Facts, Opening } from './facts.ts'
import { mayCallBeside, spaceChecks } from './spaceChecks.ts'

const phoneNumber = '+40722000001'
const row = { phoneNumber, joinedOpeningId: null, reason: 'busy', grantedMs: null }
const granted = (id: string, spaceId: string, grantedMs: number) =>
  ({ ...row, id, spaceId, grantedMs }) as Opening
const refused = (id: string) => ({ ...row, id, spaceId: 'one', reason: 'number_in_use' }) as Opening

/** The rows, the ends of the refused openings, and the times at which a wall clock was set or the cloud's machine stalled. */
function factsOf(
  rows: readonly Opening[],
  ends: readonly (readonly [string, number])[] = [],
  more: Partial<Facts> = {},
): Facts {
  return { rows, ends: new Map(ends), clockSetMs: [], stood: [], ...more } as unknown as Facts
}
const violationsOf = (facts: Facts) => spaceChecks.flatMap(check => check(facts))

const calls = [0, 15_000, 30_000, 45_000, 60_000].map(atMs => granted(`other_${atMs}`, 'other', atMs))
const two = [...calls, refused('first'), refused('last')]

it.each<readonly [name: string, facts: Facts]>([
  [
    'a press while another Space calls',
    factsOf([granted('other', 'other', 0), refused('one')], [['one', 59_000]]),
  ],
  [
    'a press a minute after the first one that was refused',
    factsOf(two, [
      ['first', 2_000],
      ['last', 62_000],
    ]),
  ],
  [
    'a later one, where a call of its own came in between',
    factsOf(
      [...two, granted('own', 'one', 40_000)],
      [
        ['first', 2_000],
        ['last', 72_000],
      ],
    ),
  ],
  [
    'a later one, where the machine of the cloud stalled',
    factsOf(
      two,
      [
        ['first', 2_000],
        ['last', 72_000],
      ],
      { stood: [{ fromMs: 20_000, toMs: 30_000 }] },
    ),
  ],
  [
    'a later one, where the wall clock was set',
    factsOf(
      two,
      [
        ['first', 2_000],
        ['last', 72_000],
      ],
      { clockSetMs: [9_000] },
    ),
  ],
])('finds nothing in %s', (_, facts) => {
  expect(violationsOf(facts)).toEqual([])
})

it.each<readonly [violation: string, facts: Facts]>([
  [
    'L2: one was refused, and no other Space called',
    factsOf([granted('own', 'one', 0), refused('one')], [['one', 5_000]]),
  ],
  [
    'L2: one was refused for a call of 66000 ms before',
    factsOf([granted('other', 'other', 0), refused('one')], [['one', 66_000]]),
  ],
  [
    'L2: last was refused 70000 ms after the first press that was',
    factsOf(two, [
      ['first', 2_000],
      ['last', 72_000],
    ]),
  ],
])('finds %s', (violation, facts) => {
  expect(violationsOf(facts)).toEqual([violation])
})

it('lets a Space call beside another one only after a minute, or where a wall clock was set', () => {
  const [holder, own] = [granted('other', 'other', 0), granted('own', 'one', 20_000)]
  expect(mayCallBeside(factsOf([holder, own]), holder, own)).toBe(false)
  expect(mayCallBeside(factsOf([holder, own], [], { clockSetMs: [9_000] }), holder, own)).toBe(true)
  const late = granted('own', 'one', 61_000)
  expect(mayCallBeside(factsOf([holder, late]), holder, late)).toBe(true)
  const sameSpace = granted('again', 'other', 61_000)
  expect(mayCallBeside(factsOf([holder, sameSpace]), holder, sameSpace)).toBe(false)
})

it('lets a call beside another one, whichever of the two grants comes first', () => {
  const [holder, late] = [granted('other', 'other', 0), granted('own', 'one', 61_000)]
  expect(mayCallBeside(factsOf([holder, late]), late, holder)).toBe(true)
  const soon = granted('own', 'one', 20_000)
  expect(mayCallBeside(factsOf([holder, soon]), soon, holder)).toBe(false)
})

it('lets a Space call beside another one where the wall clock was set while it waited', () => {
  const [before, holder] = [granted('before', 'other', 0), granted('other', 'other', 30_000)]
  const own = granted('own', 'one', 32_000)
  const rows = [before, refused('first'), holder, own]
  const facts = factsOf(rows, [['first', 5_000]], { clockSetMs: [9_000] })
  expect(mayCallBeside(facts, holder, own)).toBe(true)
})

it('lets a Space call again beside a call that it has overridden, but no third Space beside its own', () => {
  const before = granted('before', 'other', 0)
  const [holder, own] = [granted('other', 'other', 61_000), granted('own', 'one', 63_000)]
  const again = granted('again', 'one', 75_000)
  const third = granted('third', 'third', 75_000)
  const rows = [before, refused('first'), holder, own, again, third]
  const facts = factsOf(rows, [['first', 2_000]])
  expect(mayCallBeside(facts, holder, again)).toBe(true)
  expect(mayCallBeside(facts, own, third)).toBe(false)
  expect(mayCallBeside(factsOf([holder, own, again]), holder, again)).toBe(false)
})

it('lets a Space call beside one that has refused others in ten calls, also in the commit of their grants', () => {
  const besideAfter = (count: number) => {
    const times = Array.from({ length: count }, (_, place) => place * 3_000)
    const grants = times.map(atMs => granted(`other_${atMs}`, 'other', atMs))
    const refusals = times.map(atMs => refused(`refused_${atMs}`))
    const own = granted('own', 'two', count * 3_000 - 1_000)
    const ends = times.map(atMs => [`refused_${atMs}`, atMs] as const)
    const holder = grants.at(-1)
    return holder && mayCallBeside(factsOf([...grants, ...refusals, own], ends), holder, own)
  }
  expect([besideAfter(9), besideAfter(10)]).toEqual([false, true])
})
