// Which gateways are connected and alive, by their beats.

import type { Beat } from '@callgate/contract/messages'
import { offlineAfterMs } from '@callgate/contract/timing'
import { ageMs, type Moment, moment, type World } from '@callgate/world/world'

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
   * A beat of the current boot. An offline one counts only when it names the current connection: it may be a late will.
   * An online one counts once, and not after the end of its connection: it may be late, or played back.
   */
  beat(gateway: { gatewayId: string; spaceId: string; bootId: string; seq: number }, beat: Beat): void
  /** The boot is refused: its gateway is revoked, or another boot has followed it. */
  remove(gatewayId: string, bootId: string): void
  /** The Space's gateways that beat within the last 30 s: those with a ready modem first, then the shorter queue. */
  online(spaceId: string): readonly string[]
}

export function createPresence(world: World): Presence {
  const present = new Map<string, Present>()
  /** The last beat of each gateway's current boot that counted, and the connection that ended last. */
  const heard = new Map<string, { readonly bootId: string; readonly seq: number; readonly ended?: string }>()

  function rank({ modemState, queueLength }: Present): number {
    return (modemState === 'ready' ? 0 : modemState === 'calling' ? 1_000 : 2_000) + queueLength
  }

  return {
    beat({ bootId, gatewayId, seq, spaceId }, { connectionId, modem, online, queueLength }) {
      const known = present.get(gatewayId)
      const last = heard.get(gatewayId)
      const isSameBoot = last?.bootId === bootId
      if (online) {
        if (isSameBoot && (seq <= last.seq || connectionId === last.ended)) return
        heard.set(gatewayId, { ...(isSameBoot && last), bootId, seq })
        present.set(gatewayId, {
          spaceId,
          bootId,
          connectionId,
          modemState: modem.state,
          queueLength,
          at: moment(world),
        })
      } else if (known?.bootId === bootId && known.connectionId === connectionId) {
        present.delete(gatewayId)
        if (isSameBoot) heard.set(gatewayId, { ...last, ended: connectionId })
      }
    },
    remove(gatewayId, bootId) {
      if (present.get(gatewayId)?.bootId === bootId) present.delete(gatewayId)
    },
    online(spaceId) {
      return [...present]
        .filter(([, entry]) => entry.spaceId === spaceId && ageMs(world, entry.at) < offlineAfterMs)
        .sort(([idA, a], [idB, b]) => rank(a) - rank(b) || (idA < idB ? -1 : 1))
        .map(([gatewayId]) => gatewayId)
    },
  }
}
