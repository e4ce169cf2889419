// Call profiles: how one gate's module takes a call, and so what counts as opened.

import Type, { type Static } from 'typebox'
import { type Limit, limits } from '../limits.ts'
import { between, closed, growingWords, line, nullable, words } from '../text.ts'

export const callModes = [
  'reject',
  'reject_delayed',
  'answer_release',
  'answer_hold',
  'ring',
  'unverified',
] as const
export const CallMode = growingWords(callModes, {
  description:
    "What the gate's module does with the call that opens it; `unverified`: nobody has said it, the gate is not calibrated",
})
export type CallMode = Static<typeof CallMode>

const milliseconds = (limit: Limit, description: string) =>
  Type.Integer({
    ...between(limit),
    description: `${description}, milliseconds`,
  })

/** A sign by which the gate's module itself tells that it has opened. */
const Confirmation = closed(
  {
    kind: growingWords(['sms', 'callback'], {
      description: 'A message to the SIM card of the gateway, or a call back to it, which is refused',
    }),
    from: nullable(
      Type.String({
        pattern: '^\\+?[0-9]{3,15}$',
        description: 'The number that it comes from; null: the gate’s own',
      }),
    ),
    pattern: nullable(
      line({ least: 1, most: 64 }, 'Text that the message holds, in any case; null: whatever it says'),
    ),
    withinMs: milliseconds({ least: 0, most: 20_000 }, 'How long it is waited for after the call'),
  },
  { description: 'A sign by which the module itself tells that it has opened' },
)

export type Confirmation = Static<typeof Confirmation>

const { profile: limit } = limits
const properties = {
  mode: CallMode,
  callerId: growingWords(['show', 'show_forced', 'hide'], {
    description: 'show_forced and hide dial with i and I',
  }),
  setupTimeoutMs: milliseconds(limit.setupTimeoutMs, 'From the OK of ATD to the first ringing'),
  maxRingMs: milliseconds(limit.maxRingMs, 'Ringing after which the call is hung up'),
  ringHangupMs: milliseconds(
    limit.ringHangupMs,
    'Mode ring: ringing after which the call counts and is hung up',
  ),
  ringTimeMs: nullable(milliseconds(limit.ringTimeMs, 'Mode reject_delayed: the programmed ring time')),
  reactMinMs: milliseconds(limit.reactMinMs, 'Ringing before which this gate never ends the call'),
  reactMaxMs: milliseconds(limit.reactMaxMs, 'Ringing after which this gate never ends the call'),
  holdMs: milliseconds(limit.holdMs, 'Mode answer_hold: talk time before hanging up'),
  answerNotAfterMs: nullable(
    milliseconds(limit.answerNotAfterMs, 'Ringing after which an answer is taken for a voicemail'),
  ),
  silentAlerting: Type.Boolean({
    description: 'This route never reports ringing',
  }),
  rejectDiverts: Type.Boolean({
    description: 'A rejected call ends in a voicemail although the gate opened',
  }),
  coolDownMs: milliseconds(limit.coolDownMs, 'After an opening, time in which another press places no call'),
  learned: Type.Boolean({
    description:
      'The windows were measured at this gate. In a grant: by the gateway that gets it, with its modem and network of now',
  }),
  discriminating: Type.Boolean({
    description: 'Opening and not opening leave different traces at this gate',
  }),
  noAnswerOpens: Type.Optional(
    Type.Boolean({
      description:
        'Calibration saw this gate open while the network said NO ANSWER; without it, NO ANSWER means that nobody took the call',
    }),
  ),
  confirm: Type.Optional(nullable(Confirmation)),
}

/** A whole profile, as it is stored and travels in a grant. */
export const CallProfile = closed(properties)
export type CallProfile = Static<typeof CallProfile>

/** How much is known of how a gate's module takes a call. */
export const Calibration = words(['none', 'declared', 'measured'], {
  description:
    '`none`: the gate is not calibrated, nobody has said how its module takes a call. `declared`: somebody has said it; an opening is assumed at best. `measured`: the times were measured at this gate',
})

/** What a profile says of that. */
export function calibrationOf({ learned, mode }: CallProfile): Static<typeof Calibration> {
  if (mode === 'unverified') return 'none'
  return learned ? 'measured' : 'declared'
}

/** A profile as a person writes it: the mode, and what differs from that mode's defaults. */
export const CallProfileInput = closed({
  ...Type.Partial(Type.Object(properties)).properties,
  mode: CallMode,
})
export type CallProfileInput = Static<typeof CallProfileInput>

/** A change of a profile: what is absent stays as it is. */
export const CallProfileUpdate = closed(Type.Partial(Type.Object(properties)).properties)
export type CallProfileUpdate = Static<typeof CallProfileUpdate>

/**
 * A whole profile: what is `given`, and defaults for the rest. A call rings for 30 s at most, or 8 s longer than a
 * programmed ring time. Until a gate is calibrated, a reaction within 20 s of ringing counts.
 */
export function callProfile(given: CallProfileInput): CallProfile {
  const ringTimeMs = given.ringTimeMs ?? null
  return {
    callerId: 'show',
    setupTimeoutMs: 25_000,
    maxRingMs: ringTimeMs === null ? 30_000 : Math.min(45_000, ringTimeMs + 8_000),
    ringHangupMs: 12_000,
    ringTimeMs,
    reactMinMs: 0,
    reactMaxMs: 20_000,
    holdMs: 3_000,
    answerNotAfterMs: 15_000,
    silentAlerting: false,
    rejectDiverts: false,
    coolDownMs: 5_000,
    learned: false,
    discriminating: false,
    ...given,
  }
}

export const exampleProfile = callProfile({
  mode: 'reject',
  reactMinMs: 1_500,
  reactMaxMs: 9_000,
  learned: true,
  discriminating: true,
})
