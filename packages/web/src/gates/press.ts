// A press: what its person sees, from the press to the moment when the gate can be pressed again.

import { type OpeningClass, openingClassOf } from '@callgate/contract/call/openingClass'
import type { ReasonWord } from '@callgate/contract/call/reason'
import type { Opening, OpeningEvidence, Queue } from '@callgate/contract/rest/opening'
import type { Failure } from '../client/client.ts'
import type { Step } from '../kit/openingLook.ts'

/** Milliseconds since 1970, by the browser's clock. */
type AtMs = number

export type Press =
  | { readonly is: 'ready' }
  /** Sent, and running: never further than the cloud has reported. */
  | {
      readonly is: 'running'
      readonly sinceMs: AtMs
      readonly step: Step
      /** What it waits for before its own call. */
      readonly queue?: Queue | undefined
    }
  /** No answer came: the opening is looked for, and nothing is sent again. */
  | { readonly is: 'checking'; readonly sinceMs: AtMs }
  | {
      readonly is: 'ended'
      readonly class: Exclude<OpeningClass, 'running'>
      readonly reason: ReasonWord | null
      readonly safeToRetry: boolean
      /** Until this time another press places no call. */
      readonly readyAtMs: AtMs
    }
  /** It led to no opening. */
  | {
      readonly is: 'not_sent'
      readonly why: 'offline' | 'lost' | 'refused' | 'too_many' | 'unavailable'
      readonly waitS: number
    }

export type EndedPress = Extract<Press, { readonly is: 'ended' }>

/** How long the button shows an end other than an opening, in milliseconds. */
export const noticeMs = 10_000

/** The progress of an opening. */
export function stepOf({ evidence, opening }: { opening: Opening; evidence: OpeningEvidence }): Step {
  if (opening.status === 'connected') return 'ringing'
  return evidence.grantedAt === null ? 'asked' : 'calling'
}

/** The end of an opening; undefined while it runs. */
export function endOf(
  { evidence, opening }: { opening: Opening; evidence: OpeningEvidence },
  given: { readonly nowMs: AtMs; readonly coolDownMs: number },
): EndedPress | undefined {
  const { confidence, opened, reason, safeToRetry } = evidence
  const kind = openingClassOf({ status: opening.status, confidence, opened, reason })
  if (kind === 'running') return undefined
  const hasOpened = kind === 'opened' || kind === 'probably_opened'
  return {
    is: 'ended',
    class: kind,
    reason: reason as ReasonWord | null,
    safeToRetry: safeToRetry ?? false,
    readyAtMs: given.nowMs + (hasOpened ? given.coolDownMs : noticeMs),
  }
}

/** What the button shows after a failed press. */
export function refusalOf({ code, extra, retryAfterS }: Failure, nowMs: AtMs): Press {
  if (code === 'rate_limited') return { is: 'not_sent', why: 'too_many', waitS: retryAfterS ?? 60 }
  if (code === 'unavailable') return { is: 'not_sent', why: 'unavailable', waitS: retryAfterS ?? 60 }
  if (code !== 'open_failed') return { is: 'not_sent', why: 'refused', waitS: 0 }
  const { reason, safeToRetry } = extra
  const given = { status: 'failed', confidence: 'certain', opened: 'no', reason: String(reason) } as const
  const kind = openingClassOf(given)
  return {
    is: 'ended',
    class: kind === 'running' ? 'unknown' : kind,
    reason: String(reason) as ReasonWord,
    safeToRetry: safeToRetry === true,
    readyAtMs: nowMs + noticeMs,
  }
}
