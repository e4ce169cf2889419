// Openings: each is one attempt to open one gate. Their fields and operations.

import Type, { type Static } from 'typebox'
import { CallMode } from '../call/callProfile.ts'
import { Reason } from '../call/reason.ts'
import { Confidence, Evidence, exampleVerdict, Opened, SafeToRetry, Verdict } from '../call/verdict.ts'
import { GateId, GatewayId, OpeningId } from '../ids.ts'
import { closed, instant, nullable, words } from '../text.ts'
import { exampleIds } from './exampleIds.ts'
import { OpeningEvent } from './openingEvent.ts'
import { operation } from './operation.ts'
import { historyQuery, historyText, Pagination } from './paging.ts'
import { Joined } from './problem.ts'
import { routes } from './routes.ts'

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
  calledAt: instant('When the press came in'),
  completedAt: nullable(instant('When it ended; null before')),
  errorMessage: nullable(Type.String({ description: 'Readable reason for failed and timeout' })),
  openedBy: closed(
    {
      type: words(['guest', 'owner'], { description: '`guest`: by a magic link; `owner`: by an API key' }),
      name: Type.String({
        description:
          "The member's name, or `api:<key name>`; `deleted_member` once the member was erased, `not_kept` once the time is over for which the Space keeps names",
      }),
      email: nullable(Type.String({ description: "The member's; null for keys" })),
    },
    { description: 'Who pressed' },
  ),
})
export type Opening = Static<typeof Opening>

/** An opening in the list, with what the query asks to include. */
export const ListedOpening = closed({
  ...Opening.properties,
  reason: Type.Optional(nullable(Reason)),
})
export type ListedOpening = Static<typeof ListedOpening>

/** Our addition: what a press waits for while every gateway that may call its gate calls another one. */
export const Queue = closed(
  {
    ahead: Type.Integer({
      minimum: 1,
      description: 'How many calls come before its own on the gateway that is free first; 1: its own is next',
    }),
    aboutS: Type.Integer({
      minimum: 1,
      description: 'In about how many seconds its call begins, by how long these gates usually take',
    }),
    inTime: Type.Boolean({
      description:
        'False: that is probably more than 12 s after the press. Then the gate is not called, and pressing again is safe',
    }),
  },
  { description: 'Only there while it waits for the calls of other gates' },
)
export type Queue = Static<typeof Queue>

/** What proves an opening: our addition to the specification, only in `GET /openings/:openingId`. */
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
  queue: Type.Optional(Queue),
})
export type OpeningEvidence = Static<typeof OpeningEvidence>

export const OpenAnswer = closed({
  opened: Type.Boolean({
    description: 'True: the opening is completed. False: the call is still running; follow the opening',
  }),
  openingId: OpeningId,
  joined: Joined,
  queue: Type.Optional(Queue),
})

export const exampleOpening: Opening = {
  id: exampleIds.openingId,
  gateId: exampleIds.gateId,
  gateName: 'Courtyard gate',
  status: 'completed',
  duration: 8,
  calledAt: '2026-03-27T16:04:02.911Z',
  completedAt: '2026-03-27T16:04:11.207Z',
  errorMessage: null,
  openedBy: { type: 'guest', name: 'Ana Pop', email: 'ana@example.com' },
}

export const exampleEvidence: OpeningEvidence = {
  reason: 'rejected_after_ring',
  opened: 'likely',
  confidence: 'likely',
  safeToRetry: false,
  joinedOpeningId: null,
  gatewayId: exampleIds.gatewayId,
  callMode: 'reject',
  grantedAt: '2026-03-27T16:04:03.154Z',
  verdict: exampleVerdict,
  call: {
    modem: 'SIM800L R14.18',
    operator: 'Orange RO',
    signalDbm: -71,
    events: [
      { atMs: 0, event: 'ATD' },
      { atMs: 4_310, event: '+CLCC alerting' },
      { atMs: 7_730, event: 'BUSY' },
    ],
  },
}

const { openingId } = exampleIds

const openingsQuery = historyQuery({
  status: Type.Optional(words(openingStatuses, { description: 'Only openings of this status' })),
  include: Type.Optional(words(['reason'], { description: 'Adds `reason` to each opening' })),
})

/** How openings are read. A press is an operation of the gate. */
export const openingOperations = {
  listOpenings: operation(
    {
      ...routes.listOpenings,
      judgesGates: true,
      scope: 'history:read',
      rateClass: 'read',
      summary: 'List the openings',
      tag: 'Openings',
      text: `Every attempt, newest first, whoever made it: dashboard, magic link or API. ${historyText} With \`include=reason\` each opening has its \`reason\` as well, null until the end.`,
      query: openingsQuery,
      answers: {
        200: closed({ openings: Type.Array(ListedOpening), pagination: Pagination }),
      },
      problems: [],
    },
    {
      params: {},
      query: { limit: 50, offset: 0 },
      answers: { 200: { openings: [exampleOpening], pagination: { limit: 50, offset: 0 } } },
    },
  ),
  getOpening: operation(
    {
      ...routes.getOpening,
      judgesGates: true,
      scope: 'history:read',
      rateClass: 'read',
      summary: 'Read an opening',
      tag: 'Openings',
      text: 'With the evidence: what the gateway saw of the call, and what follows from it.',
      params: closed({ openingId: OpeningId }),
      answers: { 200: closed({ opening: Opening, evidence: OpeningEvidence }) },
      problems: ['not_found'],
      extension: true,
    },
    {
      params: { openingId },
      answers: { 200: { opening: exampleOpening, evidence: exampleEvidence } },
    },
  ),
  followOpening: operation(
    {
      ...routes.followOpening,
      judgesGates: true,
      scope: 'history:read',
      rateClass: 'read',
      summary: 'Follow an opening',
      tag: 'Openings',
      text: 'Step by step, by server-sent events, until the opening has ended.\n\nThe event `step` tells one step; its id is a number. A client that comes back with that number as `Last-Event-ID` gets what it has missed, for 7 days. After that it gets the event `reset` with the newest step.\n\nA stream counts as one request. 204: the opening has ended, and the client has had its end.',
      params: closed({ openingId: OpeningId }),
      answers: { 200: OpeningEvent, 204: null },
      isStream: true,
      problems: ['not_found'],
      extension: true,
    },
    {
      params: { openingId },
      answers: { 200: { openingId, step: 'ringing', at: '2026-03-27T16:04:07.465Z' }, 204: null },
    },
  ),
}
