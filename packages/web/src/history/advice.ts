// What an admin can do about an opening that did not go well, by its reason: in words, with the page where it is done.

import type { OpeningClass } from '@callgate/contract/call/openingClass'
import type { ReasonWord } from '@callgate/contract/call/reason'
import type { Words } from '../words/words.tsx'

export type Advice = keyof Words['history']['advices']

/** Where something is done about it. */
export type AdvicePage = 'gate' | 'member' | 'gateway'

const byReason: Readonly<Record<ReasonWord, Advice>> = {
  gate_inactive: 'switchOnGate',
  gateway_offline: 'gateway',
  modem_busy: 'nothing',
  modem_not_ready: 'gateway',
  no_network: 'gateway',
  not_dialled: 'nothing',
  interrupted: 'nothing',
  outside_schedule: 'hours',
  access_ended: 'hours',
  usage_exhausted: 'cap',
  access_inactive: 'access',
  access_revoked: 'access',
  permission_lost: 'access',
  number_not_allowed: 'correctNumber',
  number_changed: 'nothing',
  number_in_use: 'nothing',
  sim_error: 'simCard',
  line_in_use: 'nothing',
  dial_no_response: 'gateway',
  busy: 'nothing',
  network_rejected: 'credit',
  bad_number: 'correctNumber',
  congestion: 'nothing',
  unreachable: 'gateModule',
  no_ringing: 'gateModule',
  rejected_after_ring: 'nothing',
  rejected: 'allowNumber',
  ended_too_early: 'callProfile',
  late_release: 'callProfile',
  rang_out: 'allowNumber',
  rang: 'nothing',
  no_reaction: 'allowNumber',
  no_answer: 'allowNumber',
  answered_unexpectedly: 'callProfile',
  rejected_to_voicemail: 'nothing',
  answered_released: 'nothing',
  answered: 'nothing',
  confirmed: 'nothing',
  dropped: 'allowNumber',
  voicemail_suspected: 'correctNumber',
  cancelled: 'nothing',
  modem_lost: 'supply',
  modem_lost_after_ring: 'supply',
  outcome_unknown: 'look',
  no_report: 'gateway',
}

const pageOf: Partial<Record<Advice, AdvicePage>> = {
  supply: 'gateway',
  allowNumber: 'gate',
  hours: 'member',
  cap: 'member',
  access: 'member',
  switchOnGate: 'gate',
  correctNumber: 'gate',
  callProfile: 'gate',
  gateway: 'gateway',
  simCard: 'gateway',
  credit: 'gateway',
}

export interface Advised {
  readonly advice: Advice
  /** Undefined: it is done at the place itself, or there is nothing to do. */
  readonly page: AdvicePage | undefined
}

/** What of an opening the advice depends on. */
interface Ended {
  readonly class: OpeningClass
  readonly reason: string | null
  readonly gateId: string
  readonly by: { readonly kind: 'member' | 'key' | 'user'; readonly id: string | null }
}

/** What to do; undefined where all went well, where it still runs, and for a reason that is not known here. */
export function adviceOf({ by, class: kind, reason }: Ended): Advised | undefined {
  if (kind === 'running' || kind === 'opened' || kind === 'probably_opened' || reason === null)
    return undefined
  if (!Object.hasOwn(byReason, reason)) return undefined
  const advice = byReason[reason as ReasonWord]
  const page = pageOf[advice]
  // Only a member has hours and a cap; its page may be gone.
  const isNowhere = page === 'member' && (by.kind !== 'member' || by.id === null)
  return { advice, page: isNowhere ? undefined : page }
}

/** Whether two openings have one cause: at one gate, about which the same can be done. */
export function hasSameCause(a: Ended, b: Ended): boolean {
  const [first, second] = [adviceOf(a), adviceOf(b)]
  if (!first || !second || first.advice === 'nothing') return false
  const isSame = first.advice === second.advice && first.page === second.page && a.gateId === b.gateId
  return isSame && (first.page !== 'member' || a.by.id === b.by.id)
}
