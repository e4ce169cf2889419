// The opener: leads from a hint to at most one call and its reports; (state, event, time) → (state, effects), pure.

import type { DeclineReason, Report } from '@callgate/contract/wire/messages'
import {
  ageMs,
  type Claim,
  claimAgainInMs,
  declineEveryMs,
  type Effect,
  type EventType,
  hintKeptMs,
  isFresh,
  mostClaims,
  mostDeclined,
  mostHints,
  mostSpent,
  type OpenerEvent,
  type OpenerState,
  reserveInMs,
  type Step,
  type Time,
} from './openerState.ts'
import { isDialable } from './phoneNumber.ts'

const idle = { phase: 'idle' } as const

function same(state: OpenerState): Step {
  return { state, effects: [] }
}

function ignored(state: OpenerState, openingId: string, why: string): Step {
  return { state, effects: [{ type: 'ignored', openingId, why }] }
}

/** Milliseconds since the claim was first sent, as a report states them. */
function sinceClaimMs(claim: Claim, at: Time): number {
  return Math.max(0, Math.round(ageMs(claim.firstSentAt, at)))
}

function reportOf(claim: Claim, report: Report): Effect {
  return { type: 'report', openingId: claim.openingId, report }
}

function notDialled(claim: Claim, at: Time): Effect {
  return reportOf(claim, { phase: 'not_dialled', sinceClaimMs: sinceClaimMs(claim, at) })
}

/** Ends the work, which frees the modem. */
function finished(state: OpenerState, ...effects: readonly Effect[]): Step {
  return { state: { ...state, work: idle }, effects: [...effects, { type: 'release' }] }
}

/** The hints that are not yet forgotten. */
function keptHints({ hints }: OpenerState, at: Time): OpenerState['hints'] {
  return hints.filter(hint => ageMs(hint.heardAt, at) <= hintKeptMs)
}

/** Sends the claim, for the first time or again with the same content. */
function sendClaim(state: OpenerState, claim: Claim, at: Time): Step {
  return {
    state: {
      ...state,
      work: { phase: 'claiming', claim, lastSentAt: at },
      claimsAt: [...state.claimsAt, at].slice(-mostClaims),
    },
    effects: [{ type: 'claim', claim }],
  }
}

/** Notes that a grant has come for the opening, so that a later one is ignored. */
function answered(state: OpenerState, openingId: string): OpenerState {
  return {
    ...state,
    spent: state.spent.map(spent => (spent.openingId === openingId ? { openingId } : spent)),
  }
}

/** Declines each opening, unless it was declined within the last two seconds. */
function decline(state: OpenerState, openingIds: readonly string[], reason: DeclineReason, at: Time): Step {
  const recent = state.declined.filter(one => ageMs(one.at, at) < declineEveryMs)
  const due = openingIds
    .filter(openingId => !recent.some(one => one.openingId === openingId))
    .slice(0, mostDeclined - recent.length)
  return {
    state: { ...state, declined: [...recent, ...due.map(openingId => ({ openingId, at }))] },
    effects: due.map(openingId => ({ type: 'decline', openingId, reason })),
  }
}

/** Handles the answer to the outstanding claim. */
function decideGrant(state: OpenerState, claim: Claim, event: OpenerEvent<'grant'>, at: Time): Step {
  const known = answered(state, claim.openingId)
  const { grant } = event
  if (!grant.granted) {
    const { effects, state: next } = finished(known)
    const isSuperseded = grant.reason === 'superseded'
    return { state: next, effects: isSuperseded ? [...effects, { type: 'superseded' }] : effects }
  }
  if (!isDialable(grant.phoneNumber)) {
    const why = 'a number that is never dialled'
    return finished(known, { type: 'ignored', openingId: claim.openingId, why }, notDialled(claim, at))
  }
  if (!isFresh(claim, at)) return finished(known, notDialled(claim, at))
  const { callProfile, phoneNumber } = grant
  return {
    state: { ...known, work: { phase: 'intending', claim, phoneNumber, callProfile } },
    effects: [{ type: 'intend', openingId: claim.openingId }],
  }
}

type Handlers = {
  readonly [Type in EventType]: (state: OpenerState, event: OpenerEvent<Type>, at: Time) => Step
}

