// What a claim is answered with, in one transaction that reads, decides and reserves.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { ReasonWord } from '@callgate/contract/call/reason'
import type { Grant } from '@callgate/contract/wire/messages'
import { grantWithinMs } from '@callgate/contract/wire/timing'
import { isoTime, type World } from '@callgate/world/world'
import { decideClaim, endingUndialled, type OpeningRow } from '../core/opening.ts'
import type { Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import { giveUsageBack, reserveUsage } from './accessUsage.ts'
import { standingOf } from './gatewayBoots.ts'
import type { OpeningClock } from './openingClock.ts'
import { type Ended, endOpening, findOpening } from './openingRows.ts'
import { readPermit } from './permits.ts'

/** A claim whose signature holds. */
export interface VerifiedClaim {
  readonly gatewayId: string
  readonly openingId: string
  readonly nonce: string
  readonly bootId: string
  /** The gateway's boot-counting clock when the claim was first sent, milliseconds. */
  readonly sinceBootMs: number
}

/** The answer to a claim, with what ended on the way. */
export interface Granted {
  /** Undefined: the boot has to answer a challenge first. */
  readonly grant: Grant | undefined
  readonly ended?: Ended
}

function grantOf(phoneNumber: string, callProfile: CallProfile): Granted {
  return { grant: { granted: true, phoneNumber, callProfile } }
}

function refused(reason: Extract<Grant, { granted: false }>['reason']): Granted {
  return { grant: { granted: false, reason } }
}

/** By the opening alone, of which there are few: SQLite would rather read all that the boot has ever reported. */
const givenUp = statement<{ readonly openingId: string }, Pick<VerifiedClaim, 'gatewayId' | 'bootId'>>(
  (db, opening) =>
    db('openingReports')
      .select('gatewayId', 'bootId')
      .where({ ...opening, phase: 'not_dialled' }),
)

/** Grants, or says why not; inside the transaction `tx`. */
export function granting(parts: {
  world: World
  clock: OpeningClock
  isInTime: (row: OpeningRow) => boolean
}): (tx: Db, claim: VerifiedClaim) => Promise<Granted> {
  const { clock, isInTime, world } = parts

  async function deny(tx: Db, row: OpeningRow, reason: ReasonWord, atMs: number): Promise<Granted> {
    const ending = endingUndialled(reason)
    const how = { isSettled: false, freesNumber: true, dialled: false, isInTime }
    return { ...refused('refused'), ended: await endOpening(tx, { row, ending, atMs, ...how }) }
  }

  return async (tx, claim) => {
    const { bootId, gatewayId, nonce, openingId } = claim
    const standing = await standingOf(tx, gatewayId, bootId)
    if (standing.kind === 'refused') return refused('superseded')
    if (standing.kind === 'unknown') return { grant: undefined }
    const { gateway } = standing
    const found = await findOpening(tx, openingId)
    const opening = found?.spaceId === gateway.spaceId ? found : undefined
    const nowMs = world.nowMs()
    const permit = opening && (await readPermit(tx, opening, { nowMs, acceptedNumber: opening.phoneNumber }))
    const ageMs = clock.claimAgeMs(openingId, claim)
    const decision = decideClaim({ claim, opening, ageMs, grantWithinMs, denied: permit?.denied })
    if (decision.kind === 'refuse') {
      if (decision.reason === 'expired') clock.doubt(openingId)
      return refused(decision.reason)
    }
    if (!opening || !permit) return refused('refused')
    if (decision.kind === 'repeat')
      return grantOf(decision.phoneNumber, JSON.parse(decision.callProfile) as CallProfile)
    if (decision.kind === 'end') return deny(tx, opening, decision.reason, nowMs)

    // A boot claims an opening once: what it has given up it will never dial, and nobody would end what is granted.
    const givenUpBy = await givenUp(tx, { openingId })
    if (givenUpBy.some(by => by.gatewayId === gatewayId && by.bootId === bootId)) return refused('expired')
    const isGuest = opening.accessId !== null
    if (isGuest && !(await reserveUsage(tx, opening))) return deny(tx, opening, 'usage_exhausted', nowMs)
    const grantedProfile = JSON.stringify(permit.callProfile)
    const grantedAt = isoTime(nowMs)
    const count = await tx<OpeningRow>('openings')
      .where({ id: openingId, status: 'initiated', gatewayId: null })
      .update({ gatewayId, bootId, grantNonce: nonce, grantedAt, grantedProfile, usageHeld: isGuest })
    if (count === 1) return grantOf(opening.phoneNumber, permit.callProfile)
    if (isGuest) await giveUsageBack(tx, opening)
    return refused('already_granted')
  }
}
