import fc from 'fast-check'
import { expect, it } from 'vitest'
import { additionsOf, forgottenBefore, historySteps, wasOnlineUntil } from './beatHistory.ts'

const figures = { signalDbm: -71, supplyMv: 4_020, registration: 'home' }
const noonMs = Date.UTC(2026, 2, 20, 12)
const minutes = (last: Parameters<typeof additionsOf>[0], nowMs: number, said = figures) =>
  additionsOf(last, nowMs, said).filter(({ stepS }) => stepS === 60)

it('counts the time since the last beat as online, and divides it among the minutes', () => {
  const last = { atMs: noonMs - 4_000, isOnline: true }
  expect(minutes(last, noonMs + 6_000)).toEqual([
    {
      stepS: 60,
      startMs: noonMs - 60_000,
      onlineMs: 4_000,
      signalDbm: null,
      supplyMv: null,
      worstRegistration: null,
    },
    { stepS: 60, startMs: noonMs, onlineMs: 6_000, signalDbm: -71, supplyMv: 4_020, worstRegistration: 0 },
  ])
})

it('counts no time after a silence, after a goodbye, before the first beat, or after a clock was set back', () => {
  for (const last of [
    undefined,
    { atMs: noonMs - 30_000, isOnline: true },
    { atMs: noonMs - 5_000, isOnline: false },
    { atMs: noonMs + 5_000, isOnline: true },
  ]) {
    expect(wasOnlineUntil(last, noonMs)).toBe(false)
    expect(minutes(last, noonMs)).toMatchObject([{ onlineMs: 0, signalDbm: -71 }])
  }
})

it('reads no figures from a goodbye, and reads an unknown word of a newer gateway as unknown', () => {
  expect(additionsOf({ atMs: noonMs - 5_000, isOnline: true }, noonMs + 1_000, undefined)).toMatchObject([
    { stepS: 60, onlineMs: 5_000, signalDbm: null },
    { stepS: 60, onlineMs: 1_000, signalDbm: null },
    { stepS: 900, onlineMs: 5_000 },
    { stepS: 900, onlineMs: 1_000 },
    { stepS: 3_600, onlineMs: 5_000 },
    { stepS: 3_600, onlineMs: 1_000 },
  ])
  expect(additionsOf(undefined, noonMs, undefined)).toEqual([])
  expect(minutes(undefined, noonMs, { ...figures, registration: 'satellite' })).toMatchObject([
    { worstRegistration: 2 },
  ])
})

it('counts each millisecond once in each step, whatever the times of the beats', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 29_999 }), { minLength: 1, maxLength: 60 }), gaps => {
      let last = { atMs: noonMs - 1_234, isOnline: true }
      const sums = new Map<number, number>()
      for (const gap of gaps) {
        const nowMs = last.atMs + gap
        for (const { onlineMs, startMs, stepS } of additionsOf(last, nowMs, figures)) {
          expect(startMs % (stepS * 1000)).toBe(0)
          sums.set(stepS, (sums.get(stepS) ?? 0) + onlineMs)
        }
        last = { atMs: nowMs, isOnline: true }
      }
      const total = gaps.reduce((sum, gap) => sum + gap, 0)
      for (const { stepS } of historySteps) expect(sums.get(stepS)).toBe(total)
    }),
  )
})

it('deletes once in each period, and keeps as many periods as the axes show', () => {
  expect(forgottenBefore({ atMs: noonMs - 1, isOnline: true }, noonMs)).toEqual([
    { stepS: 60, beforeMs: noonMs + 60_000 - 86_400_000 },
    { stepS: 900, beforeMs: noonMs + 900_000 - 7 * 86_400_000 },
    { stepS: 3_600, beforeMs: noonMs + 3_600_000 - 90 * 86_400_000 },
  ])
  expect(forgottenBefore({ atMs: noonMs, isOnline: true }, noonMs + 9_000)).toEqual([])
})
