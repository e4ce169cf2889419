// One gate's call on a page: its newest opening and the own press. Badge, ring, bar and button all show this state, so that
// they never differ, and it never goes back, whatever source tells something first.

import type { GateFigures } from '@callgate/contract/app/appGateFigures'
import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import { afterCall, isSilent } from '@callgate/contract/call/callOutcomes'
import type { Step } from '../kit/openingLook.ts'
import type { EndedPress, Press } from './press.ts'

/** The fields of an opening that a page shows of it. */
export type ShownOpening = Pick<
  OpeningRecord,
  | 'id'
  | 'class'
  | 'step'
  | 'reason'
  | 'safeToRetry'
  | 'hasRung'
  | 'by'
  | 'openedBy'
  | 'seen'
  | 'calledAt'
  | 'completedAt'
  | 'gateId'
  | 'gatewayId'
>

export interface GateCall {
  /** The newest opening of the gate, as far as any source has told; null: none is known. */
  readonly newest: ShownOpening | null
  /** What the button shows. */
  readonly press: Press
  /** The opening of the press, once it is known. */
  readonly openingId?: string | undefined
  /** The call whose step is shown: that of the press, or the one that it joins. */
  readonly callId?: string | undefined
  /** The newest opening before the press. */
  readonly before: ShownOpening | null
}

/** The number of last openings that a gate shows: as many as the cloud returns. */
export const ticksShown = 24

const ready: Press = { is: 'ready' }

/** Nothing is known yet. */
export const noCall: GateCall = { newest: null, press: ready, before: null }

const rankOf: Readonly<Record<Step, number>> = { asked: 1, calling: 2, ringing: 3 }

const isRunning = (opening: Pick<ShownOpening, 'class'> | null) => opening?.class === 'running'
const stepOf = ({ step }: Pick<ShownOpening, 'step'>): Step => step ?? 'asked'
const further = (one: Step, other: Step): Step => (rankOf[other] > rankOf[one] ? other : one)

/** The same opening as two sources tell it, as far as either. `told` is the later answer. */
function furthest<Of extends ShownOpening>(known: ShownOpening, told: Of): Of {
  if (!isRunning(told)) return told
  if (!isRunning(known)) return { ...told, ...known }
  const step = further(stepOf(known), stepOf(told))
  return step === told.step ? told : { ...told, step }
}

/** One opening of a list as far as it is known. */
export const asFarAs = <Of extends ShownOpening>(record: Of, { newest }: Pick<GateCall, 'newest'>): Of =>
  newest?.id === record.id ? furthest(newest, record) : record

const isSame = (one: ShownOpening, other: ShownOpening) =>
  (Object.keys(other) as (keyof ShownOpening)[]).every(key => one[key] === other[key])

/** The press is at this step of its call. */
function withStep(call: GateCall, step: Step): GateCall {
  const { newest, press } = call
  if (press.is !== 'running' || !newest) return call
  if (press.step === step && newest.step === step) return call
  return { ...call, press: { ...press, step }, newest: { ...newest, step } }
}

/** After an answer of a list. A call of the reader that still runs is followed, as after the page was loaded again. */
export function listed(call: GateCall, last: OpeningRecord | null | undefined, userId: string): GateCall {
  const { callId, newest, openingId, press } = call
  if (!last) return call
  if (press.is === 'running' || press.is === 'checking') {
    // The end of the press comes with its evidence.
    const isIts = last.id === callId || last.id === openingId
    return isIts && isRunning(last) && press.is === 'running'
      ? withStep(call, further(press.step, stepOf(last)))
      : call
  }
  // An answer that is older than what is shown is no news. Ids of openings are in the order of time.
  if (newest && last.id < newest.id) return call
  const shown = newest?.id === last.id ? furthest(newest, last) : last
  const isMine = isRunning(shown) && shown.by.kind === 'user' && shown.by.id === userId
  if (isMine && press.is === 'ready') {
    const sinceMs = Date.parse(last.calledAt)
    const followed: Press = { is: 'running', sinceMs, step: stepOf(shown) }
    return { newest: shown, press: followed, openingId: last.id, callId: last.id, before: newest }
  }
  if (newest && isSame(newest, shown)) return call
  // A newer call runs: the button does not show the end of the one before any more.
  const isNewer = newest !== null && newest.id !== shown.id && isRunning(shown)
  return { ...call, newest: shown, press: isNewer && press.is === 'ended' ? ready : press }
}

