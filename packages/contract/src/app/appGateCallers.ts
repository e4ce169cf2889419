// The gateways of one gate, for the dashboard: which of them may call it, and which would call now.

import Type, { type Static } from 'typebox'
import { MayCall, NumberKnown } from '../call/gateCallers.ts'
import { GateId, GatewayId } from '../ids.ts'
import { closed, nullable } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

export const GateCallerView = closed({
  gatewayId: GatewayId,
  name: Type.String(),
  callerNumber: nullable(Type.String({ description: 'E.164; null: nobody has typed it' })),
  mayCall: MayCall,
  numberKnown: NumberKnown,
  now: closed(
    {
      isOnline: Type.Boolean(),
      turn: nullable(
        Type.Integer({ minimum: 1, description: '1: it is asked first; null: it is not asked at all' }),
      ),
      hasFailed: Type.Boolean({
        description:
          'One of its calls failed by its SIM card, network or modem, or was not reported: others go before it, for 15 minutes at most',
      }),
    },
    { description: 'Who would call now. It changes by itself, so an edit never fails because of it' },
  ),
})
export type GateCallerView = Static<typeof GateCallerView>

const params = closed({ gateId: GateId })
const answers = {
  200: closed({
    callers: Type.Array(GateCallerView, { description: 'The gateway that was added first, first' }),
  }),
}

export const gateCallersAppOperations = {
  getGateCallers: appOperation({
    ...appRoutes.getGateCallers,
    role: 'admin',
    rateClass: 'read',
    summary: 'List the gateways that could call a gate',
    text: 'Without those that are shut out. A gateway for which nothing was set may call.',
    params,
    answers,
    problems: ['not_found'],
  }),
  updateGateCallers: appOperation({
    ...appRoutes.updateGateCallers,
    role: 'admin',
    rateClass: 'write',
    summary: 'Say whether a gateway may call a gate, and whether its number is known there',
    text: 'What is absent stays as it is. It holds for every call that is not granted yet.',
    params,
    body: closed({
      gatewayId: GatewayId,
      mayCall: Type.Optional(MayCall),
      numberKnown: Type.Optional(NumberKnown),
    }),
    answers,
    problems: ['not_found', 'precondition_failed'],
  }),
}
