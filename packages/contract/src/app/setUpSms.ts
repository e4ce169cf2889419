// Messages (SMS) that let a gateway's number into the module of a gate, sent by the gateway: for the dashboard.

import Type, { type Static } from 'typebox'
import { GateId, GatewayId } from '../ids.ts'
import { closed, instant, nullable, words } from '../text.ts'
import { ModuleBrand, PlaceInModule, SmsOutcome } from '../wire/sms.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

/** What became of the last message of a gateway to this gate. */
const LastSetUpSms = closed({
  at: instant('When it was asked for'),
  brand: ModuleBrand,
  state: words(['sending', 'done', 'not_done']),
  reason: nullable(
    Type.String({ description: 'Why it was not sent, or why nobody knows: a word that can be new' }),
  ),
  says: nullable(Type.String({ description: 'The same as a sentence' })),
  sent: nullable(SmsOutcome.sent),
  answer: SmsOutcome.answer,
})
export type LastSetUpSms = Static<typeof LastSetUpSms>

export const SetUpSmsView = closed({
  gateways: Type.Array(
    closed({
      gatewayId: GatewayId,
      name: Type.String(),
      callerNumber: nullable(Type.String({ description: 'E.164; null: nobody has typed it' })),
      canSend: Type.Boolean({ description: 'Whether the version of the gateway can send messages' }),
      last: nullable(LastSetUpSms),
    }),
    { description: 'Those that could call the gate. The one that was added first, first' },
  ),
  leftToday: Type.Integer({
    minimum: 0,
    description: 'How many more messages the number of the gate gets within 24 hours',
  }),
})
export type SetUpSmsView = Static<typeof SetUpSmsView>

const params = closed({ gateId: GateId })

export const setUpSmsAppOperations = {
  getSetUpSms: appOperation({
    ...appRoutes.getSetUpSms,
    role: 'admin',
    rateClass: 'read',
    summary: 'Show which gateways can send the set-up message to a gate, and what became of the last ones',
    text: 'Kept for 30 days. The answer of the module is shown without its password, and of numbers with their last three digits.',
    params,
    answers: { 200: SetUpSmsView },
    problems: ['not_found'],
  }),
  sendSetUpSms: appOperation({
    ...appRoutes.sendSetUpSms,
    role: 'admin',
    rateClass: 'write',
    takesNoKey: true,
    summary: 'Let a gateway send the message that lets its number into the module of a gate',
    text: 'The gateway composes the message of the brand from the number of its SIM card, the place and the password, and sends it to the number of the gate; other texts and numbers cannot be sent. What became of it, with the answer of the module, shows within 270 s. The password of the module is sealed for that gateway at once: it is neither kept nor logged. 409 where the number of the gateway is not typed, while an opening of the gate or of the gateway runs, while something else is asked of the gateway, after five messages in 24 hours, and where its version cannot send.',
    params,
    body: closed({
      gatewayId: GatewayId,
      brand: ModuleBrand,
      place: Type.Optional(nullable(PlaceInModule)),
      password: Type.String({
        pattern: '^[0-9A-Za-z]{2,8}$',
        description: 'The password of the module, as its owner has set it',
      }),
    }),
    answers: { 202: SetUpSmsView },
    problems: ['not_found', 'conflict'],
  }),
}
