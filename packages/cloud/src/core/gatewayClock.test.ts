import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ageByGateway, beatsKept, type ClockBeat, clockAtPress } from './gatewayClock.ts'

const bootId = 'A'

/** Beats as the cloud hears them: sent every 10 s, and late by `delays`. The cloud's own clock is `offsetMs` ahead. */
function heard(delays: readonly number[], offsetMs: number): ClockBeat[] {
  return delays
    .map((delayMs, place) => ({ gatewayMs: place * 10_000, cloudMs: place * 10_000 + delayMs + offsetMs }))
    .slice(-beatsKept)
}

/**
 * The age that the cloud computes for a claim that was sent `waitMs` after the press. The cloud stalled for `pausedMs` between.
 */
function ageFound(beats: readonly ClockBeat[], pressMs: number, waitMs: number, offsetMs: number) {
  const atPressMs = clockAtPress(beats, pressMs + offsetMs)
  if (atPressMs === undefined) return undefined
  return ageByGateway({ bootId, atPressMs }, { bootId, sinceBootMs: pressMs + waitMs })
}

const delays = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 12 })
const offset = fc.integer({ min: -1e9, max: 1e9 })

describe('the age of an opening by the gateway', () => {
  it('is never less than the true age, and exceeds it by at most the delay of the quickest recent beat', () => {
    fc.assert(
      fc.property(delays, offset, fc.integer({ min: 0, max: 300_000 }), (late, offsetMs, waitMs) => {
        const beats = heard(late, offsetMs)
        const pressMs = (late.length - 1) * 10_000 + 3_001
        const ageMs = ageFound(beats, pressMs, waitMs, offsetMs) ?? Number.NaN
        expect(ageMs).toBeGreaterThanOrEqual(waitMs)
        expect(ageMs).toBeLessThanOrEqual(waitMs + Math.min(...late.slice(-beatsKept)))
      }),
    )
  })

  it('refuses no claim within 9 s of its press because of beats that are up to 3 s late', () => {
    fc.assert(
      fc.property(delays, fc.integer({ min: 0, max: 8_999 }), (late, waitMs) => {
        const pressMs = (late.length - 1) * 10_000 + 3_001
        expect(ageFound(heard(late, 0), pressMs, waitMs, 0)).toBeLessThan(12_000)
      }),
    )
  })

  it('ignores a beat that came with the press or after it, because it may have come after a stall', () => {
    const beats = [
      { gatewayMs: 0, cloudMs: 1_000 },
      { gatewayMs: 64_000, cloudMs: 5_000 },
    ]
    expect(clockAtPress(beats, 5_000)).toBe(4_000)
    expect(clockAtPress(beats.slice(1), 5_000)).toBeUndefined()
  })

  it('ignores old beats', () => {
    expect(clockAtPress([{ gatewayMs: 0, cloudMs: 0 }], 90_000)).toBeUndefined()
  })

  it('is unknown for another boot, and for a gateway that was not heard', () => {
    expect(ageByGateway(undefined, { bootId, sinceBootMs: 1 })).toBeUndefined()
    expect(ageByGateway({ bootId, atPressMs: 0 }, { bootId: 'B', sinceBootMs: 1 })).toBeUndefined()
  })
})
