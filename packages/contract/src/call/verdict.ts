// Verdicts and evidence: what a gateway says about one call.

import Type, { type Static } from 'typebox'
import { closed, nullable, words } from '../text.ts'
import { type CallReason, Reason } from './reason.ts'

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
export const Confidence = words(['certain', 'likely', 'assumed', 'unknown'], {
  description: 'How sure `opened` is; `assumed` where nothing was learned about the gate yet',
})
export type Confidence = Static<typeof Confidence>
export const SafeToRetry = Type.Boolean({
  description:
    'True only where nothing moved, as far as the call can tell, and pressing again within a minute can help',
})

export const Verdict = closed({
  status: words(['completed', 'failed', 'timeout'], { description: 'How the opening ends' }),
  reason: Reason,
  confidence: Confidence,
  opened: Opened,
  safeToRetry: SafeToRetry,
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
/** The verdict as the driver of the modem gives it. */
export type CallVerdict = Omit<Verdict, 'reason'> & { reason: CallReason }

/** The timed trace of one call; with the phone number masked. */
export const Evidence = closed({
  modem: nullable(Type.String({ maxLength: 64, description: 'Model and firmware' })),
  operator: nullable(Type.String({ maxLength: 64, description: 'The mobile network' })),
  signalDbm: nullable(
    Type.Integer({ minimum: -150, maximum: 0, description: 'Strength of the signal, dBm' }),
  ),
  events: Type.Array(
    closed({
      atMs: Type.Integer({
        description: 'Since the ATD was written, milliseconds',
      }),
      event: Type.String({ maxLength: 160, description: 'What was sent or heard' }),
    }),
    { maxItems: 128, description: 'Oldest first' },
  ),
})
export type Evidence = Static<typeof Evidence>

export const exampleVerdict = {
  status: 'completed' as const,
  reason: 'rejected_after_ring' as const,
  confidence: 'likely' as const,
  opened: 'likely' as const,
  safeToRetry: false,
  cause: 17,
  endToken: 'BUSY',
  setupMs: 4_310,
  ringMs: 3_420,
  talkMs: null,
  witnesses: ['+CLCC alerting', 'BUSY'],
} satisfies Verdict
