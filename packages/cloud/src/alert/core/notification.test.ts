import fc from 'fast-check'
import { expect, it } from 'vitest'
import { notificationLimits, notificationOf } from './notification.ts'

const { laterEveryMs, soon, windowMs } = notificationLimits

it('sends a mail for each of a few incidents, one mail for many, and beyond the limit one mail every four hours', () => {
  const told = (count: number) => ({ count, lastMs: 0 })
  expect(notificationOf(1, { count: 0, lastMs: undefined }, 0)).toBe('each')
  expect(notificationOf(3, told(0), 1)).toBe('each')
  expect(notificationOf(4, told(0), 1)).toBe('all')
  expect(notificationOf(1, told(soon - 1), 1)).toBe('each')
  expect(notificationOf(2, told(soon - 1), 1)).toBe('all')
  expect(notificationOf(1, told(soon), 1)).toBe('later')
  expect(notificationOf(1, told(soon), laterEveryMs)).toBe('all')
})

it('sends at most 18 mails in any day, and delays no notification for more than four hours', () => {
  const happened = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 180 })), {
    minLength: 1,
    maxLength: 300,
  })
  fc.assert(
    fc.property(happened, steps => {
      let mails: number[] = []
      let waiting = 0
      let waitingSinceMs = 0
      let nowMs = 0
      for (const [count, minutes] of steps)
        for (let minute = 0; minute < minutes; minute++) {
          nowMs += 60_000
          if (minute === 0) {
            if (waiting === 0) waitingSinceMs = nowMs
            waiting += count
          }
          if (waiting === 0) continue
          mails = mails.filter(atMs => atMs > nowMs - windowMs)
          const how = notificationOf(waiting, { count: mails.length, lastMs: mails.at(-1) }, nowMs)
          if (how !== 'later') {
            mails.push(...new Array<number>(how === 'each' ? waiting : 1).fill(nowMs))
            waiting = 0
          }
          expect(mails.length).toBeLessThanOrEqual(18)
          if (waiting > 0) expect(nowMs - waitingSinceMs).toBeLessThan(laterEveryMs)
        }
    }),
    { numRuns: 40 },
  )
})
