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
  it('is what its clock says, while nobody sets it', () => {
    const times = read(100, ownMs => ownMs + 5_000)
    expect(leastAgoMs(times, 105_000)).toBe(0)
    expect(leastAgoMs(times, 102_000)).toBe(3_000)
    expect(leastAgoMs(times, 1_000)).toBe(104_000)
    expect(times.length).toBe(1)
  })

  it('is what really passed, where it was set forward since', () => {
    const times = read(52, ownMs => (ownMs < 51_000 ? ownMs : ownMs + 30_000))
    expect(leastAgoMs(times, 50_000)).toBe(2_000)
    // Written after it was set.
    expect(leastAgoMs(times, 81_500)).toBe(500)
  })

  it('is what really passed, where it was set back since', () => {
    const times = read(52, ownMs => (ownMs < 51_000 ? ownMs : ownMs - 30_000))
    expect(leastAgoMs(times, 50_000)).toBe(2_000)
    expect(leastAgoMs(times, 21_500)).toBe(500)
  })

  it('is what really passed, where it was set forward in a call, and the end is dated by the grant', () => {
    const times = read(52, ownMs => (ownMs < 47_000 ? ownMs : ownMs + 70_000))
    // Granted at 40 s, and ended 10 s later.
    expect(leastAgoMs(times, 50_000)).toBe(2_000)
    expect(leastAgoMs(times, 117_500)).toBe(4_500)
  })

  it('P5: is nothing, where the claim took long, so that the end is dated later than now', () => {
    const times = read(52, ownMs => (ownMs < 47_000 ? ownMs : ownMs + 70_000))
    // Granted at 43 s to a claim of 40 s, and ended 10.5 s after the claim.
    expect(leastAgoMs(times, 53_500)).toBe(0)
    expect(leastAgoMs(times, 58_200)).toBe(63_800)
  })

  it('is never more than what passed, while its setting is not noticed yet', () => {
    const times = read(52, ownMs => (ownMs < 51_000 ? ownMs : ownMs + 30_000))
    // It was set at 50.4 s, and the end was written at 50.5 s.
    expect(leastAgoMs(times, 80_500)).toBe(1_500)
  })

  it('is what really passed since a time before the first reading, where it was set back after that', () => {
    const times = read(52, ownMs => (ownMs < 51_000 ? ownMs : ownMs - 30_000))
    expect(mostAgoMs(times, -5_000)).toBe(57_000)
  })

  it('is the longer one for whoever must not wait too long, where two may be true', () => {
    const times = read(52, ownMs => (ownMs < 51_000 ? ownMs : ownMs - 30_000))
    expect(mostAgoMs(times, 21_500)).toBe(30_500)
    expect(mostAgoMs([], 5)).toBeUndefined()
  })

  it('is unknown for a time that its clock has not shown', () => {
    expect(leastAgoMs([], 5)).toBeUndefined()
    expect(
      leastAgoMs(
        read(10, ownMs => ownMs),
        50_000,
      ),
    ).toBeUndefined()
  })

  it('forgets what is long over', () => {
    expect(read(200, ownMs => (ownMs < 51_000 ? ownMs : ownMs + 30_000)).length).toBe(1)
  })
})
