// Openings: one attempt to open one gate.

import Type, { type Static } from 'typebox'
import { CallMode } from '../call/callProfile.ts'
import { Reason } from '../call/reason.ts'
import { Confidence, Evidence, Opened, SafeToRetry, Verdict } from '../call/verdict.ts'
import { GateId, GatewayId, OpeningId } from '../ids.ts'
import { closed, instant, nullable, words } from '../text.ts'

export const openingStatuses = ['initiated', 'connected', 'completed', 'failed', 'timeout'] as const
export const OpeningStatus = words(openingStatuses)
export type OpeningStatus = Static<typeof OpeningStatus>

export const Opening = closed({
  id: OpeningId,
  gateId: GateId,
  gateName: Type.String({ description: 'As it was at the attempt' }),
  status: OpeningStatus,
  duration: nullable(
    Type.Integer({
      minimum: 0,
      description: 'Whole seconds from calledAt to completedAt; null until the end',
    }),
  ),
  calledAt: instant('When the attempt was accepted'),
  completedAt: nullable(instant('When it ended; null before')),
  errorMessage: nullable(Type.String({ description: 'Readable reason for failed and timeout' })),
  openedBy: closed(
    {
      type: words(['guest', 'owner'], { description: '`guest`: by a magic link; `owner`: by an API key' }),
      name: Type.String({ description: "The member's name, or `api:<key name>`" }),
      email: nullable(Type.String({ description: "The member's; null for keys" })),
    },
    { description: 'Who pressed' },
  ),
})
export type Opening = Static<typeof Opening>

/** What proves an opening: ours beside the specification, only in `GET /openings/:openingId`. */
export const OpeningEvidence = closed({
  reason: nullable(Reason),
  opened: nullable(Opened),
  confidence: nullable(Confidence),
  safeToRetry: nullable(SafeToRetry),
  joinedOpeningId: nullable(OpeningId),
  gatewayId: nullable(GatewayId),
  callMode: nullable(CallMode),
  grantedAt: nullable(instant('When the gateway was allowed to dial')),
  verdict: nullable(Verdict),
  call: nullable(Evidence),
})
export type OpeningEvidence = Static<typeof OpeningEvidence>

export const OpenAnswer = closed({
  opened: Type.Boolean({
    description: 'True: the opening is completed. False: the call is still running; follow the opening',
  }),
  openingId: OpeningId,
})
