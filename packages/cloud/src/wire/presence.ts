// Which gateways are connected and alive, and what their clocks show, by their beats.

import type { Beat } from '@callgate/contract/wire/messages'
import { offlineAfterMs } from '@callgate/contract/wire/timing'
import { ageMs, type Moment, type World } from '@callgate/world/world'
import { beatsKept, type ClockBeat, clockAtPress, type GatewayClock } from '../core/gatewayClock.ts'

interface Present {
  readonly spaceId: string
  readonly bootId: string
  readonly connectionId: string
  readonly modemState: Beat['modem']['state']
  readonly queueLength: number
  readonly at: Moment
}

export interface Presence {
  /**
   * Notes a beat of the current boot. An offline beat counts only when it names the current connection, because it may be a late
   * will. An online beat counts once, and not after its connection has ended, because it may be late or replayed. `at` is when it
   * came, before any wait.
   */
  beat(
    gateway: { gatewayId: string; spaceId: string; bootId: string; seq: number },
    beat: Beat,
    at: Moment,
  ): void
  /**
   * Notes a beat whose boot is not yet known to be current. It counts, and the result is true, where the last beat of the gateway
   * that counted was of the same boot.
   */
  beatAgain(
    gateway: { readonly gatewayId: string; readonly bootId: string; readonly seq: number },
    beat: Beat,
    at: Moment,
  ): boolean
  /** Removes a boot that is refused: its gateway is revoked, or another boot has followed it. */
  remove(gatewayId: string, bootId: string): void
  /** The Space's gateways that sent a beat within the last 30 s: those with a ready modem first, then by the shorter queue. */
  online(spaceId: string): readonly string[]
  /** Those of them whose modem could call now or after its call. */
  ableToCall(spaceId: string): readonly string[]
  /** How many gateways of all Spaces sent a beat within the last 30 s. `keptAgoMs`: the age of the last one that is only kept. */
  count(keptAgoMs: (gatewayId: string) => number | undefined): number
  /** The readings of the online gateways' clocks at a press, by the beats that came before it. */
  clocks(spaceId: string, pressedAt: Moment): ReadonlyMap<string, GatewayClock>
}

/** What is kept of a gateway's current boot, also while the gateway is not connected. */
interface Heard {
  readonly spaceId: string
  readonly bootId: string
  /** The number of the last beat that counted. */
  readonly seq: number
  /** The connection that ended last. */
  readonly ended?: string
  readonly clock: readonly ClockBeat[]
}

const canCall = (state: Present['modemState']) => state === 'ready' || state === 'calling'

/** The likeliest to serve has the lowest rank. */
function rank({ modemState, queueLength }: Present): number {
  return (modemState === 'ready' ? 0 : modemState === 'calling' ? 1_000 : 2_000) + queueLength
}

/** The gateways that have come online and not gone. */
function presentGateways(world: World) {
  const present = new Map<string, Present>()
  /** The gateways of each Space that are in `present`: a press checks only those of its own Space. */
  const ofSpace = new Map<string, Set<string>>()
  const isOnline = ({ at }: Present) => ageMs(world, at) < offlineAfterMs
  return {
    find: (gatewayId: string) => present.get(gatewayId),
    add(gatewayId: string, entry: Present): void {
      present.set(gatewayId, entry)
      const gateways = ofSpace.get(entry.spaceId) ?? new Set()
      ofSpace.set(entry.spaceId, gateways.add(gatewayId))
    },
    drop(gatewayId: string, { spaceId }: Present): void {
      present.delete(gatewayId)
      const gateways = ofSpace.get(spaceId)
      gateways?.delete(gatewayId)
      if (gateways?.size === 0) ofSpace.delete(spaceId)
    },
    onlineOf: (spaceId: string): readonly (readonly [string, Present])[] =>
      [...(ofSpace.get(spaceId) ?? [])].flatMap(gatewayId => {
        const entry = present.get(gatewayId)
        return entry && isOnline(entry) ? [[gatewayId, entry] as const] : []
      }),
    onlineCount: (keptAgoMs: (gatewayId: string) => number | undefined) =>
      [...present].filter(
        ([id, entry]) => isOnline(entry) || (keptAgoMs(id) ?? offlineAfterMs) < offlineAfterMs,
      ).length,
  }
}

export function createPresence(world: World): Presence {
  const present = presentGateways(world)
  const heard = new Map<string, Heard>()

  const beat: Presence['beat'] = ({ bootId, gatewayId, seq, spaceId }, said, at) => {
    const { connectionId, modem, online, queueLength, sinceBootMs } = said
    const known = present.find(gatewayId)
    const last = heard.get(gatewayId)
    const isSameBoot = last?.bootId === bootId
    if (online) {
      if (isSameBoot && (seq <= last.seq || connectionId === last.ended)) return
      const told = sinceBootMs === undefined ? [] : [{ gatewayMs: sinceBootMs, cloudMs: at.monotonicMs }]
      const clock = [...(isSameBoot ? last.clock : []), ...told].slice(-beatsKept)
      heard.set(gatewayId, { ...(isSameBoot && last), spaceId, bootId, seq, clock })
      present.add(gatewayId, { spaceId, bootId, connectionId, modemState: modem.state, queueLength, at })
    } else if (known?.bootId === bootId && known.connectionId === connectionId) {
      present.drop(gatewayId, known)
      if (isSameBoot) heard.set(gatewayId, { ...last, ended: connectionId })
    }
  }

  return {
    beat,
    beatAgain(gateway, said, at) {
      const last = heard.get(gateway.gatewayId)
      if (last?.bootId !== gateway.bootId) return false
      beat({ ...gateway, spaceId: last.spaceId }, said, at)
      return true
    },
    remove(gatewayId, bootId) {
      const known = present.find(gatewayId)
      if (known?.bootId === bootId) present.drop(gatewayId, known)
      if (heard.get(gatewayId)?.bootId === bootId) heard.delete(gatewayId)
    },
    online(spaceId) {
      return [...present.onlineOf(spaceId)]
        .sort(([idA, a], [idB, b]) => rank(a) - rank(b) || (idA < idB ? -1 : 1))
        .map(([gatewayId]) => gatewayId)
    },
    ableToCall(spaceId) {
      const some = present.onlineOf(spaceId)
      return some.filter(([, { modemState }]) => canCall(modemState)).map(([gatewayId]) => gatewayId)
    },
    count: present.onlineCount,
    clocks(spaceId, pressedAt) {
      const noted = new Map<string, GatewayClock>()
      for (const [gatewayId, entry] of present.onlineOf(spaceId)) {
        const known = heard.get(gatewayId)
        if (known?.bootId !== entry.bootId) continue
        const atPressMs = clockAtPress(known.clock, pressedAt.monotonicMs)
        if (atPressMs !== undefined) noted.set(gatewayId, { bootId: known.bootId, atPressMs })
      }
      return noted
    },
  }
}
