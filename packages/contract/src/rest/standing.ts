// How members and their accesses stand: what each may open now, until when, and when next.

import Type, { type Static } from 'typebox'
import { closed, instant, nullable, words } from '../text.ts'

/** From the most to the least permissive. The status of a member is the first of these that one of the accesses has. */
export const standings = [
  'allowed_now',
  'outside_hours',
  'not_yet',
  'used_up',
  'switched_off',
  'gate_off',
  'ended',
] as const
const AccessStatus = words(standings, {
  description:
    '`switched_off`: the access is; `gate_off`: its gate is; `ended`: no schedule allows anything any more',
})
export type AccessStatus = Static<typeof AccessStatus>

const times = {
  untilAt: nullable(instant('While it is allowed: until when at least; null: without an end')),
  nextAt: nullable(instant('While it is not: from when it will be; null: never')),
  endsAt: nullable(instant('When it ends for good; null: never')),
}

/** The present status of an access. It changes by itself, so an edit never fails because of it. */
export const AccessNow = closed({
  standing: AccessStatus,
  ...times,
  usesLeft: nullable(Type.Integer({ minimum: 0, description: 'Null: no limit' })),
})
export type AccessNow = Static<typeof AccessNow>

/** The present status of a member. */
export const MemberStanding = closed({
  standing: nullable({ ...AccessStatus, description: 'Of its accesses the best; null: it has none' }),
  ...times,
  lastUsedAt: nullable(instant('Time of the last completed opening, of any gate')),
})
export type MemberStanding = Static<typeof MemberStanding>

/** Which members a list shows. */
export const memberStates = ['active', 'current', 'allowed_now', 'ending_soon', 'ended', 'inactive'] as const
export type MemberState = (typeof memberStates)[number]
