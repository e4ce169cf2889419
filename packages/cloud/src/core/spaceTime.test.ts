import { describe, expect, it } from 'vitest'
import { spaceTimeMs } from './spaceTime.ts'

const nowMs = Date.parse('2026-11-27T10:00:00Z')
const clockAt = '2026-03-29T00:59:50.000Z'

describe('the time that schedules of a Space see', () => {
  it('is the real time where no clock was set', () => {
    expect(spaceTimeMs({ clockAt: null, clockSetAt: null }, nowMs)).toBe(nowMs)
  })

  it('stands still where the clock is frozen', () => {
    const clock = { clockAt, clockSetAt: null }
    expect([spaceTimeMs(clock, nowMs), spaceTimeMs(clock, nowMs + 5_000)]).toEqual([
      Date.parse(clockAt),
      Date.parse(clockAt),
    ])
  })

  it('goes on from where the clock was set', () => {
    const clock = { clockAt, clockSetAt: '2026-11-27T09:59:00.000Z' }
    expect(spaceTimeMs(clock, nowMs)).toBe(Date.parse('2026-03-29T01:00:50Z'))
  })
})
