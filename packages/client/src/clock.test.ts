import { expect, it } from 'vitest'
import { realClock } from './clock.ts'

it('pauses until the time is over or the signal is aborted', async () => {
  const before = realClock.nowMs()
  await realClock.pause(1, undefined)
  expect(realClock.nowMs()).toBeGreaterThan(before)
  const stop = new AbortController()
  const paused = realClock.pause(3_600_000, stop.signal)
  stop.abort()
  await paused
  await realClock.pause(3_600_000, stop.signal)
})

it('limits until it is cancelled', async () => {
  const cancel = realClock.limit(0, () => {
    throw new Error('not cancelled')
  })
  cancel()
  await new Promise<void>(resolve => realClock.limit(1, resolve))
})

it('makes valid Idempotency-Keys, each a different one', () => {
  const keys = [realClock.newKey(), realClock.newKey()]
  expect(new Set(keys).size).toBe(2)
  for (const key of keys) expect(key).toMatch(/^[\x21-\x7e]{16,64}$/)
  expect(realClock.random()).toBeLessThan(1)
})
