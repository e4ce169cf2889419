// Calls as a modem tells them, for scripted gateways. Their verdict is that of its driver, so that no record says what no gateway
// would.

import { type CallProfile, callProfile } from '@callgate/contract/call/callProfile'
import type { Report } from '@callgate/contract/wire/messages'
import {
  answered,
  cause,
  early,
  hangUp,
  lost,
  rang,
  recordOf,
  state,
  type Timed,
  token,
} from '@callgate/modem/callFacts.kit'
import { factText } from '@callgate/modem/core/callFacts'
import { callVerdict } from '@callgate/modem/core/callVerdict'

/** The profile of a gate that rejects the call, whose times were measured. */
export const measured = callProfile({
  mode: 'reject',
  reactMinMs: 1_400,
  reactMaxMs: 7_300,
  learned: true,
  discriminating: true,
})

const rejectedAt = (ms: number): readonly Timed[] => [
  token(ms, 'BUSY'),
  state(ms + 100, 6),
  cause(ms + 300, 17),
]

/** It rings for `ringMs`, and the far end rejects the call. */
export const rejectedAfter = (ringMs: number): readonly Timed[] => [...rang, ...rejectedAt(5_000 + ringMs)]

/** How calls end. */
export const calls = {
  opened: rejectedAfter(2_000),
  tooEarly: rejectedAfter(600),
  noReaction: [...rang, hangUp(35_000, 'rangLongEnough'), state(35_200, 6)],
  busy: [...early, ...rejectedAt(3_400)],
  lost: [...rang, lost(8_100)],
  answered: [...answered, hangUp(7_100, 'answered'), state(7_300, 6)],
} satisfies Record<string, readonly Timed[]>

export type CallEnd = keyof typeof calls

/** From the claim to the ATD, milliseconds. */
const dialsAfterMs = 100

/** The report of a call at a gate with this profile. */
export function reportOf(facts: readonly Timed[], profile: CallProfile = measured) {
  const endedMs = facts.at(-1)?.[0] ?? 0
  return {
    phase: 'ended',
    sinceClaimMs: dialsAfterMs + endedMs,
    verdict: callVerdict(recordOf(facts, 'SIM800C'), profile),
    evidence: {
      modem: 'SIM800C 1418B06',
      operator: 'Orange RO',
      signalDbm: -71,
      events: facts.map(([atMs, fact]) => ({ atMs, event: factText(fact) })),
    },
  } as const satisfies Report
}

/** The reports of such a call: that it rings, where it rang, and its end. */
export function reportsOf(facts: readonly Timed[], profile: CallProfile) {
  const ended = reportOf(facts, profile)
  const { ringMs, setupMs } = ended.verdict
  const ringing = { phase: 'ringing', sinceClaimMs: dialsAfterMs + (setupMs ?? 0) } as const
  return ringMs === null ? [ended] : [ringing, ended]
}
