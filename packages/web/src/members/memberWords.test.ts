import type { MemberView } from '@callgate/contract/app/appMember'
import type { AccessStatus } from '@callgate/contract/rest/standing'
import { describe, expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { ro } from '../words/ro.ts'
import {
  badgeOf,
  gateBefore,
  sayMoment,
  sayRefusal,
  sayUsed,
  sayWhen,
  scarcest,
  shownAccess,
} from './memberWords.ts'
import { shortLink } from './shortLink.ts'

// Friday, 14:32 in Bucharest.
const nowMs = Date.parse('2026-03-20T12:32:00Z')
const reader = { words: en, times: { locale: 'en-GB', zone: 'Europe/Bucharest' }, nowMs }

const now = {
  standing: 'allowed_now' as AccessStatus | null,
  untilAt: null as string | null,
  nextAt: null as string | null,
  endsAt: null as string | null,
  lastUsedAt: null,
  link: null,
  newPhoneAt: null,
  mail: null,
}
type Access = MemberView['accesses'][number]
const access = (change: Partial<Access> = {}): Access => ({
  id: 'acc_1',
  gateId: 'gate_1',
  schedules: [
    { type: 'weekdays', timeWindows: [{ from: '07:00', to: '19:00' }], timezone: 'Europe/Bucharest' },
    { type: 'always', timezone: 'Europe/Bucharest' },
  ],
  maxUsage: null,
  usageCount: 0,
  isActive: true,
  lastUsedAt: null,
  now: { standing: 'allowed_now', untilAt: null, nextAt: null, endsAt: null, usesLeft: null },
  ...change,
})
const member = (change: Partial<typeof now> = {}, accesses = [access()], isActive = true): MemberView => ({
  id: 'member_1',
  name: 'Ana Pop',
  email: null,
  phone: null,
  note: null,
  isActive,
  preferredLanguage: 'en',
  createdAt: '2026-01-05T08:12:00.000Z',
  accesses,
  now: { ...now, ...change },
})

it.each([
  ['2026-03-20T17:00:00Z', '19:00'],
  ['2026-03-21T03:30:00Z', 'tomorrow 05:30'],
  ['2026-03-19T03:30:00Z', 'yesterday 05:30'],
  ['2026-03-23T05:00:00Z', 'Monday 07:00'],
  ['2026-03-27T05:00:00Z', '27 March 07:00'],
  ['2027-03-29T04:00:00Z', '29 March 2027 07:00'],
])('shows the moment %s as %s', (at, said) => {
  expect(sayMoment(at, reader)).toBe(said)
})

it.each([
  [null, 'never'],
  ['2026-03-20T12:31:50Z', '1\u00a0min ago'],
  ['2026-03-20T12:28:00Z', '4\u00a0min ago'],
  ['2026-03-20T10:10:00Z', 'today 12:10'],
  ['2026-03-19T20:00:00Z', 'yesterday'],
  ['2026-02-27T20:00:00Z', '27 February'],
])('shows that a gate was used at %s: %s', (at, said) => {
  expect(sayUsed(at, reader)).toBe(said)
})

describe('the badge', () => {
  it.each<[Partial<typeof now>, string]>([
    [{}, 'Allowed now'],
    [{ standing: 'outside_hours' }, 'Outside hours'],
    [{ standing: 'not_yet', nextAt: '2026-03-23T05:00:00Z' }, 'From 23 March'],
    [{ standing: 'used_up' }, 'Used up'],
    [{ standing: 'switched_off' }, 'Switched off'],
    [{ standing: 'gate_off' }, 'Gate switched off'],
    [{ standing: 'ended', endsAt: '2026-03-01T05:00:00Z' }, 'Ended 1 March'],
    [{ standing: 'ended', endsAt: '2026-03-21T05:00:00Z' }, 'Ended'],
    [{ standing: 'ended' }, 'Ended'],
    [{ standing: null }, 'No gate'],
  ])('for %o is %s', (change, word) => {
    const badge = badgeOf(member(change), reader)
    expect(badge.word).toBe(word)
    // Green is only for an access that opens now.
    expect(badge.tone).toBe(word === 'Allowed now' ? 'open' : 'quiet')
  })

  it('for a deactivated member names that state, in each language', () => {
    expect(badgeOf(member({}, [], false), reader).word).toBe('Deactivated')
    expect(badgeOf(member({}, [], false), { ...reader, words: ro }).word).toBe('Dezactivat')
  })
})

it('gives the time in a few words, for the access that the badge describes', () => {
  const off = access({ id: 'acc_0', now: { ...access().now, standing: 'switched_off' } })
  const both = member({ untilAt: '2026-03-20T17:00:00Z' }, [off, access()])
  expect(shownAccess(both)?.id).toBe('acc_1')
  expect(sayWhen(both, reader)).toEqual({ hours: 'Mon–Fri 07:00–19:00', more: 1, below: 'until 19:00' })
  const later = member({ standing: 'outside_hours', nextAt: '2026-03-21T03:30:00Z' })
  expect(sayWhen(later, reader)?.below).toBe('next: tomorrow 05:30')
  expect(sayWhen(member({ standing: null }, []), reader)).toBeUndefined()
})

it('shows the uses of the access that has the fewest left', () => {
  const capped = (of: number, left: number) =>
    access({ maxUsage: of, now: { ...access().now, usesLeft: left } })
  expect(scarcest(member({}, [capped(10, 7), access(), capped(5, 1)]))).toEqual({ left: 1, of: 5 })
  expect(scarcest(member())).toBeUndefined()
})

it('names gates and fields in a refusal', () => {
  expect(
    sayRefusal(
      'name must not hold ://; accesses[1].schedules[0].expiresAt must be after startsAt; other thing',
      ['Courtyard gate', 'Yard barrier'],
      en,
    ),
  ).toBe('Name: must not hold ://; Yard barrier: expiresAt must be after startsAt; other thing')
})

it('names the gate before the text about its access', () => {
  const names = ['Courtyard gate', 'Yard barrier']
  expect(gateBefore('accesses[1].maxUsage', names, en)).toBe('Yard barrier: ')
  expect(gateBefore('accesses[7].maxUsage', names, ro)).toBe('O poartă care nu mai există: ')
  expect(gateBefore('name', names, en)).toBe('')
})

it('shows too little of a link to use it', () => {
  expect(shortLink('https://gates.example.com/g/k7Qd5Wc0dLQJc1ilqBkqX3F')).toBe('…/g/k7Qd••••••••')
})

it('groups large numbers by the rules of the language', () => {
  expect(en.members.page(1_001, 1_025, 12_840)).toBe('1,001–1,025 of 12,840')
  expect(ro.members.left(1_500, 2_000)).toBe('1.500 din 2.000')
})
