// The searches of `pnpm hunt` share its time, and each finding can be replayed.

import { expect, it } from 'vitest'
import { nextTurn } from './schedule.ts'
import { searches } from './searches.ts'

const turn = (name: string, share: number, usedMs: number, lastMs = 1_000) => ({
  name,
  share,
  usedMs,
  lastMs,
})

it('gives the turn to the search that is furthest behind its share', () => {
  expect(nextTurn([turn('a', 1, 10_000), turn('b', 4, 20_000)], 60_000)?.name).toBe('b')
  expect(nextTurn([turn('a', 1, 4_000), turn('b', 4, 20_000)], 60_000)?.name).toBe('a')
  expect(nextTurn([turn('a', 1, 0), turn('b', 4, 0)], 60_000)?.name).toBe('a')
})

it('starts nothing that would not end in time', () => {
  expect(nextTurn([turn('a', 1, 0, 50_000), turn('b', 1, 90_000, 5_000)], 10_000)?.name).toBe('b')
  expect(nextTurn([turn('a', 1, 0, 50_000)], 10_000)).toBeUndefined()
})

it('divides the time by the shares', () => {
  const used = new Map([
    ['a', 0],
    ['b', 0],
    ['c', 0],
  ])
  const shares = { a: 1, b: 2, c: 5 }
  for (let turns = 0; turns < 800; turns++) {
    const next = nextTurn(
      Object.entries(shares).map(([name, share]) => turn(name, share, used.get(name) ?? 0)),
      60_000,
    )
    if (next) used.set(next.name, (used.get(next.name) ?? 0) + 1_000)
  }
  expect([...used.values()]).toEqual([100_000, 200_000, 500_000])
})

it.each(searches)('$name explains how to replay the portion of a seed', ({ portion }) => {
  const { args, environment, replay } = portion(4_711)
  expect(portion(4_711)).toEqual({ args, replay, ...(environment && { environment }) })
  expect(portion(4_712).replay).not.toBe(replay)
  expect(replay).toMatch(/^(pnpm [a-z]+ --|[A-Z]+=4711:\d+ npx vitest run )/)
})
