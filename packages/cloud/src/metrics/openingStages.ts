// How long an opening takes from one point to the next, by the hops that this process sees.

import type { Hop } from '@callgate/world/hops'

/** The stages of an opening in their order, each with its description. */
export const stages = {
  press: 'from the request to the committed press',
  hint: 'from the press to the first hint to a gateway',
  claim: 'from the hint to the claim of a gateway',
  grant: 'from the claim to the committed answer',
  dial: 'from the grant to the report that the number rings',
  call: 'from the grant to the committed end',
} as const
type Stage = keyof typeof stages

interface StageTimes {
  readonly sinceMs: number
  readonly pressedMs: number
  hintedMs?: number
  claimedMs?: number
  grantedMs?: number
}

/** More openings never run at once. Beyond this number the oldest is dropped, so that memory stays limited. */
const mostSeen = 10_000

export interface StageReader {
  /** Handles a hop at `atMs` of the monotonic clock. */
  take(hop: Hop, atMs: number): void
}

/**
 * Reports each stage as it ends, in milliseconds, and the whole time of an opening with its outcome. A refused claim counts as a
 * claim, and the next one restarts its stage.
 */
export function stageReader(told: {
  readonly stage: (stage: Stage, tookMs: number) => void
  readonly whole: (outcome: string, tookMs: number) => void
}): StageReader {
  const running = new Map<string, StageTimes>()

  function begin(openingId: string, { sinceMs }: Hop, atMs: number): void {
    const begunMs = sinceMs ?? atMs
    running.set(openingId, { sinceMs: begunMs, pressedMs: atMs })
    told.stage('press', atMs - begunMs)
    const [oldest] = running.keys()
    if (running.size > mostSeen && oldest !== undefined) running.delete(oldest)
  }

  function follow(seen: StageTimes, { openingId = '', outcome = '', point }: Hop, atMs: number): void {
    const { claimedMs, grantedMs, hintedMs, pressedMs, sinceMs } = seen
    if (point === 'hinted' && hintedMs === undefined) {
      seen.hintedMs = atMs
      told.stage('hint', atMs - pressedMs)
    } else if (point === 'claim' && grantedMs === undefined) {
      seen.claimedMs = atMs
      told.stage('claim', atMs - (hintedMs ?? pressedMs))
    } else if (point === 'granted' && outcome === 'granted' && grantedMs === undefined) {
      seen.grantedMs = atMs
      told.stage('grant', atMs - (claimedMs ?? pressedMs))
    } else if (point === 'ringing' && grantedMs !== undefined) told.stage('dial', atMs - grantedMs)
    else if (point === 'ended') {
      running.delete(openingId)
      if (grantedMs !== undefined) told.stage('call', atMs - grantedMs)
      told.whole(outcome, atMs - sinceMs)
    }
  }

  return {
    take(hop, atMs) {
      const { openingId } = hop
      if (openingId === undefined) return
      if (hop.point === 'pressed') return begin(openingId, hop, atMs)
      const seen = running.get(openingId)
      if (seen) follow(seen, hop, atMs)
    },
  }
}
