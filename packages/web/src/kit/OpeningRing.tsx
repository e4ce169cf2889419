// The ring of one past or running opening, with its icon in the middle.

import { icons } from './icons.tsx'
import type { OpeningLook } from './openingLook.ts'
import { Ring } from './Ring.tsx'

/** There is text beside it, so the ring has none. `size` in pixels. */
export function OpeningRing({ look, size = 36 }: { readonly look: OpeningLook; readonly size?: number }) {
  const { isDotted = false, isLive = false, lit, middle, tone } = look
  const Middle = middle && icons[middle]
  return (
    <Ring lit={lit} tone={tone} size={size} isDotted={isDotted} isLive={isLive}>
      {Middle && <Middle size={Math.round(size * 0.5)} stroke={3} />}
    </Ring>
  )
}
