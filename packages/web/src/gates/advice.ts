// Advice for an admin about an opening that did not succeed, by its reason: a text, and the page for the action.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { type Advice, adviceAfter } from '@callgate/contract/call/advice'
import type { OpeningClass } from '@callgate/contract/call/openingClass'
import type { Remedy } from '@callgate/contract/call/reasonRow'
import { isKnownReason } from '@callgate/contract/call/reasonRows'
import { hrefOf } from '../shell/navigation.ts'

/** The place of the action. */
type AdvicePage = 'gate' | 'member' | 'gateway'

/** Null: the action takes place at the gate itself. */
const pageOf: Readonly<Record<Remedy, AdvicePage | null>> = {
  supply: 'gateway',
  allowNumber: 'gate',
  hours: 'member',
  cap: 'member',
  access: 'member',
  switchOnGate: 'gate',
  endLockDown: null,
  correctNumber: 'gate',
  callProfile: 'gate',
  gateway: 'gateway',
  simCard: 'gateway',
  credit: 'gateway',
  barring: 'gateway',
  gateModule: null,
  look: null,
}

/** The part of the gate's page where the action is. */
const partOf: Partial<Readonly<Record<Remedy, string>>> = {
  allowNumber: '#let-in',
  correctNumber: '#edit',
  callProfile: '#takes',
}

/** The advice: a change, another press, or nothing. */
export interface Advised extends Advice {
  /** Undefined: the action takes place at the gate itself, or there is none. */
  readonly page: AdvicePage | undefined
}

/** The fields of an opening on which the advice depends. */
interface Ended {
  readonly class: OpeningClass
  readonly reason: string | null
  readonly safeToRetry: boolean | null
  readonly gateId: string
  readonly by: { readonly kind: 'member' | 'key' | 'user'; readonly id: string | null }
}

/** The advice; undefined where all went well, while the opening runs, and for an unknown reason. */
export function adviceOf({ by, class: kind, reason, safeToRetry }: Ended): Advised | undefined {
  if (kind === 'running' || kind === 'opened' || kind === 'probably_opened' || reason === null)
    return undefined
  if (!isKnownReason(reason)) return undefined
  const advice = adviceAfter(reason, safeToRetry ?? false)
  const page = (advice.remedy && pageOf[advice.remedy]) ?? undefined
  // Only a member has hours and a cap; the member's page may no longer exist.
  const isNowhere = page === 'member' && (by.kind !== 'member' || by.id === null)
  return { ...advice, page: isNowhere ? undefined : page }
}

/** The link to the page for the action; undefined where there is none. */
export function pathOf(
  { page, remedy }: Advised,
  { by, gateId, gatewayId }: Pick<Ended, 'by' | 'gateId'> & { readonly gatewayId: string | null },
  spaceId: string,
): string | undefined {
  if (page === undefined) return undefined
  if (page === 'gate')
    return `${hrefOf(dashboardPaths.gate, { spaceId, gateId })}${(remedy && partOf[remedy]) ?? ''}`
  if (page === 'member') return hrefOf(dashboardPaths.member, { spaceId, memberId: by.id ?? '' })
  return gatewayId === null
    ? hrefOf(dashboardPaths.gateways, { spaceId })
    : hrefOf(dashboardPaths.gateway, { spaceId, gatewayId })
}

/** Whether two openings have one cause: they are at one gate, and have the same advice. */
export function hasSameCause(a: Ended, b: Ended): boolean {
  const [first, second] = [adviceOf(a), adviceOf(b)]
  if (!first?.remedy || !second) return false
  const isSame = first.remedy === second.remedy && first.page === second.page && a.gateId === b.gateId
  return isSame && (first.page !== 'member' || a.by.id === b.by.id)
}
