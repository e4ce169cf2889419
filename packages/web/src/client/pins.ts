// The gates that somebody has pinned: they come first, in the order in which they were pinned. This browser alone keeps them.

import { useState } from 'react'

const stored = (spaceId: string) => `callgate.pins.${spaceId}`

/** The ids of the pinned gates of a Space. What is stored may be from another version, or written by hand. */
export function readPins(spaceId: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(stored(spaceId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(id => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** The gates in their order: the pinned ones first. */
export function pinnedFirst<Item extends { readonly id: string }>(
  items: readonly Item[],
  pins: readonly string[],
): readonly Item[] {
  const placeOf = ({ id }: Item) => (pins.includes(id) ? pins.indexOf(id) : pins.length)
  return items.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** The pinned gates of the Space, and how one is pinned or not any more. */
export function usePins(spaceId: string) {
  const [pins, setPins] = useState(() => readPins(spaceId))
  return {
    pins,
    toggle(gateId: string) {
      // Another tab may have changed them meanwhile.
      const kept = readPins(spaceId)
      const next = kept.includes(gateId) ? kept.filter(id => id !== gateId) : [...kept, gateId]
      localStorage.setItem(stored(spaceId), JSON.stringify(next))
      setPins(next)
    },
  }
}
