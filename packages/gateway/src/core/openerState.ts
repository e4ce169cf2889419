// The types of the opener: its state, its events and its effects; and the questions that its state answers.

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

/** Hints that are kept at once. */
export const mostHints = 16
/** From the first hint of an opening until it is forgotten. The cloud grants no opening that is older. */
export const hintKeptMs = 12_000
/** From one decline of an opening to its next. */
export const declineEveryMs = 2_000
/** From one sending of a claim to the next, while it is unanswered. */
const claimAgainMs = 1_000
/** The pause after a refused reservation. */
const reserveAgainMs = 1_000
/** Claims in any two seconds, at most: a guard against storms. Several people at several gates wait for no other's call but the one that runs. */
export const mostClaims = 4
const claimWindowMs = 2_000
/** Spent openings that are remembered, so that one boot claims no opening twice. */
export const mostSpent = 256
export const mostDeclined = 64

/** One question to the cloud: may I dial for this opening now? */
export interface Claim {
  readonly openingId: string
  readonly nonce: string
  /** The nonce's age counts from here, also when the claim is sent again. */
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
  /** The claim without an answer. A late grant for it is answered with `not_dialled`. */
  readonly unanswered?: Claim
}

export interface OpenerState {
  readonly bootId: string
  readonly work: Work
  /** In the order of the presses, by which the ids of openings count up. `heardAt`: when the first hint of an opening came. */
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
  /** The modem is reserved for one dial; `nonce` is 128 fresh random bits for the claim. */
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
  /** Append INTENT to the journal and sync it; answered by `intentKept` or `intentRefused`. */
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

/** The state at the start of a boot. `dialledBefore` are the openings in the journal. */
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

/** Milliseconds for which the claim still allows a dial; below 0 when it does not any more. */
function freshForMs(claim: Claim, at: Time): number {
  return claimFreshMs - ageMs(claim.firstSentAt, at)
}

export function isFresh(claim: Claim, at: Time): boolean {
  return freshForMs(claim, at) >= 0
}

/** Whether the ATD for `openingId` may be written at `at`, which must be now. */
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

/** Milliseconds until the modem is reserved for the next hint; 0: now; undefined: only after another event. */
export function reserveInMs(state: OpenerState, at: Time): number | undefined {
  const { hints, isStopping, refusedAt, work } = state
  if (work.phase !== 'idle' || isStopping || hints.length === 0) return undefined
  const retryMs = refusedAt ? reserveAgainMs - ageMs(refusedAt, at) : 0
  return Math.max(0, retryMs, claimAllowedInMs(state, at))
}

/** Milliseconds until `timePassed` has something to do; undefined: nothing to do. */
export function wakeInMs(state: OpenerState, at: Time): number | undefined {
  const { work } = state
  if (work.phase !== 'claiming' && work.phase !== 'intending') return reserveInMs(state, at)
  const lapsesInMs = freshForMs(work.claim, at) + 1
  return Math.max(
    0,
    work.phase === 'claiming' ? Math.min(claimAgainInMs(state, work, at), lapsesInMs) : lapsesInMs,
  )
}
