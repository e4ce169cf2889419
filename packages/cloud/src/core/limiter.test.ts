import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limiter } from './limiter.ts'

const windowMs = 60_000

describe('a limiter', () => {
  it('never lets more than the limit into any window, and says truly when the next is taken', () => {
    const pauses = fc.array(fc.oneof(fc.nat(40), fc.nat(70_000), fc.constant(windowMs)), { maxLength: 200 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), pauses, (most, steps) => {
        const one = limiter({ most, windowMs })
        const taken: number[] = []
        let nowMs = 0.5
        for (const step of steps) {
          nowMs += step
          const before = one.peek('key', nowMs)
          const status = one.take('key', nowMs)
          expect(status.isTaken).toBe(before.isTaken)
          if (status.isTaken) taken.push(nowMs)
          else {
            expect(status.remaining).toBe(0)
            expect(one.peek('key', nowMs + status.nextMs - 1).isTaken).toBe(false)
            nowMs += Math.ceil(status.nextMs / 1000) * 1000
            expect(one.take('key', nowMs).isTaken).toBe(true)
            taken.push(nowMs)
          }
        }
        for (const start of taken)
          expect(taken.filter(at => at >= start && at < start + windowMs).length).toBeLessThanOrEqual(most)
      }),
      { numRuns: 300 },
    )
  })

  it('counts each key by itself, and says how many are left', () => {
    const one = limiter({ most: 2, windowMs })
    expect(one.take('a', 0)).toEqual({ isTaken: true, remaining: 1, nextMs: 60_000 })
    expect(one.take('a', 10_000)).toEqual({ isTaken: true, remaining: 0, nextMs: 50_000 })
    expect(one.take('a', 59_999)).toEqual({ isTaken: false, remaining: 0, nextMs: 1 })
    expect(one.take('b', 59_999).isTaken).toBe(true)
    expect(one.take('a', 60_000)).toEqual({ isTaken: true, remaining: 0, nextMs: 10_000 })
    expect(one.peek('c', 60_000)).toEqual({ isTaken: true, remaining: 2, nextMs: 0 })
  })

  it('keeps a limited number of keys, and forgets those that were quiet longest', () => {
    const one = limiter({ most: 1, windowMs }, 3)
    for (const key of ['a', 'b', 'c', 'd']) one.take(key, 0)
    expect(['a', 'b', 'c', 'd'].map(key => one.peek(key, 0).isTaken)).toEqual([true, false, false, false])
  })
})
