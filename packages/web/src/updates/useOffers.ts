// The updates of all gateways, and the text for each in the list of gateways.

import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import type { Words } from '../words/words.tsx'
import { sayOffer } from './updateWords.ts'

/** The interval of reading, in milliseconds. */
const everyMs = 30_000

export const useUpdates = () => useRead('listUpdates', {}, { everyMs, liveEveryMs: everyMs })

/** Returns the text about an update of one gateway. */
export function useOffers(words: Words): (gatewayId: string) => string | undefined {
  const { value } = useUpdates()
  const isOwner = useSpace().space.role === 'owner'
  return gatewayId => {
    const update = value?.updates.find(one => one.gatewayId === gatewayId)
    return update && sayOffer(update, { isOwner, hasHours: value?.hours !== null }, words)
  }
}
