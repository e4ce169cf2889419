import { expect, it } from 'vitest'
import { pauseBeforeMs, rungAfter } from './ladder.ts'

it('goes from the mildest remedy to the supply, and then repeats', () => {
  const all = [0, 1, 2, 3, 4, 5, 6].map(failures => rungAfter(failures, ['supply', 'pwrkey', 'reset']))
  expect(all).toEqual(['reopen', 'restart', 'pwrkey', 'reset', 'supply', 'restart', 'pwrkey'])
  expect([1, 2, 3].map(failures => rungAfter(failures, ['supply']))).toEqual(['restart', 'supply', 'restart'])
  expect([1, 2].map(failures => rungAfter(failures, []))).toEqual(['restart', 'restart'])
})

it('doubles the pause each time, up to half a minute for a port and ten minutes for the supply', () => {
  const pauses = [0, 1, 2, 3].map(failures => pauseBeforeMs(failures, 'reopen'))
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000])
  expect(pauseBeforeMs(1_000, 'restart')).toBe(30_000)
  expect(pauseBeforeMs(1_000, 'supply')).toBe(600_000)
})
