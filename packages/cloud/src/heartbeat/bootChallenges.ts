// Challenges to boots: a boot is taken up once it has answered a fresh nonce, which no recorded message can contain.

import { challengeWithinMs } from '@callgate/contract/wire/timing'
import { ageMs, type Moment, moment, type World } from '@callgate/world/world'

interface Challenge {
  readonly nonce: string
  readonly at: Moment
  /** How many boots of the gateway had been taken up. */
  readonly bootCount: number
}

export interface BootChallenges {
  /**
   * The nonce that the boot has to answer: the last one while it is valid, otherwise a fresh one. `bootCount` is how many boots
   * of the gateway were taken up so far.
   */
  ask(gatewayId: string, bootId: string, bootCount: number): string
  /**
   * Whether `nonce` was sent to the boot within the last 30 s, and no other boot was taken up since: another cloud may have done
   * so while this one stalled.
   */
  isAnswered(gatewayId: string, bootId: string, nonce: string | undefined, bootCount: number): boolean
  /** A boot of the gateway was taken up: all earlier challenges to its boots are void. */
  settle(gatewayId: string): void
}

/** The limit on challenged boots of one gateway. For one more, the oldest challenge is forgotten. */
export const mostAsked = 16

/**
 * Challenges in memory only. After a restart of the cloud the current boot needs no challenge, and any other gets a fresh one.
 */
export function bootChallenges(world: World): BootChallenges {
  /** By gateway, then by boot, in the order of the challenges. */
  const asked = new Map<string, Map<string, Challenge>>()

  function held(gatewayId: string, bootId: string, bootCount: number): Challenge | undefined {
    const challenge = asked.get(gatewayId)?.get(bootId)
    if (challenge?.bootCount !== bootCount) return undefined
    return ageMs(world, challenge.at) < challengeWithinMs ? challenge : undefined
  }

  return {
    ask(gatewayId, bootId, bootCount) {
      const known = held(gatewayId, bootId, bootCount)
      if (known) return known.nonce
      const boots = asked.get(gatewayId) ?? new Map<string, Challenge>()
      asked.set(gatewayId, boots)
      boots.delete(bootId)
      const [oldest] = boots.keys()
      if (boots.size >= mostAsked && oldest !== undefined) boots.delete(oldest)
      const nonce = Buffer.from(world.randomBytes(16)).toString('base64url')
      boots.set(bootId, { nonce, at: moment(world), bootCount })
      return nonce
    },
    isAnswered: (gatewayId, bootId, nonce, bootCount) =>
      nonce !== undefined && held(gatewayId, bootId, bootCount)?.nonce === nonce,
    settle(gatewayId) {
      asked.delete(gatewayId)
    },
  }
}
