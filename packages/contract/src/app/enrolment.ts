// Enrolments as the dashboard shows them: a code is made, a gateway takes it, and an admin confirms or refuses that gateway.

import Type, { type Static } from 'typebox'
import { EnrolmentId, GatewayId } from '../ids.ts'
import { limits } from '../limits.ts'
import { GatewayView } from '../rest/gatewayView.ts'
import { atMost, closed, instant, line, nullable, words } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

const name = line(limits.gateway.name, atMost(limits.gateway.name))

export const EnrolmentView = closed({
  id: EnrolmentId,
  name,
  state: words(['waiting', 'pending', 'confirmed', 'refused', 'expired', 'spent'], {
    description:
      '`waiting`: no gateway has taken the code. `pending`: one has, and nobody has confirmed it. `expired`: too late for either. `spent`: the code was sent wrong five times',
  }),
  isForCard: Type.Boolean({
    description: 'Whether the code lies in the file of a card, and so lasts longer',
  }),
  replaces: nullable({ ...GatewayId, description: 'The gateway that is revoked when this one is confirmed' }),
  createdAt: instant('When the code was made'),
  expiresAt: instant('Until when the code can be taken, or the gateway that has taken it be confirmed'),
  wrongTries: Type.Integer({
    minimum: 0,
    description: 'How often somebody sent the name of the code with a wrong rest',
  }),
  gateway: nullable(
    closed(
      {
        fingerprint: nullable(
          Type.String({
            pattern: '^[0-9]{6}$',
            description: 'What the gateway shows too; null until it has proved that it has its key',
          }),
        ),
        publicKey: Type.String(),
        takenAt: instant('When it took the code'),
        version: Type.String({ description: 'Of its program' }),
        model: nullable(Type.String({ description: 'Of the machine, as the gateway says' })),
        serial: nullable(Type.String({ description: 'Of the machine, as the gateway says' })),
        imei: nullable(Type.String({ description: 'Of its modem, as the gateway says' })),
      },
      { description: 'The gateway that has taken the code' },
    ),
  ),
  gatewayId: nullable({ ...GatewayId, description: 'The gateway that it has become' }),
})
export type EnrolmentView = Static<typeof EnrolmentView>

const params = closed({ enrolmentId: EnrolmentId })
const answer = closed({ enrolment: EnrolmentView })

export const enrolmentAppOperations = {
  listEnrolments: appOperation({
    ...appRoutes.listEnrolments,
    role: 'admin',
    rateClass: 'read',
    summary: 'List the enrolments that go on, oldest first',
    text: 'Those that have not ended: their codes wait for a gateway, or their gateways for an admin.',
    answers: { 200: closed({ enrolments: Type.Array(EnrolmentView) }) },
    problems: [],
  }),
  startEnrolment: appOperation({
    ...appRoutes.startEnrolment,
    role: 'admin',
    rateClass: 'write',
    summary: 'Make a one-time code for a new gateway',
    text: 'The code is shown this once. With `replaces`, the gateway of that id is revoked when the new one is confirmed, which takes over its caller number.',
    body: closed({
      name: Type.Optional({
        ...name,
        description: 'What people call it; with `replaces` it may be left out',
      }),
      isForCard: Type.Boolean({
        default: false,
        description:
          'Whether the code goes into the file of a card: it lasts 24 hours then, and 10 minutes otherwise',
      }),
      replaces: Type.Optional(GatewayId),
    }),
    answers: {
      201: closed({
        enrolment: EnrolmentView,
        code: Type.String({ description: 'In three groups; shown this once' }),
        cloudUrl: Type.String({ description: 'Where the gateway takes it' }),
        cloudKey: Type.String({ description: 'What the gateway may pin' }),
        installCommand: nullable(
          Type.String({
            description:
              'One line that installs the package and enrols with the code; null where the operator has named no repository, and for a card',
          }),
        ),
        link: Type.String({ description: 'Address, code and key in one, for a QR code' }),
        cardFile: Type.String({ description: 'The content of callgate-gateway.yaml for the boot partition' }),
      }),
    },
    problems: ['not_found', 'conflict'],
  }),
  getEnrolment: appOperation({
    ...appRoutes.getEnrolment,
    role: 'admin',
    rateClass: 'read',
    summary: 'Show one enrolment',
    text: 'Also one that has ended, for 30 days.',
    params,
    answers: { 200: answer },
    problems: ['not_found'],
  }),
  confirmEnrolment: appOperation({
    ...appRoutes.confirmEnrolment,
    role: 'admin',
    rateClass: 'write',
    summary: 'Admit the gateway that has taken the code',
    text: 'After the fingerprint here was compared with the one that the gateway shows. Only then does the gateway get what it connects with.',
    params,
    body: closed({
      fingerprint: Type.String({ pattern: '^[0-9]{6}$', description: 'The one that was compared' }),
    }),
    answers: { 200: closed({ enrolment: EnrolmentView, gateway: GatewayView }) },
    problems: ['not_found'],
  }),
  refuseEnrolment: appOperation({
    ...appRoutes.refuseEnrolment,
    role: 'admin',
    rateClass: 'write',
    summary: 'Take the code back, or refuse the gateway that has taken it',
    text: 'Nothing happens where it has ended already. One that was confirmed is a gateway, and is revoked as such.',
    params,
    answers: { 204: null },
    problems: ['not_found', 'conflict'],
  }),
}
