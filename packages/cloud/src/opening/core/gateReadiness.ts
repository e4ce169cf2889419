// Whether a press at a gate would place a call now, from the facts that decide on a press.

import type { ReasonWord } from '@callgate/contract/call/reason'
import { isRunning } from '../../core/opening.ts'
import { decidePress, type PressFacts } from '../../core/pressDecision.ts'

export interface GateReadiness {
  /** Why a press would place no call of its own; undefined where it would. */
  readonly reason: ReasonWord | undefined
  /** In how many milliseconds the cool-down is over; undefined where none runs. */
  readonly busyMs: number | undefined
}

/**
 * `facts` are those of a press that the gate itself does not refuse, or does. `isAble`: a gateway that may call the gate is online
 * with a working modem.
 */
export function gateReadiness(facts: Omit<PressFacts, 'accessId'>, isAble: boolean): GateReadiness {
  const { coolDownMs, holder, last } = facts
  const isCalling = holder !== undefined && isRunning(holder)
  const leftMs = last === undefined ? 0 : coolDownMs - last.agoMs
  const busyMs = !isCalling && leftMs > 0 ? leftMs : undefined
  const decision = decidePress({ ...facts, accessId: null })
  if (decision.kind === 'join') return { reason: 'number_in_use', busyMs }
  if (decision.kind === 'end')
    return { reason: decision.joined ? 'number_in_use' : decision.ending.reason, busyMs }
  return { reason: isAble ? undefined : 'modem_not_ready', busyMs: undefined }
}
