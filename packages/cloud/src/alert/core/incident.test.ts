import { incidentKinds } from '@callgate/contract/app/incidentKinds'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type IncidentStep, incidentStep, type TargetHealth, type Watched } from './incident.ts'

const minuteMs = 60_000

/** The row after a step. */
function after(watched: Watched | undefined, step: IncidentStep, nowMs: number): Watched | undefined {
  if (step.does === 'watch') return { seenMs: step.seenMs, openedMs: undefined, betterMs: undefined }
  if (step.does === 'open') return { seenMs: step.seenMs, openedMs: nowMs, betterMs: undefined }
  if (step.does === 'better' && watched) return { ...watched, betterMs: step.betterMs }
  return step.does === 'forget' || step.does === 'close' ? undefined : watched
}

/** The steps of a row of checks, one a minute. */
function run(
  kind: (typeof incidentKinds)[number],
  seen: readonly TargetHealth[],
): readonly IncidentStep['does'][] {
  let watched: Watched | undefined
  return seen.map((one, minute) => {
    const step = incidentStep(kind, watched, { seen: one }, minute * minuteMs)
    watched = after(watched, step, minute * minuteMs)
    return step.does
  })
}

const times = (count: number, seen: TargetHealth) => new Array<TargetHealth>(count).fill(seen)

it('opens a low signal after ten minutes, and closes it after ten good ones', () => {
  const does = run('signal_low', [...times(11, 'bad'), 'between', ...times(11, 'well'), 'well'])
  expect(does[0]).toBe('watch')
  expect(does.slice(1, 10)).toEqual(times(9, 'bad').map(() => 'nothing'))
  expect(does[10]).toBe('open')
  expect(does.slice(11, 13)).toEqual(['nothing', 'better'])
  expect(does[22]).toBe('close')
  expect(does[23]).toBe('nothing')
})

it('opens nothing for a signal that fluctuates around the limit, and keeps an open incident that fluctuates', () => {
  const swing: TargetHealth[] = [
    ...times(9, 'bad'),
    'well',
    ...times(9, 'bad'),
    'unknown',
    ...times(9, 'bad'),
  ]
  expect(run('signal_low', swing)).not.toContain('open')
  const open: TargetHealth[] = [
    ...times(11, 'bad'),
    ...times(9, 'well'),
    'between',
    ...times(9, 'well'),
    'unknown',
  ]
  expect(run('signal_low', open)).not.toContain('close')
})

it('opens a silence, a gate without a reaction and a failing mail at the first check', () => {
  for (const kind of ['gateway_offline', 'gate_not_reacting', 'mail_failing'] as const)
    expect(run(kind, ['bad', 'bad', 'between', 'well', 'well'])).toEqual([
      ...['open', 'nothing', 'nothing', 'close', 'nothing'],
    ])
})

it('closes without a notification what is gone, and restarts a watch after the clock was set back', () => {
  expect(
    incidentStep('signal_low', { seenMs: 0, openedMs: 1, betterMs: undefined }, { seen: 'gone' }, 2),
  ).toEqual({
    does: 'close',
    isGone: true,
  })
  const ahead = { seenMs: 9 * minuteMs, openedMs: undefined, betterMs: undefined }
  expect(incidentStep('signal_low', ahead, { seen: 'bad' }, minuteMs)).toEqual({
    does: 'watch',
    seenMs: minuteMs,
  })
})

it('opens and closes in turn, whatever the checks find, and settles where nothing changes any more', () => {
  const seen = fc.constantFrom<TargetHealth>('bad', 'between', 'unknown', 'well', 'gone')
  const checks = fc.array(fc.tuple(seen, fc.integer({ min: -2, max: 20 })), { maxLength: 80 })
  fc.assert(
    fc.property(fc.constantFrom(...incidentKinds), checks, seen, (kind, steps, last) => {
      let watched: Watched | undefined
      let nowMs = 1_000 * minuteMs
      let isOpen = false
      const check = (one: TargetHealth) => {
        const step = incidentStep(kind, watched, { seen: one }, nowMs)
        if (step.does === 'open') expect(isOpen).toBe(false)
        if (step.does === 'close') expect(isOpen).toBe(true)
        if (step.does === 'open' || step.does === 'close') isOpen = step.does === 'open'
        watched = after(watched, step, nowMs)
        return step.does
      }
      for (const [one, minutes] of steps) {
        nowMs += minutes * minuteMs
        check(one)
      }
      for (let minute = 0; minute < 25; minute++) {
        check(last)
        nowMs += minuteMs
      }
      expect(check(last)).toBe('nothing')
      if (last === 'bad') expect(isOpen).toBe(true)
      if (last === 'well' || last === 'gone') expect(isOpen).toBe(false)
    }),
  )
})
