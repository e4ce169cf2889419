// Answers a claim in one transaction that reads, decides and reserves.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { ReasonWord } from '@callgate/contract/call/reason'
import type { Beat, Grant } from '@callgate/contract/wire/messages'
import { grantWithinMs } from '@callgate/contract/wire/timing'
import { isoTime, type World } from '@callgate/world/world'
import { awaitedCall, withCall } from '../core/calibrationState.ts'
import { callsGate } from '../core/gateCallers.ts'
import { type CallingGateway, type KeptOrigin, profileFor } from '../core/measuredProfile.ts'
import { endingUndialled, type OpeningRow } from '../core/opening.ts'
import { observingProfile } from '../core/profileProposal.ts'
import type { Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { earlyRead } from '../database/pipeline.ts'
import { statement, type Values } from '../database/statement.ts'
import { keepCalibration } from '../gate/gateRows.ts'
import { takeNumber } from '../gate/numberLocks.ts'
import { type BeatsSeen, findGateway, type GatewayRow } from '../gateway/gatewayRows.ts'
import { statusOf, statusOfStandIn } from '../heartbeat/gatewayBoots.ts'
import { giveUsageBack, reserveUsage } from '../member/accessUsage.ts'
import type { Replica } from '../replica/replica.ts'
import { decideClaim } from './core/claimDecision.ts'
import { type Ended, endOpening } from './endOpening.ts'
import type { GatewayEndpoint } from './gatewayEndpoint.ts'
import type { OpeningClock } from './openingClock.ts'
import type { OpeningEnds } from './openingEnds.ts'
import { recordSteps } from './openingEvents.ts'
import { findOpening, joinersOf } from './openingRows.ts'
import { type Permit, permitOf, readPermitOf } from './permits.ts'

/** A claim with a valid signature. */
export interface VerifiedClaim {
  readonly gatewayId: string
  readonly openingId: string
  readonly nonce: string
  readonly bootId: string
  /** The gateway's boot clock when the claim was first sent, milliseconds. */
  readonly sinceBootMs: number
  /** Made by the stand-in of a sandbox, inside this process. A message from outside never has it. */
  readonly isByStandIn?: true
}

/** The answer to a claim, and the opening that it ended. */
export interface Granted {
  /** `challenge`: the boot has to answer a challenge first. `none`: the replica that owns the opening answers. */
  readonly grant: Grant | 'challenge' | 'none'
  /** With a challenge: how many boots of the gateway the cloud has taken up so far. */
  readonly bootCount?: number
  readonly ended?: Ended
}

function grantOf(phoneNumber: string, callProfile: CallProfile): Grant {
  return { granted: true, phoneNumber, callProfile }
}

function refused(reason: Extract<Grant, { granted: false }>['reason']): Granted {
  return { grant: { granted: false, reason } }
}

/**
 * Selects by the opening alone, which has few reports. With the boot in the condition, SQLite would read all reports of the boot.
 */
const givenUp = statement<{ readonly openingId: string }, Pick<VerifiedClaim, 'gatewayId' | 'bootId'>>(
  (db, opening) =>
    db('openingReports')
      .select('gatewayId', 'bootId')
      .where({ ...opening, phase: 'not_dialled' }),
)

interface GrantValues extends Values {
  readonly id: string
  readonly gatewayId: string
  readonly bootId: string
  readonly grantNonce: string
  readonly grantedAt: string
  readonly grantedProfile: string
  readonly usageHeld: boolean
  readonly grantSignature: string
  readonly isTestCall: true | null
}

/** Writes a grant down where there is none yet, and then returns the row. */
const keepGrant = statement<GrantValues, Pick<OpeningRow, 'id'>>((db, { id, ...grant }) =>
  db('openings').where({ id, status: 'initiated', gatewayId: null }).update(grant).returning('id'),
)

function callerOf({ id: gatewayId, lastBeat }: Pick<GatewayRow, 'id' | 'lastBeat'>): CallingGateway {
  const { modem } = JSON.parse(lastBeat ?? '{}') as Partial<Beat>
  return { gatewayId, modem: modem?.model ?? null, operator: modem?.operator ?? null }
}

/** What a claim reads until it is granted. */
export function readsOfClaim({ gatewayId, openingId }: VerifiedClaim) {
  return {
    gateway: earlyRead(tx => findGateway(tx, gatewayId)),
    opening: earlyRead(tx => findOpening(tx, openingId)),
    permit: earlyRead(tx => readPermitOf(tx, openingId)),
    givenUp: earlyRead(tx => givenUp(tx, { openingId })),
    joiners: earlyRead(tx => joinersOf(tx, { joinedOpeningId: openingId })),
  }
}

type ClaimReads = ReturnType<typeof readsOfClaim>

/** The parts of a grant. */
interface Granting {
  readonly opening: OpeningRow
  readonly permit: Permit
  readonly nowMs: number
  readonly gateway: GatewayRow
  readonly reads: ClaimReads
}

interface GrantsParts {
  readonly world: World
  readonly clock: OpeningClock
  readonly ends: Pick<OpeningEnds, 'isInTime'>
  readonly replica: Pick<Replica, 'isMine' | 'isHeld' | 'hasLiveOwner'>
  readonly endpoint: Pick<GatewayEndpoint, 'sign'>
  readonly heard: Pick<BeatsSeen, 'now'>
}

export class Grants {
  readonly #parts: GrantsParts

  constructor(parts: GrantsParts) {
    this.#parts = parts
  }

  /** Grants the claim or states the reason of the refusal; runs inside the transaction `tx`. */
  async answer(tx: Db, claim: VerifiedClaim, reads: ClaimReads): Promise<Granted> {
    const gateway = await reads.gateway.in(tx)
    const bootStatus = claim.isByStandIn
      ? statusOfStandIn(gateway)
      : await statusOf(tx, gateway, claim.bootId)
    if (bootStatus.kind === 'refused') return refused('superseded')
    if (bootStatus.kind === 'unknown')
      return { grant: 'challenge', bootCount: Number(bootStatus.gateway.bootCount) }
    const found = await reads.opening.in(tx)
    const opening = found?.spaceId === bootStatus.gateway.spaceId ? found : undefined
    return this.#answerFor(tx, claim, { opening, gateway: bootStatus.gateway, reads })
  }

  async #answerFor(
    tx: Db,
    claim: VerifiedClaim,
    { gateway, opening, reads }: { gateway: GatewayRow; opening: OpeningRow | undefined; reads: ClaimReads },
  ): Promise<Granted> {
    const { clock, replica, world } = this.#parts
    const { openingId } = claim
    const isMine = !opening || replica.isMine(opening)
    if (!isMine && (await replica.hasLiveOwner(tx, opening))) return { grant: 'none' }
    const nowMs = timeIn(tx, world)
    const asked = opening && (await reads.permit.in(tx))
    const permit = asked && permitOf(asked, opening, { nowMs, acceptedNumber: opening.phoneNumber })
    const ageMs = clock.claimAgeMs(openingId, claim)
    const isOwnerGone = !isMine || !(await replica.isHeld(tx))
    const mayCall = !permit || callsGate(permit.callers, claim.gatewayId)
    const facts = { claim, opening, ageMs, grantWithinMs, isOwnerGone, mayCall }
    const decision = decideClaim({ ...facts, denied: permit?.denied })
    if (decision.kind === 'refuse') {
      if (decision.reason === 'expired') clock.doubt(openingId)
      return refused(decision.reason)
    }
    if (!opening || !permit) return refused('refused')
    if (decision.kind === 'repeat')
      return { grant: grantOf(decision.phoneNumber, JSON.parse(decision.callProfile) as CallProfile) }
    if (decision.kind === 'interrupt') return this.#interrupt(tx, opening, nowMs)
    if (decision.kind === 'end') return this.#deny(tx, opening, decision.reason, nowMs)
    return this.#grant(tx, claim, { opening, permit, nowMs, gateway, reads })
  }

  /** Reserves the use of the access and writes the grant down, both at most once. */
  async #grant(
    tx: Db,
    { bootId, gatewayId, nonce, openingId }: VerifiedClaim,
    { gateway, nowMs, opening, permit, reads }: Granting,
  ): Promise<Granted> {
    // A boot claims an opening once. It will never dial an opening that it has given up, so nobody would end the grant.
    const givenUpBy = await reads.givenUp.in(tx)
    if (givenUpBy.some(by => by.gatewayId === gatewayId && by.bootId === bootId)) return refused('expired')
    if (!(await this.#takeNumber(tx, { nowMs, opening, permit })))
      return this.#deny(tx, opening, 'number_in_use', nowMs)
    const isGuest = opening.accessId !== null
    if (isGuest && !(await reserveUsage(tx, opening)))
      return this.#deny(tx, opening, 'usage_exhausted', nowMs)
    const awaited = awaitedCall(permit.calibration, opening.userId ?? opening.apiKeyId, nowMs)
    const profile = awaited
      ? observingProfile(permit.callProfile, awaited.isHidden)
      : this.#profileFor(permit, gateway)
    const grantedProfile = JSON.stringify(profile)
    const grantedAt = isoTime(nowMs)
    const answer = grantOf(opening.phoneNumber, profile)
    // Stored as a proof: when somebody asks for it, the cloud may sign with another key.
    const grantSignature = this.#parts.endpoint.sign(answer, { gatewayId, openingId, nonce, bootId })
    const grant = { gatewayId, bootId, grantNonce: nonce, grantedAt, grantedProfile, usageHeld: isGuest }
    const isTestCall = awaited ? true : null
    const granted = await keepGrant(tx, { id: openingId, ...grant, grantSignature, isTestCall })
    if (granted.length === 1) {
      const gate = { id: opening.gateId, spaceId: opening.spaceId }
      if (awaited) await keepCalibration(tx, gate, { calibration: withCall(awaited.calibration, openingId) })
      const joined = await reads.joiners.in(tx)
      await recordSteps(tx, opening, ['calling'], { atMs: nowMs, joined })
      return { grant: answer }
    }
    if (isGuest) await giveUsageBack(tx, opening)
    return refused('already_granted')
  }

  /**
   * Whether no call of another Space locks the number. The operator gets an alert where such a call has locked it for too long.
   */
  async #takeNumber(
    tx: Db,
    { nowMs, opening, permit: { isSandbox } }: Pick<Granting, 'nowMs' | 'opening' | 'permit'>,
  ): Promise<boolean> {
    // Sandboxes share their numbers, which nobody has.
    if (isSandbox) return true
    const { isTaken, overridden } = await takeNumber(tx, opening, nowMs)
    if (overridden !== undefined) {
      const { id: openingId, spaceId } = opening
      const told = { openingId, spaceId, heldBy: overridden }
      this.#parts.world.log.warn(
        'a Space has kept a number of another one too long, so it counts as free',
        told,
      )
    }
    return isTaken
  }

  /** The profile for the gateway's modem and network as its last beat names them. */
  #profileFor({ callProfile, learnedFrom }: Permit, gateway: GatewayRow): CallProfile {
    if (!callProfile.learned || learnedFrom === null) return callProfile
    return profileFor(
      callProfile,
      JSON.parse(learnedFrom) as KeptOrigin,
      callerOf(this.#parts.heard.now(gateway)),
    )
  }

  /** The press may not open the gate any more, so the opening ends. */
  async #deny(tx: Db, row: OpeningRow, reason: ReasonWord, atMs: number): Promise<Granted> {
    const isInTime = (joiner: OpeningRow) => this.#parts.ends.isInTime(joiner, atMs)
    const end = { row, end: 'refusedAtClaim', ending: endingUndialled(reason), atMs, isInTime } as const
    return { ...refused('refused'), ended: await endOpening(tx, end) }
  }

  /** No cloud is left that could grant the opening, so it ends: otherwise the gateway would wait with its single claim. */
  async #interrupt(tx: Db, row: OpeningRow, atMs: number): Promise<Granted> {
    const end = { row, end: 'interrupted', ending: endingUndialled('interrupted'), atMs } as const
    return { ...refused('expired'), ended: await endOpening(tx, end) }
  }
}
