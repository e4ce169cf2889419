// Gates: what opens when its number is called. Their fields and operations.

import Type, { type Static } from 'typebox'
import { Calibration, CallProfile, CallProfileUpdate, exampleProfile } from '../call/callProfile.ts'
import { GateId } from '../ids.ts'
import { limits } from '../limits.ts'
import {
  atMost,
  characters,
  closed,
  growingWords,
  instant,
  line,
  mailedName,
  nullable,
  paragraph,
  words,
} from '../text.ts'
import { isSet, type RecordedFields, text, textOrNull } from './activityDetails.ts'
import { exampleIds } from './exampleIds.ts'
import { externalGiven, externalShown, externalText } from './external.ts'
import { gateHealths } from './gateHealth.ts'
import { OpenAnswer } from './opening.ts'
import { operation } from './operation.ts'
import { CursorPage, ListQuery, listText } from './paging.ts'
import { patchText } from './patch.ts'
import { routes } from './routes.ts'

const { gate: limit } = limits
const name = line(limit.name, atMost(limit.name))
const givenName = mailedName(limit.name, `${atMost(limit.name)}, without :// and www., since mails print it`)
const location = line(limit.location, atMost(limit.location))
const description = nullable(paragraph(limit.description, atMost(limit.description)))
const phoneNumber = Type.String({
  ...characters(limit.phoneNumber),
  description:
    "The number of the gate's GSM module: +…, 00… or national (in the Space's country); 8 to 15 digits; answered as E.164",
  examples: ['+40722123456'],
})

export const Gate = closed({
  id: GateId,
  name,
  phoneNumber: Type.String({
    pattern: '^\\+[1-9][0-9]{7,14}$',
    description: 'E.164',
  }),
  location,
  description,
  isActive: Type.Boolean({ description: 'An inactive gate is never called' }),
  openCount: Type.Integer({
    minimum: 0,
    description: 'Number of completed openings',
  }),
  lastOpenedAt: nullable(instant('Time of the last completed opening; null before the first')),
  createdAt: instant('When the gate was created'),
  ...externalShown,
})
export type Gate = Static<typeof Gate>

/** A gate as a reader gets it, with `include=health` also what is known of it without a call. */
export const ShownGate = closed({
  ...Gate.properties,
  health: Type.Optional(
    growingWords(gateHealths, {
      description:
        '`offline`: no gateway that may call it is online with a working modem; `not_reacting`: its last calls, two or more, rang in vain; `unverified`: it is not calibrated; `ready`: nothing speaks against it. Whether it is active is `isActive`',
    }),
  ),
})

export type ShownGate = Static<typeof ShownGate>

const health = {
  include: Type.Optional(words(['health'], { description: 'What is known of it without a call' })),
}
const healthText =
  'With `include=health` you learn of an outage without a press; the answer then has no ETag, since it changes by itself.'

export const GateCreate = closed({
  name: givenName,
  phoneNumber,
  location: Type.Optional(nullable(location)),
  description: Type.Optional(description),
  ...externalGiven,
})
export type GateCreate = Static<typeof GateCreate>

export const GateUpdate = closed({
  name: Type.Optional(givenName),
  phoneNumber: Type.Optional(phoneNumber),
  location: Type.Optional(location),
  description: Type.Optional(description),
  isActive: Type.Optional(
    Type.Boolean({ description: "True brings an inactive gate back, within the plan's limit" }),
  ),
  ...externalGiven,
})
export type GateUpdate = Static<typeof GateUpdate>

/** What the activity records of each field that a change can have. */
export const recordedOfGate = {
  name: text,
  phoneNumber: text,
  location: text,
  description: textOrNull,
  externalId: textOrNull,
  metadata: isSet,
} satisfies RecordedFields<Gate & GateUpdate, 'id' | 'isActive' | 'openCount' | 'lastOpenedAt' | 'createdAt'>

export const exampleGate: Gate = {
  id: exampleIds.gateId,
  name: 'Courtyard gate',
  phoneNumber: '+40722123456',
  location: 'Strada Lungă 12, Brașov',
  description: null,
  isActive: true,
  openCount: 42,
  lastOpenedAt: '2026-03-27T16:04:11.207Z',
  createdAt: '2026-01-05T08:00:00.000Z',
}

const { gateId, openingId } = exampleIds
const ProfileAnswer = closed({ profile: CallProfile, calibration: Calibration })
const params = closed({ gateId: GateId })

