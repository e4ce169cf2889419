import { expect, it } from 'vitest'
import { isMuted, muteAfter } from './mute.ts'

const minuteMs = 60_000
const startMs = Date.parse('2026-03-01T08:00:00Z')
const at = (minute: number) => startMs + minute * minuteMs
const asked = (minute: number, minutes: number) => ({
  forMs: minutes * minuteMs,
  nowMs: at(minute),
  why: 'update',
})
const span = (from: number, to: number) => ({
  startedAt: new Date(at(from)).toISOString(),
  endsAt: new Date(at(to)).toISOString(),
  why: 'update',
})

it('holds until its end, and not by a clock that was set back to before it', () => {
  const mute = span(0, 30)
  expect([-10, -1, 0, 29.9, 30, 31].map(minute => isMuted(mute, at(minute)))).toEqual([
    ...[false, true, true, true],
    ...[false, false],
  ])
})

it('lasts for an hour at most', () => {
  expect(muteAfter(undefined, asked(0, 60))).toEqual({ ok: true, mute: span(0, 60) })
  expect(muteAfter(undefined, asked(0, 61))).toMatchObject({ ok: false, leftMs: 60 * minuteMs })
})

it('counts with the one that it continues', () => {
  const last = span(0, 30)
  expect(muteAfter(last, asked(20, 40))).toEqual({ ok: true, mute: span(0, 60) })
  expect(muteAfter(last, asked(20, 5))).toEqual({ ok: true, mute: span(0, 25) })
  expect(muteAfter(last, asked(20, 41))).toEqual({ ok: false, leftMs: 40 * minuteMs, againMs: at(35) })
  expect(muteAfter(last, asked(34, 30))).toMatchObject({ ok: false, leftMs: 26 * minuteMs })
})

it('may begin anew once what is still wrong could be told', () => {
  expect(muteAfter(span(0, 60), asked(62, 1))).toEqual({ ok: false, leftMs: 0, againMs: at(65) })
  expect(muteAfter(span(0, 60), asked(65, 60))).toEqual({ ok: true, mute: span(65, 125) })
})

it('does not continue one from before the clock was set back', () => {
  expect(muteAfter(span(0, 60), asked(-120, 60))).toEqual({ ok: true, mute: span(-120, -60) })
})
