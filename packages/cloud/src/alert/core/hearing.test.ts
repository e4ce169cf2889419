import { expect, it } from 'vitest'
import { seenOfSignal, seenOfSilence, seenOfSupply } from './gatewayCheck.ts'
import { type Hearing, type HearingCheck, hearingAfter, stillHearing } from './hearing.ts'

const roundMs = 30_000
const minuteMs = 60_000

/** A cloud that checks every 30 s, from minute 10 of its clock. */
function cloud() {
  let hearing: Hearing | undefined
  let clocks = { nowMs: 10 * minuteMs, monotonicMs: 0 }
  const usual = { isConnected: true, gateways: 6, spaces: 2 }
  return {
    now: () => clocks.nowMs,
    pass(ms: number, wallMs = ms) {
      clocks = { nowMs: clocks.nowMs + wallMs, monotonicMs: clocks.monotonicMs + ms }
    },
    run() {
      if (hearing) hearing = stillHearing(hearing, clocks)
    },
    check(more: Partial<HearingCheck> = {}): Hearing {
      hearing = hearingAfter(hearing, { ...usual, ...clocks, newestMs: clocks.nowMs - 3_000, ...more })
      return hearing
    },
  }
}

it('hears from its start on, and not while the broker is away', () => {
  const { check, now, pass } = cloud()
  const startMs = now()
  expect(check()).toMatchObject({ sinceMs: startMs, isDeaf: false })
  pass(roundMs)
  expect(check().sinceMs).toBe(startMs)
  pass(roundMs)
  expect(check({ isConnected: false }).sinceMs).toBeUndefined()
  pass(roundMs)
  expect(check().sinceMs).toBe(now())
})

it.each([
  ['it stalled', 10 * minuteMs, 10 * minuteMs],
  ['the wall clock was set ahead', roundMs, 60 * minuteMs],
  ['the wall clock was set back', roundMs, -60 * minuteMs],
])('counts silence from zero after %s', (_, ms, wallMs) => {
  const { check, now, pass } = cloud()
  check()
  pass(roundMs)
  check()
  pass(ms, wallMs)
  expect(check().sinceMs).toBe(now())
})

it('keeps hearing through a long check, but not through a stall in it', () => {
  const { check, now, pass, run } = cloud()
  const startMs = now()
  check()
  for (let part = 0; part < 5; part++) {
    pass(minuteMs)
    run()
  }
  expect(check().sinceMs).toBe(startMs)
  pass(2 * minuteMs)
  run()
  pass(roundMs)
  run()
  expect(check().sinceMs).toBe(now())
})

it('is deaf when none of many gateways is heard for two minutes, and hears again with the first beat', () => {
  const { check, now, pass } = cloud()
  check()
  const lastMs = now()
  const checks = Array.from({ length: 12 }, () => {
    pass(roundMs)
    return check({ newestMs: lastMs })
  })
  expect(checks.map(({ isDeaf }) => isDeaf).lastIndexOf(false)).toBe(3)
  // No silence grows while the cloud is deaf.
  expect(checks.at(-1)?.sinceMs).toBe(now())
  pass(roundMs)
  expect(check()).toMatchObject({ isDeaf: false, sinceMs: now() })
})

it('attributes the silence of a few gateways, or of those of one Space, to the gateways', () => {
  for (const few of [{ gateways: 4 }, { spaces: 1 }, { gateways: 0, spaces: 0, newestMs: undefined }]) {
    const { check, pass } = cloud()
    check(few)
    for (let round = 0; round < 20; round++) {
      pass(roundMs)
      expect(check({ newestMs: 0, ...few }).isDeaf).toBe(false)
    }
  }
})

const gateway = (more: object = {}) => ({
  heard: { atMs: 0, isOnline: true },
  onlineSinceMs: -minuteMs,
  signalDbm: -71,
  supplyMv: 4_020,
  hasBrownouts: false,
  ...more,
})

it('finds a silence after five minutes in which the cloud could hear, and a return after one', () => {
  expect(seenOfSilence(gateway(), -minuteMs, 10_000)).toBe('well')
  expect(seenOfSilence(gateway({ onlineSinceMs: 0 }), -minuteMs, 10_000)).toBe('between')
  expect(seenOfSilence(gateway({ onlineSinceMs: undefined }), -minuteMs, 10_000)).toBe('between')
  expect(seenOfSilence(gateway(), -minuteMs, 5 * minuteMs - 1)).toBe('between')
  expect(seenOfSilence(gateway(), -minuteMs, 5 * minuteMs)).toBe('bad')
  expect(seenOfSilence(gateway(), undefined, 60 * minuteMs)).toBe('between')
  expect(seenOfSilence(gateway(), 59 * minuteMs, 60 * minuteMs)).toBe('between')
  const ahead = gateway({ heard: { atMs: 90 * minuteMs, isOnline: true } })
  expect(seenOfSilence(ahead, 56 * minuteMs, 60 * minuteMs)).toBe('between')
  expect(seenOfSilence(ahead, 55 * minuteMs, 60 * minuteMs)).toBe('bad')
})

it('grades signal and supply with a range between bad and well, and not for a gateway that is away', () => {
  const signal = (signalDbm: number | null) => seenOfSignal(gateway({ signalDbm }), 10_000)
  expect([-94, -93, -90, -89, null].map(signal)).toEqual(['bad', 'between', 'between', 'well', 'unknown'])
  const supply = (supplyMv: number | null) => seenOfSupply(gateway({ supplyMv }), 10_000)
  expect([3_499, 3_500, 3_599, 3_600, null].map(supply)).toEqual([
    ...['bad', 'between', 'between', 'well', 'unknown'],
  ])
  expect(seenOfSupply(gateway({ hasBrownouts: true }), 10_000)).toBe('bad')
  expect(seenOfSignal(gateway({ signalDbm: -110 }), minuteMs)).toBe('unknown')
  expect(seenOfSupply(gateway({ supplyMv: 3_000 }), minuteMs)).toBe('unknown')
})
