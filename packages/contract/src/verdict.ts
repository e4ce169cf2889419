// Verdicts and evidence: what a gateway says about one call.

import Type, { type Static } from 'typebox'
import { Reason } from './reason.ts'
import { closed, nullable, words } from './text.ts'

const duration = (description: string) =>
  nullable(
    Type.Integer({
      minimum: 0,
      description: `${description}, milliseconds; null when it did not happen`,
    }),
  )

export const Opened = words(['yes', 'likely', 'no', 'unknown'], {
  description: 'Whether the gate moved, as far as the call can tell',
})
export const Confidence = words(['certain', 'likely', 'assumed', 'unknown'])

export const Verdict = closed({
  status: words(['completed', 'failed', 'timeout']),
  reason: Reason,
  confidence: Confidence,
  opened: Opened,
  safeToRetry: Type.Boolean(),
  cause: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 127,
      description: '3GPP TS 24.008 cause, from AT+CEER',
    }),
  ),
  endToken: nullable(Type.String({ maxLength: 32, description: 'BUSY, NO CARRIER, …' })),
  setupMs: duration('From ATD to ringing or an answer'),
  ringMs: duration('Ringing'),
  talkMs: duration('Answered'),
  witnesses: Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: 16,
    description: 'The signals that the verdict rests on',
  }),
})
export type Verdict = Static<typeof Verdict>

/** The timed trace of one call; with the phone number masked. */
export const Evidence = closed({
  modem: nullable(Type.String({ maxLength: 64, description: 'Model and firmware' })),
  operator: nullable(Type.String({ maxLength: 64 })),
  signalDbm: nullable(Type.Integer({ minimum: -150, maximum: 0 })),
  events: Type.Array(
    closed({
      atMs: Type.Integer({
        description: 'Since the ATD was written, milliseconds',
      }),
      event: Type.String({ maxLength: 160 }),
    }),
    { maxItems: 128 },
  ),
})
export type Evidence = Static<typeof Evidence>
