// Whether a call to a gate can be placed now, without a press.

import Type, { type Static } from 'typebox'
import { Reason } from '../call/reason.ts'
import { GateId } from '../ids.ts'
import { closed, instant, nullable } from '../text.ts'
import { exampleIds } from './exampleIds.ts'
import { operation } from './operation.ts'
import { routes } from './routes.ts'

export const Readiness = closed({
  ready: Type.Boolean({ description: 'A press would place a call' }),
  reason: nullable({
    ...Reason,
    description:
      'Why it would not: `gate_inactive`, `locked_down` (an admin has locked all gates of the Space), `number_not_allowed`, `gateway_offline`, `modem_not_ready` (no gateway that may call the gate has a working modem), `number_in_use` (a call runs, or its cool-down does, and a press joins it), `interrupted` (the data was restored, and a lost call may still run); null: it would',
  }),
  busyUntil: nullable(
    instant('With `number_in_use`: when the cool-down is over; null while the call runs, and otherwise'),
  ),
  checkedAt: instant('When this was so'),
})
export type Readiness = Static<typeof Readiness>

const { gateId } = exampleIds

export const readinessOperations = {
  getGateReadiness: operation(
    {
      ...routes.getGateReadiness,
      judgesGates: true,
      scope: 'gates:read',
      rateClass: 'read',
      summary: 'Tell whether a gate can be called now',
      tag: 'Gates',
      text: 'Tells whether a press would place a call now. It calls nothing, and holds nothing for a later press. It says what this Space and its gateways know, not whether the gate or its module works, nor whether another Space calls the number.',
      params: closed({ gateId: GateId }),
      answers: { 200: Readiness },
      isLive: true,
      problems: ['not_found'],
      extension: true,
    },
    {
      params: { gateId },
      answers: {
        200: {
          ready: false,
          reason: 'number_in_use',
          busyUntil: '2026-01-05T10:15:36.204Z',
          checkedAt: '2026-01-05T10:15:32.918Z',
        },
      },
    },
  ),
}
