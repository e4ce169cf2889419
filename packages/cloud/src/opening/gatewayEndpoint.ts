// What the exchange needs of the gateways: who is online, and the hint that makes one of them claim.

import type { GateCallers } from '@callgate/contract/call/gateCallers'
import type { Envelope, Grant } from '@callgate/contract/wire/messages'
import { hintEveryMs } from '@callgate/contract/wire/timing'
import { passed } from '@callgate/world/hops'
import type { Moment } from '@callgate/world/world'
import { inCallingOrder } from '../core/gateCallers.ts'
import type { GatewayClock } from '../core/gatewayClock.ts'
import type { OpeningRow } from '../core/opening.ts'
import type { FailingGateways } from '../gateway/failingGateways.ts'
import type { OpeningClock } from './openingClock.ts'

/** The claim that a grant answers. */
export type GrantedClaim = Required<Pick<Envelope, 'gatewayId' | 'openingId' | 'nonce' | 'bootId'>>

/** `gatewayWire.ts` implements it. */
export interface GatewayEndpoint {
  /** Reads what the methods below need of a Space; undefined where it is known already. Call it before them. */
  know?(spaceId: string): Promise<void> | undefined
  /**
   * The Space's gateways that are connected and alive, the likeliest to serve first. `phoneNumber` is that of a gate: in a sandbox,
   * a number can stand for a gateway that is offline.
   */
  online(spaceId: string, phoneNumber?: string): readonly string[]
  /** Those of them whose modem is ready, or in a call. */
  ableToCall(spaceId: string, phoneNumber?: string): readonly string[]
  /** The readings of those gateways' clocks at a press, by their beats before it. */
  clocks(spaceId: string, pressedAt: Moment): ReadonlyMap<string, GatewayClock>
  /** Tells a gateway that an opening waits. The message may be lost, and gives no permission to call. */
  hint(gatewayId: string, openingId: string): void
  /** Signs a grant as it goes to its gateway; answers with the signature. */
  sign(grant: Grant, claim: GrantedClaim): string
}

/** An opening that waits for a gateway, and which gateways may call its gate. */
export interface Waiting {
  readonly openingId: string
  readonly spaceId: string
  readonly gateId: string
  readonly callers: GateCallers
}

export interface Asking {
  readonly endpoint: GatewayEndpoint
  readonly failing: FailingGateways
}

/** The gateways that are online and may call the gate, in the order in which to ask them. */
export const reachable = (
  { endpoint, failing }: Asking,
  { callers, gateId, spaceId }: Omit<Waiting, 'openingId'>,
): readonly string[] =>
  inCallingOrder(endpoint.online(spaceId), callers, gatewayId => failing.failedAt(gateId, gatewayId))

/**
 * Whether the next press asks another gateway than `gatewayId`, whose call has just failed, and that one could call: it is online
 * with a working modem, may call the gate, and has not failed lately.
 */
export function isAnotherNext(
  { endpoint, failing }: Asking,
  { callers, gateId, gatewayId, spaceId }: Omit<Waiting, 'openingId'> & Pick<OpeningRow, 'gatewayId'>,
): boolean {
  const able = inCallingOrder(endpoint.ableToCall(spaceId), callers)
  return able.some(id => id !== gatewayId && failing.failedAt(gateId, id) === undefined)
}

/** Hints the likeliest gateway, and returns it. Undefined: none that may call the gate is online. */
export function hintLikeliest(asking: Asking, waiting: Waiting): string | undefined {
  const [likeliest] = reachable(asking, waiting)
  if (likeliest !== undefined) asking.endpoint.hint(likeliest, waiting.openingId)
  return likeliest
}

/**
 * Hints gateways until one claims the opening: first the likeliest one, then one more each time. `hinted`: the gateway that was
 * hinted before.
 */
export function hintUntilClaimed(
  asking: Asking & { readonly clock: OpeningClock },
  waiting: Waiting,
  hinted = hintLikeliest(asking, waiting),
): void {
  const { clock, endpoint } = asking
  const { openingId } = waiting
  const asked = new Set<string>()
  if (hinted !== undefined) {
    asked.add(hinted)
    passed('hinted', { openingId })
  }
  const hint = () => {
    const online = reachable(asking, waiting)
    const next = online.find(gatewayId => !asked.has(gatewayId))
    if (next) asked.add(next)
    for (const gatewayId of online) if (asked.has(gatewayId)) endpoint.hint(gatewayId, openingId)
    if (online.length > 0) passed('hinted', { openingId })
  }
  clock.repeat(openingId, hintEveryMs, hint)
}
