// The badge: a state in one word, with its icon and colour.

import { icons } from './icons.tsx'
import type { IconName } from './openingLook.ts'
import './Badge.css'

export type BadgeTone = 'open' | 'call' | 'look' | 'shut' | 'quiet'

export interface BadgeLook {
  readonly tone: BadgeTone
  readonly icon: IconName
  readonly word: string
}

export function Badge({ icon, tone, word }: BadgeLook) {
  const Icon = icons[icon]
  return (
    <span className={`badge badge-${tone}`}>
      <Icon size={16} />
      {word}
    </span>
  )
}
