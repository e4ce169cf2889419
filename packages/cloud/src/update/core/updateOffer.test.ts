import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type Asking,
  isReleasedTo,
  isWithin,
  leaveToAsk,
  offerFor,
  type Stage,
  shareOf,
} from './updateOffer.ts'

const stage = (version: string, more: Partial<Stage> = {}): Stage => ({
  version,
  notes: null,
  percent: 100,
  spaces: [],
  isHalted: false,
  archives: [{ architecture: 'arm64', sha256: '0'.repeat(64) }],
  ...more,
})
const here = { spaceId: 'space_a', version: '0.1.0', architecture: 'arm64', last: null }

it('distributes Spaces evenly, and only adds Spaces as the share grows', () => {
  const ids = Array.from({ length: 10_000 }, (_, at) => `space_01kdhx3m8e2w7q5v9z4r${at}`)
  for (let tenth = 0; tenth < 10; tenth++)
    expect(ids.filter(id => Math.floor(shareOf(id) / 10) === tenth).length).toBeGreaterThan(850)
  fc.assert(
    fc.property(fc.string(), fc.nat(100), fc.nat(100), (id, one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)]
      const isIn = (percent: number) => isReleasedTo(stage('0.2.0', { percent }), id)
      expect(!isIn(less) || isIn(more)).toBe(true)
      expect([isIn(0), isIn(100)]).toEqual([false, true])
    }),
  )
  expect(isReleasedTo(stage('0.2.0', { percent: 0, spaces: ['space_a'] }), 'space_a')).toBe(true)
})

it('offers the newest version that is released to the Space, newer, for the processor, not halted and not rolled back here', () => {
  const offered = (stages: readonly Stage[], more: object = {}) =>
    offerFor(stages, { ...here, ...more })?.version
  const all = [stage('0.9.0'), stage('0.10.0'), stage('0.2.0')]
  expect(offered(all)).toBe('0.10.0')
  expect(offered(all, { version: '0.10.0' })).toBeUndefined()
  expect(offered(all, { version: '0.10.0-rc.1' })).toBe('0.10.0')
  expect(offered(all, { version: '0.10.1-rc.1' })).toBeUndefined()
  expect(offered(all, { version: null })).toBeUndefined()
  expect(offered(all, { version: 'of a developer' })).toBeUndefined()
  expect(offered(all, { architecture: 'armhf' })).toBeUndefined()
  expect(offered(all, { architecture: null })).toBe('0.10.0')
  expect(offered([...all, stage('0.11.0', { isHalted: true }), stage('0.12.0', { percent: 0 })])).toBe(
    '0.10.0',
  )
  expect(offered(all, { last: { version: '0.10.0', state: 'taken_back' } })).toBe('0.9.0')
  expect(offered(all, { last: { version: '0.10.0', state: 'refused' } })).toBe('0.10.0')
})

it('handles hours that reach over midnight', () => {
  const minutes = (from: string, to: string) =>
    [0, 119, 120, 299, 300, 1_379, 1_380, 1_439].filter(minute => isWithin({ from, to }, minute))
  expect(minutes('02:00', '05:00')).toEqual([120, 299])
  expect(minutes('23:00', '02:00')).toEqual([0, 119, 1_380, 1_439])
})

const hour = 3_600_000
const nothing: Asking = { allowed: null, asked: null, isInHours: false }
const asked = { version: '0.2.0', atMs: 0, state: 'taken', hasEnded: false } as const

it.each<[string, Asking, number, 'owner' | 'hours' | undefined]>([
  ['nobody has allowed it', nothing, 0, undefined],
  ['the owner has', { ...nothing, allowed: { version: '0.2.0', atMs: 0 } }, 1, 'owner'],
  ['another version', { ...nothing, allowed: { version: '0.1.9', atMs: 0 } }, 1, undefined],
  ['more than a week ago', { ...nothing, allowed: { version: '0.2.0', atMs: 0 } }, 169 * hour, undefined],
  ['the hours are now', { ...nothing, isInHours: true }, 1, 'hours'],
  ['it is at it', { ...nothing, isInHours: true, asked }, hour, undefined],
  ['it was asked long ago', { ...nothing, isInHours: true, asked }, 3 * hour, 'hours'],
  ['it was offline', { ...nothing, isInHours: true, asked: { ...asked, state: 'not_taken' } }, hour, 'hours'],
  [
    'tried this night',
    { ...nothing, isInHours: true, asked: { ...asked, hasEnded: true } },
    3 * hour,
    undefined,
  ],
  [
    'tried last night',
    { ...nothing, isInHours: true, asked: { ...asked, hasEnded: true } },
    24 * hour,
    'hours',
  ],
  [
    'tried, and allowed again',
    { allowed: { version: '0.2.0', atMs: 0 }, asked: { ...asked, hasEnded: true }, isInHours: false },
    hour,
    'owner',
  ],
  [
    'the clock was set back',
    { ...nothing, isInHours: true, asked: { ...asked, atMs: 9 * hour } },
    hour,
    'hours',
  ],
])('decides by whose permission to ask: %s', (_, asking, nowMs, by) => {
  expect(leaveToAsk(asking, '0.2.0', nowMs)).toBe(by)
})
