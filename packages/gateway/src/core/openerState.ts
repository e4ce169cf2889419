// The types of the opener: its state, its events and its effects; and functions that query its state.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { Evidence, Verdict } from '@callgate/contract/call/verdict'
import type { DeclineReason, Grant, Report } from '@callgate/contract/wire/messages'
import { claimFreshMs } from '@callgate/contract/wire/timing'

/** A point in time by both clocks of the gateway. It has the shape of the world's `Moment`. */
export interface Time {
  readonly monotonicMs: number
  readonly sinceBootMs: number
}

/** Milliseconds from `since` to `at` by the clock that moved more, so that suspended time counts. */
export function ageMs(since: Time, at: Time): number {
  return Math.max(at.monotonicMs - since.monotonicMs, at.sinceBootMs - since.sinceBootMs)
}

/** How many hints are kept at once. */
export const mostHints = 16
/** The time from the first hint of an opening until it is forgotten. The cloud grants no opening that is older. */
export const hintKeptMs = 12_000
/** The pause between two declines of one opening. */
export const declineEveryMs = 2_000
/** The pause between two sendings of an unanswered claim. */
const claimAgainMs = 1_000
/** The pause after a refused reservation. */
const reserveAgainMs = 1_000
/**
 * The most claims in any two seconds: a limit against storms. It is high enough that people at several gates wait only for the
 * running call.
 */
export const mostClaims = 4
const claimWindowMs = 2_000
/** How many spent openings are remembered, so that one boot claims no opening twice. */
export const mostSpent = 256
export const mostDeclined = 64

/** A claim: the question to the cloud whether to dial for this opening now. */
export interface Claim {
  readonly openingId: string
  readonly nonce: string
  /** The nonce's age counts from here, also when the claim is repeated. */
  readonly firstSentAt: Time
}

/** What the modem is reserved for. */
export type Work =
  | { readonly phase: 'idle' }
  | { readonly phase: 'reserving' }
  | { readonly phase: 'claiming'; readonly claim: Claim; readonly lastSentAt: Time }
  | {
      readonly phase: 'intending'
      readonly claim: Claim
      readonly phoneNumber: string
      readonly callProfile: CallProfile
    }
  | { readonly phase: 'calling'; readonly claim: Claim }

/** An opening that this boot has claimed or an earlier boot has dialled. It is never claimed again. */
export interface Spent {
  readonly openingId: string
  /** The claim, if it is unanswered. A late grant for it is answered with `not_dialled`. */
  readonly unanswered?: Claim
}

export interface OpenerState {
  readonly bootId: string
  readonly work: Work
  /** In the order of the presses, by which the ids of openings increase. `heardAt` is the time of the first hint. */
  readonly hints: readonly { readonly openingId: string; readonly heardAt: Time }[]
  readonly spent: readonly Spent[]
  readonly declined: readonly { readonly openingId: string; readonly at: Time }[]
  /** When the latest claims were sent. */
  readonly claimsAt: readonly Time[]
  /** When the last reservation was refused. */
  readonly refusedAt: Time | undefined
  readonly isStopping: boolean
}

/** It has the shape of the modem's `DialResult`. */
export type CallResult =
  | { readonly dialled: false; readonly why: string }
  | { readonly dialled: true; readonly verdict: Verdict; readonly evidence: Evidence }

interface EventFields {
  hint: { readonly openingId: string }
  /** The modem is reserved for one dial; `nonce` has 128 new random bits for the claim. */
  reserved: { readonly nonce: string }
  notReserved: { readonly reason: DeclineReason }
  /** A grant with a valid signature, for this gateway. */
  grant: {
    readonly openingId: string
    readonly nonce: string
    readonly bootId: string
    readonly grant: Grant
  }
  /** INTENT is on the disk. */
  intentKept: { readonly openingId: string }
  intentRefused: { readonly openingId: string }
  progress: { readonly phase: 'ringing' | 'answered' }
  callEnded: { readonly result: CallResult }
  modemReady: object
  timePassed: object
  stop: object
}

