// What an admin can do about an opening that did not go well, by its reason: in words, with the page where it is done.

import { type Advice, adviceAfter } from '@callgate/contract/call/advice'
import type { OpeningClass } from '@callgate/contract/call/openingClass'
import type { Remedy } from '@callgate/contract/call/reasonRow'
import { isKnownReason } from '@callgate/contract/call/reasonRows'

/** Where something is done about it. */
export type AdvicePage = 'gate' | 'member' | 'gateway'

/** Null: it is done at the place itself. */
const pageOf: Readonly<Record<Remedy, AdvicePage | null>> = {
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
  barring: 'gateway',
  gateModule: null,
  look: null,
}

/** What to do: a change, another press, or nothing. */
export interface Advised extends Advice {
  /** Undefined: it is done at the place itself, or there is nothing to do. */
  readonly page: AdvicePage | undefined
}

/** What of an opening the advice depends on. */
interface Ended {
  readonly class: OpeningClass
  readonly reason: string | null
  readonly safeToRetry: boolean | null
  readonly gateId: string
  readonly by: { readonly kind: 'member' | 'key' | 'user'; readonly id: string | null }
}

/** What to do; undefined where all went well, where it still runs, and for a reason that is not known here. */
export function adviceOf({ by, class: kind, reason, safeToRetry }: Ended): Advised | undefined {
  if (kind === 'running' || kind === 'opened' || kind === 'probably_opened' || reason === null)
    return undefined
  if (!isKnownReason(reason)) return undefined
  const advice = adviceAfter(reason, safeToRetry ?? false)
  const page = (advice.remedy && pageOf[advice.remedy]) ?? undefined
  // Only a member has hours and a cap; its page may be gone.
  const isNowhere = page === 'member' && (by.kind !== 'member' || by.id === null)
  return { ...advice, page: isNowhere ? undefined : page }
}

/** Whether two openings have one cause: at one gate, about which the same can be done. */
export function hasSameCause(a: Ended, b: Ended): boolean {
  const [first, second] = [adviceOf(a), adviceOf(b)]
  if (!first?.remedy || !second) return false
  const isSame = first.remedy === second.remedy && first.page === second.page && a.gateId === b.gateId
  return isSame && (first.page !== 'member' || a.by.id === b.by.id)
}
