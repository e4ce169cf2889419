import { callProfile } from '@callgate/contract/call/callProfile'
import { foreignHeldAtMostMs, foreignRefusalsPerHour } from '@callgate/contract/wire/timing'
import { isoTime } from '@callgate/world/world'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askForNumber, type Holder, keptUntilMs, type NumberLock } from './numberLock.ts'

const startMs = Date.parse('2026-01-01T00:00:00.000Z')
const running: Holder = {
  status: 'initiated',
  lockedNumber: '+40722000001',
  completedAt: null,
  opened: null,
  grantedProfile: JSON.stringify(callProfile({ mode: 'reject', coolDownMs: 5_000 })),
}
const ended = (opened: Holder['opened'], atMs: number): Holder => ({
  ...running,
  status: 'completed',
  lockedNumber: null,
  completedAt: isoTime(atMs),
  opened,
})
const held: NumberLock = {
  openingId: 'open_a',
  spaceId: 'space_a',
  heldSinceMs: startMs,
  hasRefused: false,
  waits: {},
  refusals: {},
}
const ask = (nowMs: number, spaceId = 'space_b') => ({ openingId: 'open_b', spaceId, nowMs })

describe('a number that another Space has called', () => {
  it.each<[string, Holder | undefined, number]>([
    ['whose opening is not there any more', undefined, Number.NEGATIVE_INFINITY],
    ['whose call runs', running, Number.POSITIVE_INFINITY],
    ['whose call may have moved the gate', ended('yes', startMs), startMs + 5_000],
    ['whose call has an unknown outcome', ended('unknown', startMs), startMs + 5_000],
    ['whose call has surely moved nothing', ended('no', startMs), Number.NEGATIVE_INFINITY],
  ])('%s is kept until it is free', (_, holder, untilMs) => {
    expect(keptUntilMs(holder)).toBe(untilMs)
  })

  it('is refused while the call runs, and while the gate may still move', () => {
    expect(askForNumber(held, running, ask(startMs + 10_000)).kind).toBe('refuse')
    const over = ended('likely', startMs + 10_000)
    expect(askForNumber(held, over, ask(startMs + 14_999)).kind).toBe('refuse')
    expect(askForNumber(held, over, ask(startMs + 15_000))).toMatchObject({
      kind: 'take',
      isOverridden: false,
      lock: { openingId: 'open_b', spaceId: 'space_b', heldSinceMs: startMs + 15_000, hasRefused: false },
    })
  })

  it('is free a minute after the grant, although the call still holds it', () => {
    expect(askForNumber(held, running, ask(startMs + foreignHeldAtMostMs - 1)).kind).toBe('refuse')
    const late = askForNumber(held, running, ask(startMs + foreignHeldAtMostMs))
    expect(late).toMatchObject({ kind: 'take', isOverridden: true })
  })

  it('counts a call that has refused others once, and is free from the eleventh of an hour on', () => {
    const calls = (of: number) => ({
      ...held,
      refusals: { space_a: { hour: startMs / 3_600_000, calls: of } },
    })
    const first = askForNumber(calls(3), running, ask(startMs + 1_000))
    const again = askForNumber(first.lock, running, ask(startMs + 2_000, 'space_c'))
    expect(again).toMatchObject({ kind: 'refuse', lock: { refusals: { space_a: { calls: 4 } } } })
    const last = askForNumber(calls(foreignRefusalsPerHour), running, ask(startMs + 1_000))
    expect(last).toMatchObject({ kind: 'take', isOverridden: true })
    const nextHour = { ...calls(foreignRefusalsPerHour), heldSinceMs: startMs + 3_600_000 }
    expect(askForNumber(nextHour, running, ask(startMs + 3_601_000)).kind).toBe('refuse')
  })
})

it('delays no Space by more than a minute, however many others take it as often as they can', () => {
  const step = fc.record({ by: fc.integer({ min: 0, max: 5 }), afterMs: fc.integer({ min: 0, max: 9_000 }) })
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 200 }), steps => {
      let lock = held
      let nowMs = startMs
      let refusedSinceMs: number | undefined
      for (const { afterMs, by } of steps) {
        nowMs += afterMs
        // The holder never ends its call by itself.
        const isVictim = by === 0
        const asked = askForNumber(lock, running, ask(nowMs, isVictim ? 'space_v' : `space_${by}`))
        lock = asked.lock
        if (!isVictim) continue
        if (asked.kind === 'refuse') refusedSinceMs ??= nowMs
        if (asked.kind === 'refuse') expect(nowMs - (refusedSinceMs ?? nowMs)).toBeLessThan(60_000)
        else refusedSinceMs = undefined
      }
    }),
  )
})