const handlers: Handlers = {
  hint(state, { openingId }, at) {
    const { isStopping, spent } = state
    const hints = keptHints(state, at)
    if (isStopping || spent.some(one => one.openingId === openingId)) return same(state)
    if (hints.some(hint => hint.openingId === openingId)) return same(state)
    // In the order of the presses: the first hint of an older press may have been lost, or may have gone to another gateway.
    const newer = hints.findIndex(hint => hint.openingId > openingId)
    const known = hints.toSpliced(newer < 0 ? hints.length : newer, 0, { openingId, heardAt: at })
    const tooMany = known.slice(mostHints).map(hint => hint.openingId)
    return decline({ ...state, hints: known.slice(0, mostHints) }, tooMany, 'modem_busy', at)
  },

  reserved(state, { nonce }, at) {
    if (state.work.phase !== 'reserving') return same(state)
    const reserved = { ...state, refusedAt: undefined }
    const [hint] = keptHints(state, at)
    if (!hint || state.isStopping) return finished(reserved)
    const claim = { openingId: hint.openingId, nonce, firstSentAt: at }
    const spent = [...state.spent, { openingId: claim.openingId, unanswered: claim }].slice(-mostSpent)
    return sendClaim({ ...reserved, spent, hints: state.hints.filter(one => one !== hint) }, claim, at)
  },

  notReserved(state, { reason }, at) {
    if (state.work.phase !== 'reserving') return same(state)
    const refused = { ...state, work: idle, refusedAt: at }
    // A busy line is soon free again, so the hints wait. Any other trouble of the modem is reported at once.
    if (reason === 'modem_busy') return same(refused)
    return decline(
      refused,
      state.hints.map(hint => hint.openingId),
      reason,
      at,
    )
  },

  grant(state, event, at) {
    const { bootId, nonce, openingId } = event
    if (bootId !== state.bootId) return ignored(state, openingId, 'a grant to another boot')
    const { work } = state
    if (work.phase === 'claiming' && work.claim.openingId === openingId && work.claim.nonce === nonce)
      return decideGrant(state, work.claim, event, at)
    // The claim has lapsed, so this nonce is never used to dial. The cloud may rely on that.
    const { unanswered } = state.spent.find(spent => spent.openingId === openingId) ?? {}
    if (unanswered?.nonce !== nonce) return ignored(state, openingId, 'a grant that was not asked for')
    const known = answered(state, openingId)
    return event.grant.granted ? { state: known, effects: [notDialled(unanswered, at)] } : same(known)
  },

  intentKept(state, { openingId }, at) {
    const { work } = state
    if (work.phase !== 'intending' || work.claim.openingId !== openingId) return same(state)
    const { callProfile, claim, phoneNumber } = work
    if (state.isStopping || !isFresh(claim, at)) return finished(state, notDialled(claim, at))
    return {
      state: { ...state, work: { phase: 'calling', claim } },
      effects: [{ type: 'dial', openingId, phoneNumber, callProfile }],
    }
  },

  intentRefused(state, { openingId }, at) {
    const { work } = state
    if (work.phase !== 'intending' || work.claim.openingId !== openingId) return same(state)
    return finished(state, notDialled(work.claim, at))
  },

  progress(state, { phase }, at) {
    if (state.work.phase !== 'calling') return same(state)
    const { claim } = state.work
    return { state, effects: [reportOf(claim, { phase, sinceClaimMs: sinceClaimMs(claim, at) })] }
  },

  callEnded(state, { result }, at) {
    if (state.work.phase !== 'calling') return same(state)
    const { claim } = state.work
    if (!result.dialled) return finished(state, notDialled(claim, at))
    const { evidence, verdict } = result
    const since = sinceClaimMs(claim, at)
    return finished(state, reportOf(claim, { phase: 'ended', sinceClaimMs: since, verdict, evidence }))
  },

  modemReady: state => same({ ...state, refusedAt: undefined }),
  timePassed: same,

  stop(state, _event, at) {
    const stopping = { ...state, isStopping: true, hints: [] }
    if (state.work.phase === 'claiming') return finished(stopping, notDialled(state.work.claim, at))
    return { state: stopping, effects: state.work.phase === 'calling' ? [{ type: 'hangUp' }] : [] }
  },
}

/** Applies the passing of time: forgets hints, repeats a claim, and ends a lapsed claim with or without its grant. */
function lapse(state: OpenerState, at: Time): Step {
  const kept = { ...state, hints: keptHints(state, at) }
  const { work } = kept
  if (work.phase !== 'claiming' && work.phase !== 'intending') return same(kept)
  const { claim } = work
  // The cloud may have sent a grant, or a slow disk may still write INTENT; neither is known here. It is certain that nothing was
  // dialled and nothing will be.
  if (!isFresh(claim, at)) return finished(kept, notDialled(claim, at))
  const isDue = work.phase === 'claiming' && claimAgainInMs(kept, work, at) <= 0
  return isDue ? sendClaim(kept, claim, at) : same(kept)
}

/** Reserves the modem when it is free, a hint waits, and a claim may be sent. */
function startNext(state: OpenerState, at: Time): Step {
  if (reserveInMs(state, at) !== 0) return same(state)
  return { state: { ...state, work: { phase: 'reserving' } }, effects: [{ type: 'reserve' }] }
}

/**
 * Takes one step. It keeps three rules: a nonce is used to dial at most once, after its grant and while its claim is fresh;
 * `intend` comes before every dial; at most one claim is outstanding.
 */
export function stepOpener<Type extends EventType>(
  state: OpenerState,
  event: OpenerEvent<Type>,
  at: Time,
): Step {
  const handle: (state: OpenerState, event: OpenerEvent<Type>, at: Time) => Step = handlers[event.type]
  const handled = handle(state, event, at)
  const lapsed = lapse(handled.state, at)
  const started = startNext(lapsed.state, at)
  return { state: started.state, effects: [...handled.effects, ...lapsed.effects, ...started.effects] }
}
