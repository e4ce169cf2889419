// Gateways: how each is now, and their operations for keys and users.

import Type, { type Static } from 'typebox'
import { GatewayId } from '../ids.ts'
import { limits } from '../limits.ts'
import { atMost, closed, instant, line, nullable, words } from '../text.ts'
import { exampleIds } from './exampleIds.ts'
import { operation } from './operation.ts'
import { routes } from './routes.ts'

const { gateway: limit } = limits
const name = line(limit.name, atMost(limit.name))
const e164 = Type.String({ pattern: '^\\+[1-9][0-9]{7,14}$', description: 'E.164' })

export const registrationWords = ['home', 'roaming', 'unknown', 'searching', 'none', 'denied'] as const
export type Registration = (typeof registrationWords)[number]

const Modem = closed({
  state: Type.String({
    description: 'ready, calling, starting, no_network, sim_error, lost, or a newer word',
  }),
  model: nullable(Type.String()),
  firmware: nullable(Type.String({ description: 'What the modem calls its program' })),
  lacks: Type.Array(closed({ word: Type.String(), says: Type.String() }), {
    description: 'What the modem cannot do although it works',
  }),
  operator: nullable(Type.String({ description: 'The mobile network' })),
  registration: Type.String({ description: `${registrationWords.join(', ')}, or a newer word` }),
  signalDbm: nullable(Type.Integer()),
  supplyMv: nullable(Type.Integer({ description: 'What the modem measures at its own pins, mV' })),
  trouble: nullable(
    closed(
      { word: Type.String(), says: Type.String({ description: 'What is wrong, then what to do' }) },
      { description: 'What a person has to fix at the modem' },
    ),
  ),
})

/** How a gateway is at the moment. It changes by itself, so an edit never fails because of it. */
const Now = closed({
  state: words(['online', 'offline', 'new', 'cut_off', 'revoked'], {
    description:
      '`new`: it was never heard. `cut_off`: it sent too much, and is shut out for an hour. `revoked`: it is shut out for good',
  }),
  since: nullable(instant('When it came online, was heard last, or was revoked; null: not known')),
  cutOffUntil: nullable(instant('While it is cut off')),
  lastHeardAt: nullable(instant('Null: never')),
  modem: nullable(Modem),
  version: nullable(Type.String({ description: 'Of its program, with the commit that it was made from' })),
  tooOld: nullable(
    closed(
      { version: nullable(Type.String({ description: 'Null: it cannot be read' })) },
      {
        description: 'It is there, and its program is too old for this cloud to understand',
      },
    ),
  ),
  uptimeS: nullable(
    Type.Integer({ minimum: 0, description: 'How long its program had run at the last beat' }),
  ),
  queueLength: nullable(Type.Integer({ minimum: 0, description: 'Openings that it works on' })),
  toReport: nullable(Type.Integer({ minimum: 0, description: 'Openings whose end it has still to report' })),
})

export const GatewayView = closed({
  id: GatewayId,
  name,
  callerNumber: nullable({
    ...e164,
    description: 'The number of its SIM card, as an admin has typed it; E.164',
  }),
  enrolledAt: instant('When it was added'),
  revokedAt: nullable(instant('When it was shut out for good')),
  publicKey: Type.String({ description: 'What its messages are checked by' }),
  now: Now,
})
export type GatewayView = Static<typeof GatewayView>

const { gatewayId } = exampleIds
const example: GatewayView = {
  id: gatewayId,
  name: 'Basement',
  callerNumber: '+40722000042',
  enrolledAt: '2026-01-02T09:30:00.000Z',
  revokedAt: null,
  publicKey: 'O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik',
  now: {
    state: 'online',
    since: '2026-01-04T03:12:44.000Z',
    cutOffUntil: null,
    lastHeardAt: '2026-01-05T10:15:29.000Z',
    modem: {
      state: 'ready',
      model: 'SIM800L',
      firmware: '1418B04SIM800L24',
      lacks: [],
      operator: 'Orange RO',
      registration: 'home',
      signalDbm: -71,
      supplyMv: 4_102,
      trouble: null,
    },
    version: '1.0.0+0123456789ab',
    tooOld: null,
    uptimeS: 111_765,
    queueLength: 0,
    toReport: 0,
  },
}

const nowText =
  '`now` is as of the last heartbeat, which comes each 10 seconds. A gateway that is `offline` opens nothing; with a modem in another state than `ready` or `calling` neither.'

export const gatewayOperations = {
  listGateways: operation(
    {
      ...routes.listGateways,
      scope: 'gates:read',
      rateClass: 'read',
      summary: 'List the gateways',
      tag: 'Gateways',
      text: `Oldest first. Revoked ones are in the list. ${nowText}`,
      answers: { 200: closed({ gateways: Type.Array(GatewayView) }) },
      isLive: true,
      problems: [],
      extension: true,
    },
    { params: {}, answers: { 200: { gateways: [example] } } },
  ),
  getGateway: operation(
    {
      ...routes.getGateway,
      scope: 'gates:read',
      rateClass: 'read',
      summary: 'Read a gateway',
      tag: 'Gateways',
      text: nowText,
      params: closed({ gatewayId: GatewayId }),
      answers: { 200: closed({ gateway: GatewayView }) },
      problems: ['not_found'],
      extension: true,
    },
    { params: { gatewayId }, answers: { 200: { gateway: example } } },
  ),
}
