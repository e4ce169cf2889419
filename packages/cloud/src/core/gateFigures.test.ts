import { expect, it } from 'vitest'
import { type FigureRow, figuresOf } from './gateFigures.ts'

const atMs = Date.UTC(2026, 2, 20, 12)
const opened = { class: 'opened', opened: 'likely', reason: 'rejected_after_ring' } as const
const missed = { class: 'did_not_open', opened: 'no', reason: 'no_reaction' } as const
const denied = { class: 'denied', opened: 'no', reason: 'outside_schedule', gatewayId: null } as const

/** Rows, newest first, each with its duration in seconds. */
const rowsOf = (...given: (Partial<FigureRow> & { tookS?: number })[]): FigureRow[] =>
  given.map(({ tookS = 8, ...row }, place) => ({
    id: `open_${given.length - place}`,
    calledAt: new Date(atMs).toISOString(),
    completedAt: new Date(atMs + tookS * 1000).toISOString(),
    joinedOpeningId: null,
    gatewayId: 'gw_attic',
    ...opened,
    ...row,
  }))

it('are empty for a gate without openings', () => {
  expect(figuresOf([])).toEqual({ ticks: [], usualMs: null, misses: 0, gatewayId: null })
})

it('count the calls in a row that rang in vain, without presses that placed no call or joined one', () => {
  const joined = { joinedOpeningId: 'open_1', gatewayId: null }
  const running = { class: 'running', opened: null, reason: null, completedAt: null } as const
  const rows = rowsOf(running, denied, missed, { ...opened, ...joined }, missed, missed, opened, missed)
  expect(figuresOf(rows)).toMatchObject({ misses: 3 })
  expect(figuresOf(rowsOf(missed, missed))).toMatchObject({ misses: 2, usualMs: null })
  expect(figuresOf(rowsOf({ ...missed, reason: 'busy' }, missed))).toMatchObject({ misses: 0 })
})

it('give the median duration of opening calls, the last calling gateway, and each opening, oldest first', () => {
  const rows = rowsOf(denied, { tookS: 7, gatewayId: 'gw_yard' }, { tookS: 30 }, { tookS: 8 }, missed)
  expect(figuresOf(rows)).toMatchObject({
    usualMs: 8_000,
    gatewayId: 'gw_yard',
    ticks: [
      { openingId: 'open_1', class: 'did_not_open' },
      { openingId: 'open_2', class: 'opened' },
      { openingId: 'open_3', class: 'opened' },
      { openingId: 'open_4', class: 'opened' },
      { openingId: 'open_5', class: 'denied' },
    ],
  })
})
