// Whether a member may open a gate at an instant: the decision that a press gets, without a press.

import Type, { type Static } from 'typebox'
import { Reason } from '../call/reason.ts'
import { AccessId, GateId, MemberId } from '../ids.ts'
import { closed, instant, nullable } from '../text.ts'
import { exampleIds } from './exampleIds.ts'
import { operation } from './operation.ts'
import { routes } from './routes.ts'

/** How far `at` may lie from now, in years. */
export const decidedYears = 10

export const Decision = closed({
  allowed: Type.Boolean(),
  reason: nullable({
    ...Reason,
    description:
      'Why not, as an opening that is denied has it; null: it is allowed. `access_revoked` also where the member never had an access to the gate',
  }),
  accessId: nullable({ ...AccessId, description: 'The access to the gate; null: the member has none' }),
  scheduleIndex: nullable(
    Type.Integer({ minimum: 0, description: 'The first of its schedules that allows the instant' }),
  ),
  untilAt: nullable(
    instant('While the schedules allow it: until when at least, without a gap; null: without an end'),
  ),
  nextAt: nullable(
    instant(
      'When it is allowed next, if nothing is changed; null: it is allowed, or something must be changed',
    ),
  ),
  endsAt: nullable(instant('When the schedules end for good; null: never')),
  usesLeft: nullable(Type.Integer({ minimum: 0, description: 'Null: no limit' })),
  decidedAt: instant('The instant of the decision'),
})
export type Decision = Static<typeof Decision>

const { accessId, gateId, memberId } = exampleIds

export const decisionOperations = {
  decideMember: operation(
    {
      ...routes.decideMember,
      scope: 'members:read',
      rateClass: 'read',
      summary: 'Tell whether a member may open a gate',
      tag: 'Members',
      text: 'Now, or at another time. Judged by the code that judges a press, with the reasons of an opening that is denied. It tells what the member may do, not whether a call can be placed: it asks no gateway, calls nothing, and uses nothing up.',
      params: closed({ memberId: MemberId }),
      query: closed({
        gateId: GateId,
        at: Type.Optional(
          instant(
            `The instant, with Z or an offset, up to ${decidedYears} years from now; in an address + is written %2B. Absent: now`,
          ),
        ),
      }),
      answers: { 200: Decision },
      isLive: true,
      problems: ['not_found'],
      extension: true,
    },
    {
      params: { memberId },
      query: { gateId, at: '2026-01-05T19:30:00+02:00' },
      answers: {
        200: {
          allowed: false,
          reason: 'outside_schedule',
          accessId,
          scheduleIndex: null,
          untilAt: null,
          nextAt: '2026-01-06T06:00:00.000Z',
          endsAt: null,
          usesLeft: 99,
          decidedAt: '2026-01-05T17:30:00.000Z',
        },
      },
    },
  ),
}
