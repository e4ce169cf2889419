// The queue of a press: the calls that its gateways make first, and about how long they take.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { Queue } from '@callgate/contract/rest/opening'
import { grantWithinMs } from '@callgate/contract/wire/timing'

/** A press without a call yet. */
interface WaitingPress {
  readonly openingId: string
  /** The online gateways that may call its gate, in the order in which they are asked. */
  readonly gatewayIds: readonly string[]
  /** How long its call will take, milliseconds. */
  readonly takesMs: number
}

/** A running call. */
interface RunningCall {
  readonly gatewayId: string
  readonly leftMs: number
}

/** How long a call takes from its grant, for a gate with too few known calls. */
export const usualCallMs = 12_000
/** From the grant to the first ringing, roughly. */
const setupMs = 8_000

/** How long a running call still takes. One that takes longer than usual is expected to ring out. */
export function leftOfCall(
  { maxRingMs, mode, ringHangupMs }: Pick<CallProfile, 'maxRingMs' | 'mode' | 'ringHangupMs'>,
  { agoMs, takesMs }: { readonly agoMs: number; readonly takesMs: number },
): number {
  const longestMs = setupMs + (mode === 'ring' ? ringHangupMs : maxRingMs)
  return Math.max(1_000, (agoMs < takesMs ? takesMs : longestMs) - agoMs)
}

/**
 * The queue before an opening: each press waits for the gateway that is free first, in the order of the presses, as the gateways
 * claim them. Undefined where a gateway is free for it now, or no gateway could call.
 */
export function queueOf(
  { ageMs, openingId }: { readonly openingId: string; readonly ageMs: number },
  { calls, waiting }: { readonly calls: readonly RunningCall[]; readonly waiting: readonly WaitingPress[] },
): Queue | undefined {
  const lines = new Map<string, { readonly calls: number; readonly ms: number }>()
  const lineOf = (gatewayId: string) => lines.get(gatewayId) ?? { calls: 0, ms: 0 }
  const join = (gatewayId: string, ms: number) => {
    const line = lineOf(gatewayId)
    lines.set(gatewayId, { calls: line.calls + 1, ms: line.ms + ms })
  }
  for (const { gatewayId, leftMs } of calls) join(gatewayId, leftMs)
  for (const press of waiting.toSorted((a, b) => (a.openingId < b.openingId ? -1 : 1))) {
    const [gatewayId] = press.gatewayIds.toSorted((a, b) => lineOf(a).ms - lineOf(b).ms)
    if (press.openingId === openingId) {
      const line = gatewayId === undefined ? undefined : lineOf(gatewayId)
      if (!line || line.calls === 0) return undefined
      return {
        ahead: line.calls,
        aboutS: Math.ceil(line.ms / 1000),
        inTime: ageMs + line.ms < grantWithinMs,
      }
    }
    if (gatewayId !== undefined) join(gatewayId, press.takesMs)
  }
  return undefined
}