/** What is done with gates, and the press itself. */
export const gateOperations = {
  listGates: operation(
    {
      ...routes.listGates,
      judgesGates: true,
      scope: 'gates:read',
      rateClass: 'read',
      summary: 'List the gates',
      tag: 'Gates',
      text: `Oldest first. Inactive gates are in the list.\n\n${listText} ${healthText}`,
      query: closed({ ...ListQuery.properties, ...health }),
      answers: { 200: closed({ gates: Type.Array(ShownGate), pagination: Type.Optional(CursorPage) }) },
      problems: [],
    },
    {
      params: {},
      query: { isActive: true, include: 'health' },
      answers: { 200: { gates: [{ ...exampleGate, health: 'ready' }] } },
    },
  ),
  createGate: operation(
    {
      ...routes.createGate,
      scope: 'gates:write',
      rateClass: 'write',
      summary: 'Create a gate',
      tag: 'Gates',
      text: `The gate's GSM module must be set up to take calls from the caller numbers of the Space's gateways. Only active gates count towards the plan's limit. A new gate [is not calibrated](/docs/opening#a-gate-that-is-not-calibrated): where its module answers the call that opens it, say so with \`PATCH /api/v1/gates/{gateId}/profile\`.\n\n${externalText}`,
      body: GateCreate,
      answers: { 201: closed({ gate: Gate }) },
      problems: ['conflict', 'plan_limit_reached'],
    },
    {
      params: {},
      body: {
        name: 'Courtyard gate',
        phoneNumber: '0722 123 456',
        location: 'Strada Lungă 12, Brașov',
        externalId: 'site-7/gate-1',
        metadata: { contract: 'K-2026-114' },
      },
      answers: {
        201: {
          gate: {
            ...exampleGate,
            openCount: 0,
            lastOpenedAt: null,
            externalId: 'site-7/gate-1',
            metadata: { contract: 'K-2026-114' },
          },
        },
      },
    },
  ),
  getGate: operation(
    {
      ...routes.getGate,
      judgesGates: true,
      scope: 'gates:read',
      rateClass: 'read',
      summary: 'Read a gate',
      tag: 'Gates',
      text: healthText,
      params,
      query: closed(health),
      hasLiveQuery: true,
      answers: { 200: closed({ gate: ShownGate }) },
      problems: ['not_found'],
      extension: true,
    },
    {
      params: { gateId },
      answers: { 200: { gate: exampleGate } },
    },
  ),
  updateGate: operation(
    {
      ...routes.updateGate,
      scope: 'gates:write',
      rateClass: 'write',
      summary: 'Change a gate',
      tag: 'Gates',
      text: `${patchText} Another phone number takes the call profile back to \`unverified\`. \`isActive: true\` reactivates the gate, within the plan's limit.\n\n${externalText}`,
      params,
      body: GateUpdate,
      answers: { 200: closed({ gate: Gate }) },
      problems: ['not_found', 'conflict', 'precondition_failed', 'plan_limit_reached'],
    },
    {
      params: { gateId },
      body: { name: 'Back gate', description: 'Behind the garages' },
      answers: { 200: { gate: { ...exampleGate, name: 'Back gate', description: 'Behind the garages' } } },
    },
  ),
  deactivateGate: operation(
    {
      ...routes.deactivateGate,
      scope: 'gates:write',
      rateClass: 'write',
      summary: 'Deactivate a gate',
      tag: 'Gates',
      text: 'The gate stays in the lists and in the history, and is no longer called. Repeating it is answered with 204 again.',
      params,
      answers: { 204: null },
      problems: ['not_found', 'precondition_failed'],
    },
    {
      params: { gateId },
      answers: { 204: null },
    },
  ),
  getGateProfile: operation(
    {
      ...routes.getGateProfile,
      judgesGates: true,
      scope: 'gates:read',
      rateClass: 'read',
      summary: 'Read how a gate takes a call',
      tag: 'Gates',
      text: 'A gate module rejects, answers or ignores the call that opens it. The profile says which of these counts as opened. See [a gate that is not calibrated](/docs/opening#a-gate-that-is-not-calibrated).',
      params,
      answers: { 200: ProfileAnswer },
      problems: ['not_found'],
      extension: true,
    },
    {
      params: { gateId },
      answers: { 200: { profile: exampleProfile, calibration: 'measured' } },
    },
  ),
  updateGateProfile: operation(
    {
      ...routes.updateGateProfile,
      scope: 'gates:write',
      rateClass: 'write',
      summary: 'Set how a gate takes a call',
      tag: 'Gates',
      text: `${patchText} See [a gate that is not calibrated](/docs/opening#a-gate-that-is-not-calibrated).`,
      params,
      body: CallProfileUpdate,
      answers: { 200: ProfileAnswer },
      problems: ['not_found', 'precondition_failed'],
      extension: true,
    },
    {
      params: { gateId },
      body: { mode: 'reject', coolDownMs: 20_000 },
      answers: { 200: { profile: { ...exampleProfile, coolDownMs: 20_000 }, calibration: 'measured' } },
    },
  ),
  openGate: operation(
    {
      ...routes.openGate,
      judgesGates: true,
      scope: 'gates:open',
      rateClass: 'open',
      summary: 'Open a gate',
      tag: 'Openings',
      text: 'Rings its number once, and answers when the outcome is known, after 50 seconds at the latest.\n\n- `opened: true`: the gate took the call.\n- `opened: false`: the call is still running then, so follow the opening by its id.\n- 502 `open_failed`: the gate was not opened, or nobody can know whether it was.\n\nA press while the same number is being called, or just after, places no second call: it joins that call and ends as it ends, and its answer has `joined: true`.\n\n`Location` names the opening. Send an `Idempotency-Key`, so that a lost answer can be asked for again without another call. See [Opening a gate](/docs/opening).',
      params,
      body: closed({}),
      bodyOptional: true,
      answers: { 200: OpenAnswer, 202: OpenAnswer },
      problems: ['not_found', 'open_failed'],
    },
    {
      params: { gateId },
      body: {},
      answers: { 200: { opened: true, openingId }, 202: { opened: false, openingId } },
    },
  ),
}