/** The person presses. Where a call runs already, the press most likely joins it. */
export function pressed(
  { newest }: GateCall,
  given: { readonly sinceMs: number; readonly gateId: string; readonly userId: string },
): GateCall {
  const { gateId, sinceMs, userId } = given
  const joined = newest && isRunning(newest) ? newest : undefined
  const step = joined ? stepOf(joined) : 'asked'
  const own: ShownOpening = {
    id: '',
    class: 'running',
    step,
    reason: null,
    safeToRetry: null,
    hasRung: false,
    by: { kind: 'user', id: userId },
    openedBy: { type: 'owner', name: '', email: null },
    seen: null,
    calledAt: new Date(sinceMs).toISOString(),
    completedAt: null,
    gateId,
    gatewayId: null,
  }
  return { newest: own, press: { is: 'running', sinceMs, step }, callId: joined?.id, before: newest }
}

/** The press is known under this id. */
export function accepted(call: GateCall, openingId: string): GateCall {
  const { newest, press } = call
  if (!newest) return call
  const sinceMs =
    press.is === 'running' || press.is === 'checking' ? press.sinceMs : Date.parse(newest.calledAt)
  return {
    ...call,
    openingId,
    newest: { ...newest, id: openingId },
    press: press.is === 'running' ? press : { is: 'running', sinceMs, step: stepOf(newest) },
  }
}

/** No answer to the press came. */
export const unanswered = (call: GateCall): GateCall =>
  call.press.is === 'running' ? { ...call, press: { is: 'checking', sinceMs: call.press.sinceMs } } : call

/** The press led to no opening that could be followed. */
export const refused = ({ before }: GateCall, press: Press): GateCall => ({ newest: before, press, before })

/** What is told of the opening of a press: its step, or its end. */
export type CallNews =
  | { readonly openingId: string; readonly callId: string; readonly step: Step }
  | { readonly openingId: string; readonly end: EndedPress }

/** After an answer about the opening of the press. */
export function told(call: GateCall, news: CallNews): GateCall {
  const { newest, press } = call
  if (news.openingId !== call.openingId || press.is !== 'running' || !newest) return call
  if ('end' in news) {
    const { class: kind, reason, safeToRetry } = news.end
    const hasRung = newest.hasRung || press.step === 'ringing'
    const ended = { ...newest, class: kind, step: null, reason, safeToRetry, hasRung }
    return { newest: ended, press: news.end, before: null }
  }
  const { callId, step } = news
  // It joins another call than it seemed, or none: then its step is that of this call.
  const isOther = call.callId !== undefined && call.callId !== callId
  const next = withStep(call, isOther ? step : further(press.step, step))
  return call.callId === callId ? next : { ...next, callId }
}

/** The button can be pressed again. */
export const rested = ({ newest }: GateCall): GateCall => ({ ...noCall, newest })

/** The figures of a gate, with its newest opening as far as it is known. */
export type ShownFigures = Omit<GateFigures, 'last'> & { readonly last: ShownOpening | null }

function ticksOf({ ticks }: GateFigures, { class: kind, id }: ShownOpening): GateFigures['ticks'] {
  const shown = { openingId: id, class: kind }
  if (ticks.some(({ openingId }) => openingId === id))
    return ticks.map(tick => (tick.openingId === id ? shown : tick))
  return [...ticks, shown].slice(-ticksShown)
}

/** The figures as far as the newest opening is known: they were read earlier. */
export function figuresShown(
  figures: GateFigures | undefined,
  { newest }: Pick<GateCall, 'newest'>,
): ShownFigures | undefined {
  if (!figures || !newest) return figures
  const { last, outcomes } = figures
  const isCounted = last?.id === newest.id && !isRunning(last)
  const isCall = !isSilent(newest.class)
  return {
    ...figures,
    last: newest,
    ticks: ticksOf(figures, newest),
    outcomes: isCounted || !isCall ? outcomes : afterCall(outcomes, newest),
  }
}
