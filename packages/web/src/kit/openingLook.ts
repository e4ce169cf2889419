// The look of an opening: the number of lit arcs of its ring, their colour, and the icon.

import type { OpeningClass } from '@callgate/contract/call/openingClass'
import type { icons } from './icons.tsx'
import type { Tone } from './Ring.tsx'

export type IconName = keyof typeof icons

/** The progress of a running opening. */
export type Step = 'asked' | 'calling' | 'ringing'

export interface OpeningLook {
  /** The steps that the call reached: asked, calling, ringing, taken. */
  readonly lit: number
  readonly tone: Tone
  /** The icon in the middle of the ring; none while the opening runs. */
  readonly middle?: IconName
  /** The icon beside its text. */
  readonly icon: IconName
  /** The last arc is assumed, not observed. */
  readonly isDotted?: true
  readonly isLive?: true
}

const litAt: Readonly<Record<Step, number>> = { asked: 1, calling: 2, ringing: 3 }

/** The look of an opening by its class. `hasRung`: the call reached the ringing. */
export function openingLook(opening: {
  readonly class: OpeningClass
  readonly step: Step | null
  readonly hasRung: boolean
}): OpeningLook {
  const { class: kind, hasRung, step } = opening
  switch (kind) {
    case 'running':
      return {
        lit: litAt[step ?? 'asked'],
        tone: 'call',
        icon: step === 'ringing' ? 'call' : 'dial',
        isLive: true,
      }
    case 'opened':
      return { lit: 4, tone: 'open', middle: 'check', icon: 'opened' }
    case 'probably_opened':
      return { lit: 4, tone: 'open', middle: 'check', icon: 'probably', isDotted: true }
    case 'did_not_open':
      return { lit: hasRung ? 3 : 2, tone: 'shut', middle: 'cross', icon: 'failed' }
    case 'not_called':
      return { lit: 1, tone: 'shut', middle: 'cross', icon: 'notCalled' }
    case 'denied':
      return { lit: 0, tone: 'quiet', middle: 'minus', icon: 'lock' }
    case 'unknown':
      return { lit: hasRung ? 3 : 2, tone: 'look', middle: 'look', icon: 'look' }
  }
}
