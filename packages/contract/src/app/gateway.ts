// What only the dashboard does with gateways: how one was over time, and how one is added, changed and shut out.

import Type, { type Static } from 'typebox'
import { GateId, GatewayId, OpeningId } from '../ids.ts'
import { limits } from '../limits.ts'
import { GatewayView, registrationWords } from '../rest/gatewayView.ts'
import { atMost, characters, closed, filledIn, instant, line, nullable, words } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'
import { OpeningClass } from './openingRecord.ts'

const { gateway: limit } = limits
const name = line(limit.name, atMost(limit.name))
const milliseconds = (description: string) => Type.Integer({ minimum: 0, description })

/** How long each axis is, in how many stretches of how many seconds. */
export const historyRanges = {
  '6h': { stepS: 60, stretches: 360 },
  '24h': { stepS: 60, stretches: 1_440 },
  '7d': { stepS: 900, stretches: 672 },
  '30d': { stepS: 3_600, stretches: 720 },
  '90d': { stepS: 3_600, stretches: 2_160 },
} as const
export type HistoryRange = keyof typeof historyRanges
const rangeNames = Object.keys(historyRanges) as HistoryRange[]

/** The most calls that are listed on one axis. */
export const callsListed = 500

export const GatewayHistory = closed({
  from: instant('When the first stretch begins'),
  to: instant('Now; the last stretch goes on'),
  stepS: Type.Integer({ description: 'How long a stretch is' }),
  onlineS: Type.Array(nullable(Type.Integer()), {
    description: 'For each stretch, how long the gateway was online; null: it was not heard',
  }),
  signalDbm: Type.Array(nullable(Type.Integer()), { description: 'The lowest of each stretch' }),
  supplyMv: Type.Array(nullable(Type.Integer()), { description: 'The lowest of each stretch' }),
  registration: Type.Array(nullable(words(registrationWords)), { description: 'The worst of each stretch' }),
  calls: Type.Array(
    closed({
      openingId: OpeningId,
      gateId: GateId,
      gateName: Type.String(),
      calledAt: instant('When the press came in'),
      class: OpeningClass,
    }),
    { maxItems: callsListed, description: 'Newest first' },
  ),
  hasMoreCalls: Type.Boolean({ description: `Whether there were more than ${callsListed} calls` }),
  onlineTotalS: milliseconds('How long it was online in all'),
  sinceS: milliseconds('How long the axis is, without the time before the gateway was added'),
})
export type GatewayHistory = Static<typeof GatewayHistory>

const params = closed({ gatewayId: GatewayId })
const answer = closed({ gateway: GatewayView })

export const gatewayAppOperations = {
  getGatewayHistory: appOperation({
    ...appRoutes.getGatewayHistory,
    role: 'admin',
    isCompressed: true,
    rateClass: 'read',
    summary: 'Show how a gateway was over time',
    text: 'One axis for all: the columns have a value for each stretch of time, oldest first. Minutes are kept for 24 hours, quarters of an hour for 7 days, hours for 90 days.',
    params,
    query: closed({ range: filledIn(words(rangeNames, { description: 'How long the axis is' }), '24h') }),
    answers: { 200: GatewayHistory },
    problems: ['not_found'],
  }),
  addGateway: appOperation({
    ...appRoutes.addGateway,
    role: 'admin',
    rateClass: 'write',
    summary: 'Admit a gateway by its public key',
    text: 'The answer has what the gateway needs to connect; the password is shown this once.',
    body: closed({
      name,
      publicKey: Type.String({
        pattern: '^[A-Za-z0-9_-]{43}$',
        description: 'As the gateway prints it at `keygen`: 43 characters of base64url',
      }),
    }),
    answers: {
      201: closed({
        gateway: GatewayView,
        login: closed({
          mqttUrl: Type.String(),
          mqttPassword: Type.String({ description: 'Shown this once' }),
          cloudKeys: Type.Array(Type.String(), {
            description: 'What the messages of the cloud are checked by',
          }),
          hasOwnBroker: Type.Boolean({
            description: 'Whether the broker is the operator’s, who has to add the account there',
          }),
        }),
      }),
    },
    problems: ['conflict'],
  }),
  updateGateway: appOperation({
    ...appRoutes.updateGateway,
    role: 'admin',
    rateClass: 'write',
    summary: 'Change the name or the caller number of a gateway',
    text: 'What is absent stays as it is. The number is the one of its SIM card: +…, 00… or national.',
    params,
    body: closed({
      name: Type.Optional(name),
      callerNumber: Type.Optional(nullable(Type.String(characters(limit.callerNumber)))),
    }),
    answers: { 200: answer },
    problems: ['not_found', 'precondition_failed'],
  }),
  changeGatewayPassword: appOperation({
    ...appRoutes.changeGatewayPassword,
    role: 'admin',
    rateClass: 'write',
    takesNoKey: true,
    summary: 'Give a gateway a new password at the broker',
    text: 'The old one counts no more, and a connection that was made with it is ended within 5 s. The gateway connects again when its configuration has the new one, which is shown this once. 409 where the gateway is shut out.',
    params,
    answers: {
      200: closed({
        mqttPassword: Type.String({ description: 'Shown this once' }),
        hasOwnBroker: Type.Boolean({
          description: 'Whether the broker is the operator’s, who has to change the account there',
        }),
      }),
    },
    problems: ['not_found', 'conflict'],
  }),
  revokeGateway: appOperation({
    ...appRoutes.revokeGateway,
    role: 'admin',
    rateClass: 'write',
    summary: 'Shut a gateway out for good',
    text: 'The broker cuts it within 5 s. It places no call from then on, and its key is never admitted again.',
    params,
    answers: { 204: null },
    problems: ['not_found', 'precondition_failed'],
  }),
}
