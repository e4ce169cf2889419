// Decides whether an opening may be dialled now, from the rows that the transaction has locked and read.

import type { ReasonWord } from '@callgate/contract/call/reason'
import { numberRefusal } from '@callgate/contract/number/refusedNumbers'
import { magicOf } from '@callgate/contract/sandbox/magicNumbers'
import { type AccessFacts, decideAccess } from './accessDecision.ts'

/** An API key that presses. Times are ISO texts. */
export interface KeyFacts {
  readonly revokedAt: string | null
  readonly expiresAt: string | null
  readonly mayOpen: boolean
  readonly planHasApi: boolean
}

/** A user of the dashboard who presses. Times are ISO texts. */
export interface UserFacts {
  readonly deactivatedAt: string | null
  /** When the session ends, even if it is used, and when it was last used. */
  readonly expiresAt: string
  readonly lastSeenAt: string
}

/** The principal of a press. The key, the user's role or session, or the access is undefined where it no longer exists. */
export type PrincipalFacts =
  | { readonly kind: 'key'; readonly key: KeyFacts | undefined }
  | { readonly kind: 'user'; readonly user: UserFacts | undefined }
  | { readonly kind: 'guest'; readonly isMemberActive: boolean; readonly access: AccessFacts | undefined }

/** The facts that a permit depends on, read inside one transaction. */
export interface PermitFacts {
  /** Milliseconds since the epoch. */
  readonly nowMs: number
  /** The time that schedules see: in a sandbox, that of its own clock. */
  readonly scheduleMs: number
  readonly isSandbox: boolean
  /** Whether an admin has locked all gates of the Space. */
  readonly isLockedDown: boolean
  /** The number that the opening was accepted for. */
  readonly acceptedNumber: string
  readonly gate: { readonly isActive: boolean; readonly phoneNumber: string }
  readonly principal: PrincipalFacts
}

function keyRefusal(key: KeyFacts | undefined, nowMs: number): ReasonWord | undefined {
  if (!key || key.revokedAt !== null) return 'permission_lost'
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs) return 'permission_lost'
  return key.mayOpen && key.planHasApi ? undefined : 'permission_lost'
}

/** How long a session lives without use. */
export const sessionIdleMs = 12 * 60 * 60 * 1000

/** Whether a session is alive at `nowMs` and its user may sign in. */
export function isSessionAlive({ deactivatedAt, expiresAt, lastSeenAt }: UserFacts, nowMs: number): boolean {
  const isIdle = Date.parse(lastSeenAt) + sessionIdleMs <= nowMs
  return deactivatedAt === null && !isIdle && Date.parse(expiresAt) > nowMs
}

/** Why a user is refused. A user may open each gate of their Space, at any time. */
function userRefusal(user: UserFacts | undefined, nowMs: number): ReasonWord | undefined {
  return user && isSessionAlive(user, nowMs) ? undefined : 'permission_lost'
}

/** Whether the number is one that gates of this kind of Space never have. It may have been stored before its range was refused. */
function isRefused({ gate: { phoneNumber }, isSandbox }: PermitFacts): boolean {
  return isSandbox ? magicOf(phoneNumber) === undefined : numberRefusal(phoneNumber) !== undefined
}

/** The reason why the opening may not be dialled; undefined when it may. */
export function dialRefusal(facts: PermitFacts): ReasonWord | undefined {
  const { principal, gate, nowMs } = facts
  if (facts.isLockedDown) return 'locked_down'
  if (!gate.isActive) return 'gate_inactive'
  if (gate.phoneNumber !== facts.acceptedNumber) return 'number_changed'
  if (isRefused(facts)) return 'number_not_allowed'
  if (principal.kind === 'key') return keyRefusal(principal.key, nowMs)
  if (principal.kind === 'user') return userRefusal(principal.user, nowMs)
  if (!principal.isMemberActive || !principal.access) return 'access_revoked'
  return decideAccess(principal.access, facts.scheduleMs).refusal
}
