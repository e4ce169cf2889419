import { describe, expect, it } from 'vitest'
import { leastAgoMs, mostAgoMs, type ServerTimes, withReading } from './serverTimes.ts'

const keptMs = 60_000

/** Readings every second from 0 s to `untilS`, with the server's clock as `serverMs` has it. */
function read(untilS: number, serverMs: (ownMs: number) => number): ServerTimes {
  let times: ServerTimes = []
  for (let ownMs = 0; ownMs <= untilS * 1_000; ownMs += 1_000)
    times = withReading(times, { ownMs, serverMs: serverMs(ownMs) }, keptMs)
  return times
}

describe('the age of a time that the server has written', () => {
  it('is the difference to the present time of the clock, while nobody sets the clock', () => {
    const times = read(100, ownMs => ownMs + 5_000)
    expect(leastAgoMs(times, 105_000)).toBe(0)
    expect(leastAgoMs(times, 102_000)).toBe(3_000)
    expect(leastAgoMs(times, 1_000)).toBe(104_000)
    expect(times.length).toBe(1)
  })

  it('is the time that really passed, where the clock was set forward since', () => {
    const times = read(52, ownMs => (ownMs < 51_000 ? ownMs : ownMs + 30_000))
    expect(leastAgoMs(times, 50_000)).toBe(2_000)
    // This time was written after the clock was set.
    expect(leastAgoMs(times, 81_500)).toBe(500)
  })

  it('is the time that really passed, where the clock was set back since', () => {
    const times = read(52, ownMs => (ownMs < 51_000 ? ownMs : ownMs - 30_000))
    expect(leastAgoMs(times, 50_000)).toBe(2_000)
    expect(leastAgoMs(times, 21_500)).toBe(500)
  })

  it('is the time that really passed, where the clock was set forward during a call whose end is dated by the grant', () => {
    const times = read(52, ownMs => (ownMs < 47_000 ? ownMs : ownMs + 70_000))
    // The call was granted at 40 s, and ended 10 s later.
    expect(leastAgoMs(times, 50_000)).toBe(2_000)
    expect(leastAgoMs(times, 117_500)).toBe(4_500)
  })

  it('P5: is 0 where the claim was long on its way, so that the end is dated later than now', () => {
    const times = read(52, ownMs => (ownMs < 47_000 ? ownMs : ownMs + 70_000))
    // A claim of 40 s was granted at 43 s. The call ended 10.5 s after the claim.
    expect(leastAgoMs(times, 53_500)).toBe(0)
    expect(leastAgoMs(times, 58_200)).toBe(63_800)
  })

  it('is never more than the time that passed, while the setting of the clock is not yet noticed', () => {
    const times = read(52, ownMs => (ownMs < 51_000 ? ownMs : ownMs + 30_000))
    // The clock was set at 50.4 s, and the end was written at 50.5 s.
    expect(leastAgoMs(times, 80_500)).toBe(1_500)
  })

  it('is the time that really passed since before the first reading, where the clock was set back after that reading', () => {
    const times = read(52, ownMs => (ownMs < 51_000 ? ownMs : ownMs - 30_000))
    expect(mostAgoMs(times, -5_000)).toBe(57_000)
  })

  it('is at most the longer of two possible ages', () => {
    const times = read(52, ownMs => (ownMs < 51_000 ? ownMs : ownMs - 30_000))
    expect(mostAgoMs(times, 21_500)).toBe(30_500)
    expect(mostAgoMs([], 5)).toBeUndefined()
  })

  it('is unknown for a time that the clock has not shown', () => {
    expect(leastAgoMs([], 5)).toBeUndefined()
    expect(
      leastAgoMs(
        read(10, ownMs => ownMs),
        50_000,
      ),
    ).toBeUndefined()
  })

  it('forgets readings that are long past', () => {
    expect(read(200, ownMs => (ownMs < 51_000 ? ownMs : ownMs + 30_000)).length).toBe(1)
  })
})
