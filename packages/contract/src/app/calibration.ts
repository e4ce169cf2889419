// The calibration of a gate, for the dashboard: test calls, what was seen of the gate after each, and what is proposed.

import Type, { type Static } from 'typebox'
import {
  calibrationDoubts,
  calibrationWarnings,
  callEnds,
  cannotTellWords,
} from '../call/calibrationWords.ts'
import { CallProfile, CallProfileUpdate } from '../call/callProfile.ts'
import { GateId, GatewayId, OpeningId } from '../ids.ts'
import { limits } from '../limits.ts'
import { between, closed, instant, nullable, words } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

const milliseconds = (description: string) =>
  nullable(Type.Integer({ minimum: 0, description: `${description}, ms; null where it did not happen` }))

const HasMoved = Type.Boolean({ description: 'Whether the gate moved after the call' })
const AfterS = nullable(
  Type.Integer({
    ...between(limits.testCall.afterS),
    description: 'How many seconds after the press the gate moved; null: nobody counted',
  }),
)
const IsHidden = Type.Boolean({
  description:
    'The number of the gateway is hidden, so that the module does not know the caller. Some modules open for such a caller',
})

export const CalibrationCall = closed({
  openingId: OpeningId,
  isHidden: IsHidden,
  end: nullable(
    words(callEnds, {
      description: 'How it ended; null while it runs; `unclear`: it says nothing, and is made again',
    }),
  ),
  setupMs: milliseconds('From the dialling to ringing or an answer'),
  ringMs: milliseconds('Ringing'),
  talkMs: milliseconds('Answered'),
  hasMoved: nullable(HasMoved),
  afterS: AfterS,
})
export type CalibrationCall = Static<typeof CalibrationCall>

export const Calibration = closed({
  startedAt: instant('When it was started'),
  expiresAt: instant('When it ends by itself'),
  step: words(['call', 'calling', 'answer', 'decide'], {
    description:
      'What is next. `call`: prepare a test call and open the gate. `calling`: the call runs. `answer`: say whether the gate moved. `decide`: accept or end it',
  }),
  restMs: Type.Integer({
    minimum: 0,
    description: 'How long the gate has to rest before the next test call may be made, milliseconds from now',
  }),
  callsLeft: Type.Integer({ minimum: 0, description: 'How many test calls are missing' }),
  calls: Type.Array(CalibrationCall, { description: 'Oldest first' }),
  proposal: nullable(
    closed({
      profile: nullable({ ...CallProfile, description: 'Null: the calls do not tell' }),
      why: nullable(words(cannotTellWords, { description: 'Why they do not tell' })),
    }),
  ),
})
export type Calibration = Static<typeof Calibration>

/** What the profile of a gate was measured with. */
export const LearnedFrom = closed({
  at: instant('When'),
  gatewayId: GatewayId,
  modem: nullable(Type.String({ description: 'The model of the modem' })),
  operator: nullable(Type.String({ description: 'The mobile network' })),
})
export type LearnedFrom = Static<typeof LearnedFrom>

/** Warnings before a test call. None of them forbids the call. */
export const CalibrationChecks = closed({
  gateway: nullable(
    closed(
      { id: GatewayId, name: Type.String() },
      { description: 'That would make the call; null: none is online that may call the gate' },
    ),
  ),
  warnings: Type.Array(words(calibrationWarnings), {
    description: 'What may spoil a test call, by what the gateway has said within the last minute',
  }),
})
export type CalibrationChecks = Static<typeof CalibrationChecks>

const params = closed({ gateId: GateId })
const answers = {
  200: closed({
    calibration: nullable(Calibration),
    checks: CalibrationChecks,
    learnedFrom: nullable(LearnedFrom),
    usualMs: milliseconds('The median of the last 20 calls that opened: from ringing to the end'),
    doubts: Type.Array(words(calibrationDoubts), {
      description: 'What no longer fits the profile. It changes only by another calibration, or by hand',
    }),
  }),
}
export type CalibrationAnswer = Static<(typeof answers)[200]>

const of = { role: 'admin', rateClass: 'write', params, answers } as const

export const calibrationAppOperations = {
  getCalibration: appOperation({
    ...appRoutes.getCalibration,
    ...of,
    rateClass: 'read',
    summary: 'Show the calibration of a gate that goes on, and by what its profile was measured',
    text: 'A calibration that was neither accepted nor ended is over 30 minutes after it was started.',
    problems: ['not_found'],
  }),
  startCalibration: appOperation({
    ...appRoutes.startCalibration,
    ...of,
    summary: 'Start the calibration of a gate',
    text: 'One at a time for each gate. It dials nothing.',
    problems: ['not_found', 'conflict'],
  }),
  prepareTestCall: appOperation({
    ...appRoutes.prepareTestCall,
    ...of,
    summary: 'Make the next press of this user at the gate a test call',
    text: 'It holds for a minute. The press itself is an ordinary one, and every check of it applies. Its call rings for 45 s at most, and an answer is not hung up for 15 s.',
    body: closed({ isHidden: Type.Optional(IsHidden) }),
    bodyOptional: true,
    problems: ['not_found', 'conflict'],
  }),
  answerTestCall: appOperation({
    ...appRoutes.answerTestCall,
    ...of,
    summary: 'Say whether the gate moved after a test call, and when',
    text: 'The answer can be given again, until the calibration is accepted.',
    body: closed({ openingId: OpeningId, hasMoved: HasMoved, afterS: Type.Optional(AfterS) }),
    problems: ['not_found', 'conflict'],
  }),
  acceptCalibration: appOperation({
    ...appRoutes.acceptCalibration,
    ...of,
    summary: 'Store what is proposed as the profile of the gate',
    text: 'With a `profile`, these fields of it are changed first. What would read one of the test calls wrongly is refused.',
    body: closed({ profile: Type.Optional(CallProfileUpdate) }),
    bodyOptional: true,
    problems: ['not_found', 'conflict'],
  }),
  endCalibration: appOperation({
    ...appRoutes.endCalibration,
    ...of,
    summary: 'End the calibration of a gate, and keep its profile as it is',
    text: '',
    problems: ['not_found'],
  }),
}