export type EventType = keyof EventFields
export type OpenerEvent<Type extends EventType = EventType> = {
  [T in Type]: { readonly type: T } & EventFields[T]
}[Type]

export type Effect =
  | { readonly type: 'reserve' }
  | { readonly type: 'release' }
  | { readonly type: 'claim'; readonly claim: Claim }
  | { readonly type: 'decline'; readonly openingId: string; readonly reason: DeclineReason }
  /** Appends INTENT to the journal and syncs it; answered by `intentKept` or `intentRefused`. */
  | { readonly type: 'intend'; readonly openingId: string }
  /** Answered by `callEnded`. The modem checks `mayDial` again directly before it writes ATD. */
  | {
      readonly type: 'dial'
      readonly openingId: string
      readonly phoneNumber: string
      readonly callProfile: CallProfile
    }
  | { readonly type: 'hangUp' }
  | { readonly type: 'report'; readonly openingId: string; readonly report: Report }
  /** The cloud refuses this boot, now and later. */
  | { readonly type: 'superseded' }
  | { readonly type: 'ignored'; readonly openingId: string; readonly why: string }

export interface Step {
  readonly state: OpenerState
  readonly effects: readonly Effect[]
}

/** The state at the start of a boot. `dialledBefore` lists the openings in the journal. */
export function openerState(bootId: string, dialledBefore: readonly string[]): OpenerState {
  return {
    bootId,
    work: { phase: 'idle' },
    hints: [],
    spent: dialledBefore.map(openingId => ({ openingId })).slice(-mostSpent),
    declined: [],
    claimsAt: [],
    refusedAt: undefined,
    isStopping: false,
  }
}

/** Milliseconds for which the claim still allows a dial; negative when it no longer does. */
function freshForMs(claim: Claim, at: Time): number {
  return claimFreshMs - ageMs(claim.firstSentAt, at)
}

export function isFresh(claim: Claim, at: Time): boolean {
  return freshForMs(claim, at) >= 0
}

/** Whether the ATD for `openingId` may be written at `at`, which must be the present time. */
export function mayDial(state: OpenerState, openingId: string, at: Time): boolean {
  const { isStopping, work } = state
  return (
    !isStopping && work.phase === 'calling' && work.claim.openingId === openingId && isFresh(work.claim, at)
  )
}

/** Milliseconds until another claim may be sent; 0: now. */
function claimAllowedInMs(state: OpenerState, at: Time): number {
  const first = state.claimsAt.at(-mostClaims)
  return first ? Math.max(0, claimWindowMs - ageMs(first, at)) : 0
}

/** Milliseconds until the outstanding claim is sent again; 0: now. */
export function claimAgainInMs(state: OpenerState, work: Work & { phase: 'claiming' }, at: Time): number {
  return Math.max(claimAgainMs - ageMs(work.lastSentAt, at), claimAllowedInMs(state, at))
}

/** Milliseconds until the modem is reserved for the next hint; 0: now; undefined: not before another event. */
export function reserveInMs(state: OpenerState, at: Time): number | undefined {
  const { hints, isStopping, refusedAt, work } = state
  if (work.phase !== 'idle' || isStopping || hints.length === 0) return undefined
  const retryMs = refusedAt ? reserveAgainMs - ageMs(refusedAt, at) : 0
  return Math.max(0, retryMs, claimAllowedInMs(state, at))
}

/** Milliseconds until `timePassed` has work to do; undefined: no work is planned. */
export function wakeInMs(state: OpenerState, at: Time): number | undefined {
  const { work } = state
  if (work.phase !== 'claiming' && work.phase !== 'intending') return reserveInMs(state, at)
  const lapsesInMs = freshForMs(work.claim, at) + 1
  return Math.max(
    0,
    work.phase === 'claiming' ? Math.min(claimAgainInMs(state, work, at), lapsesInMs) : lapsesInMs,
  )
}
