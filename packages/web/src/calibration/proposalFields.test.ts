import type { CalibrationCall } from '@callgate/contract/app/calibration'
import { CallProfile, callProfile, type CallProfile as Profile } from '@callgate/contract/call/callProfile'
import { checker } from '@callgate/contract/validate'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  changesOf,
  contradictions,
  coolDownOf,
  outOfLimits,
  proposedModes,
  type TimeName,
  timesOf,
  typedProfile,
  valuesOfProposal,
} from './proposalFields.ts'

const profile: Profile = callProfile({ mode: 'reject', learned: true, reactMinMs: 1_000, reactMaxMs: 7_500 })
const values = valuesOfProposal(profile, 'en-GB')
const typed = (times: Partial<Record<TimeName, string>>, mode: string = profile.mode) => ({
  mode,
  times: { ...values.times, ...times },
})
const call = (ringMs: number | null, more: Partial<CalibrationCall> = {}): CalibrationCall => ({
  openingId: 'open_1',
  isHidden: false,
  end: 'rejected',
  setupMs: 5_000,
  ringMs,
  talkMs: null,
  hasMoved: true,
  afterS: null,
  ...more,
})
const calls = [call(2_000), call(5_000)]

it('sends no unchanged values, and only those of the mode', () => {
  expect(changesOf(profile, values)).toEqual({})
  expect(changesOf(profile, typed({ reactMaxMs: '9,5', holdMs: '4' }))).toEqual({ reactMaxMs: 9_500 })
  expect(changesOf(profile, typed({ holdMs: '4' }, 'answer_hold'))).toEqual({
    mode: 'answer_hold',
    holdMs: 4_000,
  })
})

it('draws what is typed, as far as it can be drawn', () => {
  expect(typedProfile(profile, typed({ reactMinMs: '2,2' }))).toEqual({ ...profile, reactMinMs: 2_200 })
  expect(typedProfile(profile, typed({ reactMinMs: 'soon' }))).toEqual(profile)
  // The window does not end before it begins.
  expect(typedProfile(profile, typed({ reactMinMs: '9' }))).toEqual(profile)
  expect(typedProfile(profile, typed({ holdMs: '4' }, 'answer_hold'))).toMatchObject({
    mode: 'answer_hold',
    holdMs: 4_000,
  })
})

it.each([
  ['what was set, where it is longer', 20_000, [call(2_000, { afterS: 7 })], 20],
  ['the usual time, where nobody counted', 0, [call(2_000)], 5],
  ['the usual time, begun as late as somebody saw', 0, [call(2_000, { afterS: 9 }), call(2_000)], 7],
  ['at most what the API takes', 0, [call(2_000, { afterS: 120 })], 60],
  ['nothing of a call that did not move the gate', 0, [call(2_000, { afterS: 50, hasMoved: false })], 5],
] as const)('proposes for another press %s', (_, coolDownMs, seen, seconds) => {
  expect(coolDownOf({ ...profile, coolDownMs }, seen)).toBe(seconds)
})

it('accepts seconds within the limits of the API, and nothing else', () => {
  const check = checker(CallProfile, 'the profile')
  for (const mode of proposedModes)
    for (const name of timesOf(mode)) {
      const { least, most } = outOfLimits(name, 'soon') ?? { least: 0, most: 0 }
      expect(outOfLimits(name, String(most))).toBeUndefined()
      for (const ms of [least * 1_000, most * 1_000])
        expect(check({ ...profile, [name]: ms }).ok, `${name} ${ms}`).toBe(true)
      expect(check({ ...profile, [name]: most * 1_000 + 1 }).ok).toBe(false)
      for (const text of ['', '-1', '1e1', String(most + 1), '3.', '100'])
        expect(outOfLimits(name, text), text).toBeDefined()
    }
})

it('sends no time that the API would refuse', () => {
  const check = checker(CallProfile, 'the profile')
  fc.assert(
    fc.property(fc.constantFrom(...proposedModes), fc.array(fc.string(), { maxLength: 3 }), (mode, texts) => {
      const names = timesOf(mode)
      const given = typed(Object.fromEntries(names.map((name, place) => [name, texts[place] ?? '3'])), mode)
      if (names.some(name => outOfLimits(name, given.times[name]))) return
      expect(check({ ...profile, ...changesOf(profile, given) }).ok).toBe(true)
    }),
  )
})

it.each([
  [values, []],
  [typed({ reactMaxMs: '4.9' }), ['calls']],
  [typed({ reactMinMs: '2.1' }), ['calls']],
  [typed({ reactMinMs: '8' }), ['order']],
  [typed({ ringHangupMs: '9' }, 'ring'), ['mode']],
] as const)('names the contradiction to the test calls: %#', (given, says) => {
  expect(contradictions(profile, given, calls)).toEqual(says)
})

it('reports that the gate would be rung for a shorter time than it took to move', () => {
  const rang = [call(20_000, { end: 'rang', afterS: 13 }), call(20_000, { end: 'rang', afterS: 10 })]
  const ring = callProfile({ mode: 'ring', learned: true, ringHangupMs: 12_000 })
  const proposed = valuesOfProposal(ring, 'en-GB')
  const rungFor = (ringHangupMs: string) => ({ ...proposed, times: { ...proposed.times, ringHangupMs } })
  expect(contradictions(ring, proposed, rang)).toEqual([])
  expect(contradictions(ring, rungFor('8'), rang)).toEqual([])
  expect(contradictions(ring, rungFor('1'), rang)).toEqual(['calls'])
})

it('uses only calls that moved the gate and reported how long they rang', () => {
  const others = [call(30_000, { hasMoved: false }), call(30_000, { isHidden: true }), call(null)]
  expect(contradictions(profile, values, others)).toEqual([])
})
