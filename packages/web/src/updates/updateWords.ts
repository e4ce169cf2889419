// The texts about an update of a gateway's program: its offer, in the list and on its card, and the result of the last one.

import type { GatewayUpdate } from '@callgate/contract/app/update'
import type { Words } from '../words/words.tsx'
import { updateTexts } from './updateTexts.ts'

/** The context of the texts: the reader's role, and whether the Space has hours for updates. */
export interface Leave {
  readonly isOwner: boolean
  readonly hasHours: boolean
}

/** Why the last update was refused or rolled back; undefined where the gateway reports no reason. */
export function sayCause(
  { cause, why }: NonNullable<GatewayUpdate['last']>,
  words: Pick<Words, 'locale'>,
): string | undefined {
  const says = updateTexts(words)
  if (cause !== null && Object.hasOwn(says.causes, cause))
    return says.causes[cause as keyof typeof says.causes]
  return why === null ? undefined : says.why(why)
}

/** The offer of a newer version, and whose permission it waits for; undefined where there is no text. */
export function sayOffer(
  { allowed, askedAt, canUpdate, offered }: GatewayUpdate,
  { hasHours, isOwner }: Leave,
  words: Pick<Words, 'locale'>,
): string | undefined {
  const says = updateTexts(words).inList
  if (askedAt !== null) return says.asked
  if (!offered) return undefined
  const { version } = offered
  if (!canUpdate) return says.byHand(version)
  if (allowed?.version === version) return says.allowed(version)
  if (hasHours) return says.byHours(version)
  return isOwner ? says.waits(version) : says.waitsForOwner(version)
}
