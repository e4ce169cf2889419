// What is said of an update of a gateway's program: in its card of the list, and of how the last one ended.

import type { GatewayUpdate } from '@callgate/contract/app/update'
import type { Words } from '../words/words.tsx'

/** What it depends on beside the gateway: who looks, and whether the Space has hours for updates. */
export interface Leave {
  readonly isOwner: boolean
  readonly hasHours: boolean
}

/** Why the last update was refused or taken back; undefined where the gateway tells nothing. */
export function sayCause(
  { cause, why }: NonNullable<GatewayUpdate['last']>,
  { updates: says }: Words,
): string | undefined {
  if (cause !== null && Object.hasOwn(says.causes, cause))
    return says.causes[cause as keyof typeof says.causes]
  return why === null ? undefined : says.why(why)
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
