// Gate figures: what the dashboard shows of each gate besides the gate itself.

import Type, { type Static } from 'typebox'
import { Calibration } from '../call/callProfile.ts'
import { GateId, GatewayId, OpeningId } from '../ids.ts'
import { closed, instant, nullable } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'
import { PhotoHash } from './gatePhoto.ts'
import { OpeningClass, OpeningRecord } from './openingRecord.ts'

/** How many of its last openings are shown of a gate. */
export const ticksShown = 24

const milliseconds = (description: string) => Type.Integer({ minimum: 0, description: `${description}, ms` })

const count = (description: string) => Type.Integer({ minimum: 0, maximum: ticksShown, description })

/** What its last calls have shown. A press that joined a call, or called nobody, is none. */
const CallOutcomes = closed({
  calls: count('How many of its last openings were calls that have ended'),
  opened: count(
    'How many of these are known to have opened it: by the line, or because a person saw it move',
  ),
  probably: count('How many of these have probably opened it'),
  unknownInRow: count('After how many of the last ones in a row nobody knows whether it moved'),
  last: nullable({
    ...OpeningClass,
    description:
      'How the last one ended; what a person saw of the gate counts first. Null: it was never called',
  }),
})

export const GateFigures = closed({
  gateId: GateId,
  last: nullable(OpeningRecord),
  ticks: Type.Array(closed({ openingId: OpeningId, class: OpeningClass }), {
    maxItems: ticksShown,
    description: `The last ${ticksShown} openings, oldest first`,
  }),
  usualMs: nullable(milliseconds('From the press to the end, the median of those that opened')),
  misses: Type.Integer({
    minimum: 0,
    maximum: ticksShown,
    description: 'How many of its last calls in a row rang in vain: its module may not know the number',
  }),
  outcomes: CallOutcomes,
  calibration: Calibration,
  isNumberKnown: Type.Boolean({
    description:
      'Whether its module is known to have the number of a gateway: somebody has said so, or it has opened',
  }),
  gatewayId: nullable({ ...GatewayId, description: 'The gateway that called it last' }),
  photo: nullable({ ...PhotoHash, description: 'The hash of its photo; null: it has none' }),
})
export type GateFigures = Static<typeof GateFigures>

/** A gateway, with the number that the module of a gate must know. */
const CallingGateway = closed({
  gatewayId: GatewayId,
  name: Type.String(),
  callerNumber: nullable(Type.String({ description: 'E.164; null: nobody has typed it' })),
  openedAt: nullable(
    instant('When this gateway opened the gate last, among the last 500 presses; null: not seen there'),
  ),
})

export const gateFiguresAppOperations = {
  listGateFigures: appOperation({
    ...appRoutes.listGateFigures,
    role: 'admin',
    isCompressed: true,
    rateClass: 'read',
    summary: 'Show the figures of all gates, oldest gate first',
    text: 'Inactive gates are in the list.',
    answers: { 200: closed({ figures: Type.Array(GateFigures) }) },
    problems: [],
  }),
  getGateFigures: appOperation({
    ...appRoutes.getGateFigures,
    role: 'admin',
    isCompressed: true,
    rateClass: 'read',
    summary: 'Show the figures of one gate, how its calls rang, and the numbers that its module has to know',
    text: '`ringMs` are the ringing times of its last calls that opened, newest first.',
    params: closed({ gateId: GateId }),
    answers: {
      200: closed({
        figures: GateFigures,
        ringMs: Type.Array(milliseconds('Ringing until the gate took the call'), { maxItems: ticksShown }),
        callers: Type.Array(CallingGateway),
      }),
    },
    problems: ['not_found'],
  }),
}
