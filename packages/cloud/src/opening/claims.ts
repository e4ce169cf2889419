// A claim from its arrival to its answer: one transaction, by the replica whose opening it is.

import type { Grant } from '@callgate/contract/wire/messages'
import { passed } from '@callgate/world/hops'
import type { Database, Db } from '../database/database.ts'
import type { GatewaySpaces } from '../gateway/gatewaySpaces.ts'
import type { BootChallenges } from '../heartbeat/bootChallenges.ts'
import { isCurrent } from '../heartbeat/gatewayBoots.ts'
import type { GatewayLimits } from '../heartbeat/gatewayLimits.ts'
import type { Replica } from '../replica/replica.ts'
import { type Grants, readsOfClaim, type VerifiedClaim } from './grants.ts'
import type { OpeningClock } from './openingClock.ts'
import type { OpeningEnds } from './openingEnds.ts'
import { findOpening } from './openingRows.ts'

/** The challenge for a boot that the cloud has not taken up. */
export interface Challenge {
  readonly granted: false
  readonly challenge: string
}

interface ClaimsParts {
  readonly database: Database
  readonly grants: Grants
  readonly clock: OpeningClock
  readonly ends: Pick<OpeningEnds, 'afterEnd'>
  readonly challenges: BootChallenges
  readonly limits: GatewayLimits
  readonly spaces: GatewaySpaces
  readonly replica: Replica
}

/** Whether another replica answers the claim. Every claim reaches every replica; the owner of the opening answers. */
async function isAnsweredByOther(
  knex: Db,
  replica: Replica,
  { bootId, gatewayId, openingId }: VerifiedClaim,
): Promise<boolean> {
  if (replica.isAlone) return false
  const opening = await findOpening(knex, openingId)
  if (!opening || replica.isMine(opening) || !(await replica.hasLiveOwner(knex, opening))) return false
  // The replica that owns the gateway challenges an unknown boot.
  return !replica.owns(gatewayId) || isCurrent(knex, gatewayId, bootId)
}

/** Answers claims; the answer is undefined where another replica answers. */
export function claims(parts: ClaimsParts): (claim: VerifiedClaim) => Promise<Grant | Challenge | undefined> {
  const { challenges, clock, database, ends, grants, limits, replica, spaces } = parts
  return async function claim(verified: VerifiedClaim): Promise<Grant | Challenge | undefined> {
    const isKnown = clock.ageMs(verified.openingId) !== undefined
    if (!isKnown && (await isAnsweredByOther(database.knex, replica, verified))) return undefined
    const reads = readsOfClaim(verified)
    const { bootCount = 0, grant } = await database.write(
      async tx => {
        const answer = await grants.answer(tx, verified, reads)
        const isFree = answer.grant === 'none' || (answer.grant !== 'challenge' && answer.grant.granted)
        if (isFree || verified.isByStandIn) return { ...answer, count: () => {} }
        return { ...answer, count: await limits.charge(tx, verified.gatewayId, { claims: 1 }) }
      },
      {
        spaceId: await spaces.find(verified.gatewayId),
        committed: ({ count, ended, grant }) => {
          passed('granted', {
            openingId: verified.openingId,
            outcome: typeof grant === 'string' ? grant : grant.granted ? 'granted' : grant.reason,
          })
          count()
          if (typeof grant === 'object' && grant.granted) clock.granted(verified.openingId)
          if (ended) ends.afterEnd(ended)
        },
        first: [...replica.first, ...Object.values(reads)],
      },
    )
    if (typeof grant === 'object') return grant
    const { bootId, gatewayId } = verified
    if (grant === 'none' || !replica.owns(gatewayId)) return undefined
    return { granted: false, challenge: challenges.ask(gatewayId, bootId, bootCount) }
  }
}
