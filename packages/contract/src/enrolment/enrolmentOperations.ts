// The operations of a gateway that is being enrolled: it takes a code, asks for its login, and says that it has stored it.

import Type from 'typebox'
import { EnrolmentId, GatewayId, Random128 } from '../ids.ts'
import type { CallShape } from '../rest/operation.ts'
import { type ProblemCode, problemCodes } from '../rest/problem.ts'
import { closed, growingWords, line, words } from '../text.ts'
import { enrolmentRoutes } from './enrolmentRoutes.ts'

/** Why a gateway is not enrolled, as a machine word beside the message. */
export const enrolmentRefusals = {
  wrong_code: 'There is no such code; or it was not sent right five times, and is no longer taken',
  code_expired: 'The code was right, and its time is over',
  code_used: 'The code was right, and another gateway has used it before',
  code_spent: 'The code is right now, after it was sent wrong five times, so it is no longer taken',
  code_cancelled: 'The code was right, and the admin has taken it back',
  known_key:
    'A gateway was enrolled with this key before: each gets a key of its own, also after it was revoked',
  not_confirmed: 'The admin has refused this gateway',
  too_late: 'Nobody has confirmed this gateway in time, or it has not asked for its login in time',
  handed_out: 'This gateway has said before that it has stored its login, which is handed out once',
} as const
export type EnrolmentRefusal = keyof typeof enrolmentRefusals

const base64url32 = (description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: `${description}: 32 bytes as base64url` })
const signature = Type.String({ pattern: '^[A-Za-z0-9_-]{86}$', description: 'Ed25519, as base64url' })
const cloudKeys = Type.Array(base64url32('A public key of the cloud'), { minItems: 1, maxItems: 2 })

/** The body of each problem. */
export const EnrolmentProblemBody = closed({
  error: closed({
    code: growingWords(Object.keys(problemCodes) as ProblemCode[]),
    message: Type.String({ description: 'What happened and what would be right, for a person' }),
    reason: Type.Optional(growingWords(Object.keys(enrolmentRefusals) as EnrolmentRefusal[])),
  }),
})

const params = closed({ enrolmentId: EnrolmentId })

export const enrolmentOperations = {
  takeCode: {
    ...enrolmentRoutes.takeCode,
    rateClass: 'write',
    summary: 'Take a one-time code for this key',
    text: 'The same code with the same key and commitment gives the same answer again, so a try that was cut off can be repeated.',
    body: closed({
      code: Type.String({ pattern: '^[0-9A-HJKMNP-TV-Z]{18}$', description: 'Without dashes' }),
      publicKey: base64url32('The public key of the gateway'),
      commitment: base64url32('The hash over the key and the nonce of the gateway'),
      device: closed({
        version: line({ least: 1, most: 32 }, 'Of its program'),
        model: Type.Optional(line({ least: 1, most: 120 }, 'Of the machine')),
        serial: Type.Optional(line({ least: 1, most: 64 }, 'Of the machine')),
        imei: Type.Optional(Type.String({ pattern: '^[0-9]{15}$', description: 'Of the modem' })),
      }),
    }),
    answers: {
      200: closed({ enrolmentId: EnrolmentId, cloudNonce: Random128, cloudKeys, signature }),
    },
    problems: ['conflict'],
  },
  askForLogin: {
    ...enrolmentRoutes.askForLogin,
    rateClass: 'read',
    summary: 'Ask for what the gateway connects with',
    text: 'Shows the nonce that the gateway has committed to, and proves that it has the key. Until the admin has confirmed, the answer is `waiting`.',
    params,
    body: closed({ gatewayNonce: Random128, signature }),
    answers: {
      200: closed({
        state: words(['waiting', 'confirmed']),
        againInS: Type.Optional(
          Type.Integer({ minimum: 1, description: 'With `waiting`: when to ask again' }),
        ),
        login: Type.Optional(
          closed(
            {
              gatewayId: GatewayId,
              mqttUrl: Type.String(),
              mqttPassword: Type.String(),
              cloudKeys,
              ca: Type.Optional(Type.String({ description: 'PEM' })),
            },
            { description: 'With `confirmed`' },
          ),
        ),
        signature: Type.Optional({
          ...signature,
          description: 'With `confirmed`: of the cloud, over the login',
        }),
      }),
    },
    problems: ['conflict'],
  },
  confirmStored: {
    ...enrolmentRoutes.confirmStored,
    rateClass: 'write',
    summary: 'Say that the login is stored',
    text: 'From then on it is not handed out again.',
    params,
    body: closed({ gatewayNonce: Random128, signature }),
    answers: { 204: null },
    problems: ['conflict'],
  },
} as const satisfies Record<string, CallShape>

export type EnrolmentOperations = typeof enrolmentOperations
export type EnrolmentOperationId = keyof EnrolmentOperations
