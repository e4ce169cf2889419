// The state of a gateway by its last beat: whether it is away, and how its signal and its supply are.

import { givesWayMv, weakDbm, wellDbm, wellMv } from '@callgate/contract/app/incidentKinds'
import { type Heard, wasOnlineUntil } from '../../core/beatHistory.ts'
import { backForMs, silentForMs, type TargetHealth } from './incident.ts'

/** The state of a gateway after its last beat. */
export interface GatewayNow {
  readonly heard: Heard
  /** When it last came online, milliseconds since 1970; undefined where that is unknown. */
  readonly onlineSinceMs: number | undefined
  readonly signalDbm: number | null
  readonly supplyMv: number | null
  /** Whether its modem says that the supply drops during calls, which no measured value shows. */
  readonly hasBrownouts: boolean
}

/**
 * Whether the gateway is away. Its silence counts only from `hearingSinceMs`, since when the cloud could hear it; undefined: the
 * cloud cannot hear.
 */
export function seenOfSilence(
  { heard, onlineSinceMs }: Pick<GatewayNow, 'heard' | 'onlineSinceMs'>,
  hearingSinceMs: number | undefined,
  nowMs: number,
): TargetHealth {
  if (wasOnlineUntil(heard, nowMs)) {
    const isBack = onlineSinceMs !== undefined && nowMs - onlineSinceMs >= backForMs
    return isBack ? 'well' : 'between'
  }
  if (hearingSinceMs === undefined) return 'between'
  // A beat from the future was heard before the clock was set back, and not later than the cloud could hear.
  const silentSinceMs = heard.atMs > nowMs ? hearingSinceMs : Math.max(heard.atMs, hearingSinceMs)
  return nowMs - silentSinceMs >= silentForMs ? 'bad' : 'between'
}

function seenOf(value: number | null, below: number, from: number): TargetHealth {
  if (value === null) return 'unknown'
  if (value < below) return 'bad'
  return value >= from ? 'well' : 'between'
}

/** The state of the signal; unknown for a gateway that is away. */
export function seenOfSignal({ heard, signalDbm }: GatewayNow, nowMs: number): TargetHealth {
  return wasOnlineUntil(heard, nowMs) ? seenOf(signalDbm, weakDbm, wellDbm) : 'unknown'
}

/** The state of the supply. */
export function seenOfSupply({ hasBrownouts, heard, supplyMv }: GatewayNow, nowMs: number): TargetHealth {
  if (!wasOnlineUntil(heard, nowMs)) return 'unknown'
  return hasBrownouts ? 'bad' : seenOf(supplyMv, givesWayMv, wellMv)
}
