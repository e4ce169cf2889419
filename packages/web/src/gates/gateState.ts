// The badge of a gate: its most important state, only of observed and reported facts.

import type { Gate } from '@callgate/contract/rest/gate'
import type { CallingGatewayState } from '@callgate/contract/rest/gateHealth'
import type { BadgeLook } from '../kit/Badge.tsx'
import type { Words } from '../words/words.tsx'
import { claimOf, type GateClaim } from './claims.ts'
import type { ShownFigures } from './gateCall.ts'

type Badges = Words['gates']['badges']

const looks: Readonly<Record<GateClaim, Pick<BadgeLook, 'tone' | 'icon'> & { readonly word: keyof Badges }>> =
  {
    no_gateway: { tone: 'shut', icon: 'noGateway', word: 'noGateway' },
    modem_not_ready: { tone: 'shut', icon: 'noGateway', word: 'modemNotReady' },
    not_reacting: { tone: 'shut', icon: 'alert', word: 'notReacting' },
    not_calibrated: { tone: 'look', icon: 'uncalibrated', word: 'notCalibrated' },
    calibrate_again: { tone: 'look', icon: 'uncalibrated', word: 'calibrateAgain' },
    not_tried: { tone: 'quiet', icon: 'uncalibrated', word: 'notTried' },
    ready: { tone: 'open', icon: 'opened', word: 'ready' },
    probably: { tone: 'quiet', icon: 'probably', word: 'notSure' },
    did_not_open: { tone: 'shut', icon: 'failed', word: 'didNotOpen' },
    not_sure: { tone: 'look', icon: 'look', word: 'notSure' },
  }

/** The badge of a gate: its most important state. `figures`: as they are shown beside it; undefined where they are not known. */
export function badgeOf(
  gate: Pick<Gate, 'isActive'>,
  figures: ShownFigures | undefined,
  { caller, words }: { readonly caller: CallingGatewayState; readonly words: Words },
): BadgeLook {
  const { badges } = words.gates
  if (!gate.isActive) return { tone: 'quiet', icon: 'off', word: badges.off }
  if (figures?.last?.class === 'running') {
    const step = figures.last.step ?? 'asked'
    return { tone: 'call', icon: step === 'ringing' ? 'call' : 'dial', word: words.openings.steps[step] }
  }
  const { word, ...look } = looks[claimOf(figures, caller)]
  return { ...look, word: badges[word] }
}
