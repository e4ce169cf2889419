// The updates of all gateways as they are read, and what the list of gateways says of each.

import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import type { Words } from '../words/words.tsx'
import { sayOffer } from './updateWords.ts'

/** How often they are read, milliseconds. */
const everyMs = 30_000

export const useUpdates = () => useRead('listUpdates', {}, { everyMs, liveEveryMs: everyMs })

/** Tells what there is to say of an update of one gateway. */
export function useOffers(words: Words): (gatewayId: string) => string | undefined {
  const { value } = useUpdates()
  const isOwner = useSpace().space.role === 'owner'
  return gatewayId => {
    const update = value?.updates.find(one => one.gatewayId === gatewayId)
    return update && sayOffer(update, { isOwner, hasHours: value?.hours !== null }, words)
  }
}
