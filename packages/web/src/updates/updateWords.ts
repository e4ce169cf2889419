// What the card of a gateway in the list says of an update of its program.

import type { GatewayUpdate } from '@callgate/contract/app/update'
import type { Words } from '../words/words.tsx'

/** What it depends on beside the gateway: who looks, and whether the Space has hours for updates. */
export interface Leave {
  readonly isOwner: boolean
  readonly hasHours: boolean
}

/** That a newer version is offered, and whose leave it waits for; undefined where there is nothing to say. */
export function sayOffer(
  { allowed, askedAt, canUpdate, offered }: GatewayUpdate,
  { hasHours, isOwner }: Leave,
  { updates: { inList: says } }: Words,
): string | undefined {
  if (askedAt !== null) return says.asked
  if (!offered) return undefined
  const { version } = offered
  if (!canUpdate) return says.byHand(version)
  if (allowed?.version === version) return says.allowed(version)
  if (hasHours) return says.byHours(version)
  return isOwner ? says.waits(version) : says.waitsForOwner(version)
}
