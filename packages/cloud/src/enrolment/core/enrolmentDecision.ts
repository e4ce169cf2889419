// An enrolment: decides on a code that a gateway sends, and on what its admin and the gateway may do then. Pure.

import type { EnrolmentView } from '@callgate/contract/app/enrolment'
import type { EnrolmentRefusal } from '@callgate/contract/enrolment/enrolmentOperations'

/** How often a code may come with a right name and a wrong rest. */
export const mostWrongTries = 5

const minuteMs = 60_000
/** How long a code is accepted: while somebody types it, or while a card is carried to its gateway. */
export const codeValidMs = { typed: 10 * minuteMs, card: 24 * 60 * minuteMs } as const
/** How long an admin has to confirm a gateway. A gateway with a card may be a day's journey away. */
export const confirmWithinMs = { typed: 60 * minuteMs, card: 24 * 60 * minuteMs } as const
/** How long a confirmed gateway may ask for its login. */
export const loginWithinMs = 24 * 60 * minuteMs

/** The parts of an enrolment that decide. */
export interface EnrolmentFacts {
  readonly wrongTries: number
  readonly expiresAt: string
  readonly publicKey: string | null
  readonly commitment: string | null
  readonly fingerprint: string | null
  readonly endedAt: string | null
  readonly endedAs: 'confirmed' | 'refused' | null
  readonly storedAt: string | null
}

const isOver = ({ expiresAt }: Pick<EnrolmentFacts, 'expiresAt'>, nowMs: number) =>
  nowMs >= Date.parse(expiresAt)

export function enrolmentState(facts: EnrolmentFacts, nowMs: number): EnrolmentView['state'] {
  if (facts.endedAs !== null) return facts.endedAs
  if (isOver(facts, nowMs)) return 'expired'
  if (facts.publicKey !== null) return 'pending'
  return facts.wrongTries >= mostWrongTries ? 'spent' : 'waiting'
}

/**
 * The result of a code. Only a sender of the whole code learns what became of it. `wrong`: one more wrong try, which counts while
 * the code is accepted at all. `again`: the same gateway, which did not receive the answer.
 */
export type CodeDecision =
  | { readonly kind: 'take' | 'again' }
  | { readonly kind: 'wrong'; readonly counts: boolean }
  | { readonly kind: 'refuse'; readonly reason: EnrolmentRefusal }

export function decideCode(
  facts: EnrolmentFacts,
  sent: { readonly isRight: boolean; readonly publicKey: string; readonly commitment: string },
  nowMs: number,
): CodeDecision {
  const state = enrolmentState(facts, nowMs)
  if (!sent.isRight) return { kind: 'wrong', counts: state === 'waiting' }
  const refuse = (reason: EnrolmentRefusal): CodeDecision => ({ kind: 'refuse', reason })
  const isSame = facts.publicKey === sent.publicKey && facts.commitment === sent.commitment
  // A gateway that repeats the code learns the state when it asks for its login.
  if (isSame) return { kind: 'again' }
  if (facts.publicKey !== null) return refuse('code_used')
  switch (state) {
    case 'refused':
      return refuse('code_cancelled')
    case 'expired':
      return refuse('code_expired')
    case 'spent':
      return refuse('code_spent')
    default:
      return { kind: 'take' }
  }
}

/** The answer to a gateway that has proved its identity. `hand_out`: its login. */
export type LoginDecision =
  | { readonly kind: 'wait' | 'hand_out' }
  | { readonly kind: 'refuse'; readonly reason: EnrolmentRefusal }

export function decideAsking(facts: EnrolmentFacts, isRevoked: boolean, nowMs: number): LoginDecision {
  const refuse = (reason: EnrolmentRefusal): LoginDecision => ({ kind: 'refuse', reason })
  switch (enrolmentState(facts, nowMs)) {
    case 'confirmed':
      if (isRevoked) return refuse('not_confirmed')
      if (facts.storedAt !== null) return refuse('handed_out')
      return nowMs < Date.parse(facts.endedAt ?? '') + loginWithinMs
        ? { kind: 'hand_out' }
        : refuse('too_late')
    case 'refused':
      return refuse('not_confirmed')
    case 'expired':
      return refuse('too_late')
    default:
      return { kind: 'wait' }
  }
}

/** Why an admin cannot confirm; undefined where they can. */
export function confirmFault(
  facts: EnrolmentFacts,
  fingerprint: string,
  nowMs: number,
): 'not_pending' | 'other_fingerprint' | undefined {
  if (enrolmentState(facts, nowMs) !== 'pending' || facts.fingerprint === null) return 'not_pending'
  return facts.fingerprint === fingerprint ? undefined : 'other_fingerprint'
}
