// The cloud's half of the exchange for one opening: the press, the gateway's claim, its reports and its beats.

import type { CallProfile } from '@callgate/contract/callProfile'
import { idPrefix } from '@callgate/contract/ids'
import type { Ack, Grant, Report } from '@callgate/contract/messages'
import { grantWithinMs, lockedAtMostMs } from '@callgate/contract/timing'
import { newId } from '@callgate/world/ids'
import { ageMs, isoTime, type Moment, moment, type World } from '@callgate/world/world'
import {
  decideClaim,
  decidePress,
  decideReport,
  endedAtMs,
  endingUndialled,
  type OpeningRow,
  type PressFacts,
  type ReportDecision,
} from './core/opening.ts'
import type { Database, Db } from './database.ts'
import { endOrphans, takeBoot } from './gatewayBoots.ts'
import { openingClock } from './openingClock.ts'
import { type GatewayDoor, openingEnds } from './openingEnds.ts'
import {
  type Ended,
  endOpening,
  findHolder,
  findLastCall,
  findOpening,
  insertOpening,
} from './openingRows.ts'
import { type GateToOpen, readGateToOpen, readPermit } from './permits.ts'

/** Who presses. */
export type Actor = Pick<OpeningRow, 'actorType' | 'actorName' | 'actorEmail' | 'apiKeyId'>

export interface Press {
  readonly spaceId: string
  readonly gateId: string
  readonly actor: Actor
  /** When the request came in. */
  readonly since: Moment
}

/** A claim whose signature holds. */
export interface VerifiedClaim {
  readonly gatewayId: string
  readonly openingId: string
  readonly nonce: string
  readonly bootId: string
}

/** A report whose signature holds. */
export interface VerifiedReport {
  readonly gatewayId: string
  readonly openingId: string
  readonly bootId: string
  readonly seq: number
  readonly report: Report
  /** As sent, for the record. */
  readonly body: string
  readonly signature: string
}

/** What a verified beat says of openings. */
export interface VerifiedBeat {
  readonly gatewayId: string
  readonly bootId: string
  readonly journalId: string
  readonly toReport: readonly string[]
  readonly body: string
}

export interface Exchange {
  /** Records an attempt, and leads, joins or ends it; undefined when the Space has no such gate. */
  press(press: Press): Promise<{ readonly openingId: string } | undefined>
  /** Resolves when the opening has ended, or after `withinMs`. */
  wait(openingId: string, withinMs: number): Promise<void>
  /** Milliseconds since the opening was accepted by this process. */
  ageMs(openingId: string): number | undefined
  claim(claim: VerifiedClaim): Promise<Grant>
  report(report: VerifiedReport): Promise<Ack>
  /** The gateway's Space; undefined when the gateway is revoked or its boot superseded. */
  beat(beat: VerifiedBeat): Promise<{ readonly spaceId: string } | undefined>
  /** Ends what a former run of the cloud left, and takes up what is still running. */
  start(): Promise<void>
  /** Wakes whoever waits and stops all timers. */
  stop(): void
}

/** The longest cool-down that a profile can have, and so the oldest call that a press may join. */
const longestCoolDownMs = 60_000

/** The cool-down that the profile of a call asked for, milliseconds. */
function coolDownOf(row: OpeningRow | undefined): number {
  const profile = row?.grantedProfile
  return profile ? (JSON.parse(profile) as CallProfile).coolDownMs : 0
}

function grantOf(phoneNumber: string, callProfile: CallProfile): Grant {
  return { granted: true, phoneNumber, callProfile }
}

export function createExchange(parts: { world: World; database: Database; door: GatewayDoor }): Exchange {
  const { database, door, world } = parts
  const clock = openingClock(world, lockedAtMostMs + longestCoolDownMs)
  const ends = openingEnds({ world, database, door, clock })
  const startedAt = moment(world)

  /** A call that is not in memory ended before this process began: a wall clock that went back makes it no younger. */
  function sinceEndMs(row: OpeningRow, nowMs: number): number {
    const byWallMs = nowMs - Date.parse(row.completedAt ?? '')
    return clock.sinceEndMs(row.id) ?? Math.max(byWallMs, ageMs(world, startedAt))
  }

  async function readPressFacts(
    tx: Db,
    spaceId: string,
    gate: GateToOpen,
    nowMs: number,
  ): Promise<PressFacts> {
    const { phoneNumber } = gate
    const holder = await findHolder(tx, spaceId, phoneNumber)
    const sinceMs = nowMs - longestCoolDownMs
    const row = holder ? undefined : await findLastCall(tx, { spaceId, phoneNumber, sinceMs })
    return {
      denied: gate.isActive ? undefined : 'gate_inactive',
      holder,
      last: row && { row, agoMs: sinceEndMs(row, nowMs) },
      // The number's, not only this gate's: gates may share a number, and profiles change.
      coolDownMs: Math.max(gate.callProfile.coolDownMs, coolDownOf(row)),
      isGatewayOnline: door.online(spaceId).length > 0,
    }
  }

  async function press({ actor, gateId, since, spaceId }: Press) {
    const pressed = await database.write(async tx => {
      const gate = await readGateToOpen(tx, spaceId, gateId)
      if (!gate) return undefined
      const nowMs = world.nowMs()
      const decision = decidePress(await readPressFacts(tx, spaceId, gate, nowMs))
      const calledAt = isoTime(nowMs)
      const row = {
        ...actor,
        id: newId(world, idPrefix.opening),
        spaceId,
        gateId,
        gateName: gate.name,
        phoneNumber: gate.phoneNumber,
        calledAt,
        grantBefore: isoTime(nowMs + grantWithinMs),
      }
      if (decision.kind === 'lead') await insertOpening(tx, { ...row, lockedNumber: gate.phoneNumber })
      else if (decision.kind === 'join')
        await insertOpening(tx, { ...row, joinedOpeningId: decision.leader.id })
      else {
        const joinedOpeningId = decision.joined?.id ?? null
        await insertOpening(tx, { ...row, ...decision.ending, joinedOpeningId, completedAt: calledAt })
      }
      // In memory before anybody else can end it: transactions come one after the other.
      if (decision.kind !== 'end') clock.accept(row.id, since)
      return { openingId: row.id, isLeading: decision.kind === 'lead' }
    })
    if (pressed?.isLeading) ends.lead(pressed.openingId, spaceId)
    return pressed && { openingId: pressed.openingId }
  }

  /** Grants, or says why not; with what ended on the way. */
  async function decideInTransaction(tx: Db, claim: VerifiedClaim): Promise<{ grant: Grant; ended?: Ended }> {
    const { bootId, gatewayId, nonce, openingId } = claim
    const gateway = await takeBoot(tx, world, gatewayId, bootId)
    if (!gateway) return { grant: { granted: false, reason: 'superseded' } }
    const found = await findOpening(tx, openingId)
    const opening = found?.spaceId === gateway.spaceId ? found : undefined
    const nowMs = world.nowMs()
    const permit = opening && (await readPermit(tx, opening, nowMs))
    const ageMs = clock.ageMs(openingId)
    const decision = decideClaim({ claim, opening, ageMs, grantWithinMs, denied: permit?.denied })
    if (!opening || !permit || decision.kind === 'refuse')
      return { grant: { granted: false, reason: decision.kind === 'refuse' ? decision.reason : 'refused' } }
    if (decision.kind === 'repeat')
      return { grant: grantOf(decision.phoneNumber, JSON.parse(decision.callProfile) as CallProfile) }
    if (decision.kind === 'end') {
      const ending = endingUndialled(decision.reason)
      const { isInTime } = ends
      const end = {
        row: opening,
        ending,
        atMs: nowMs,
        isSettled: false,
        freesNumber: true,
        dialled: false,
        isInTime,
      }
      return { grant: { granted: false, reason: 'refused' }, ended: await endOpening(tx, end) }
    }
    const grantedProfile = JSON.stringify(permit.callProfile)
    const count = await tx<OpeningRow>('openings')
      .where({ id: openingId, status: 'initiated', gatewayId: null })
      .update({ gatewayId, bootId, grantNonce: nonce, grantedAt: isoTime(nowMs), grantedProfile })
    if (count !== 1) return { grant: { granted: false, reason: 'already_granted' } }
    return { grant: grantOf(opening.phoneNumber, permit.callProfile) }
  }

  async function claim(verified: VerifiedClaim): Promise<Grant> {
    const { ended, grant } = await database.write(tx => decideInTransaction(tx, verified))
    if (grant.granted) clock.granted(verified.openingId)
    if (ended) ends.afterEnd(ended)
    return grant
  }

  async function apply(tx: Db, opening: OpeningRow, verified: VerifiedReport, decision: ReportDecision) {
    if (decision.kind === 'connect')
      await tx<OpeningRow>('openings').where({ id: opening.id }).update({ status: 'connected' })
    if (decision.kind !== 'end') return undefined
    const { report } = verified
    const sinceClaimMs = 'sinceClaimMs' in report ? report.sinceClaimMs : null
    const atMs = endedAtMs(opening, sinceClaimMs, world.nowMs())
    const { dialled, ending } = decision
    return endOpening(tx, {
      row: opening,
      ending,
      atMs,
      isSettled: true,
      freesNumber: true,
      dialled,
      isInTime: ends.isInTime,
    })
  }

  async function report(verified: VerifiedReport): Promise<Ack> {
    const { bootId, gatewayId, openingId, seq } = verified
    const done = await database.write(async tx => {
      const seen = await tx('openingReports').where({ gatewayId, bootId, seq }).first()
      if (seen) return { ack: { result: 'duplicate' } as const }
      const gateway = await tx('gateways').where({ id: gatewayId, revokedAt: null }).first()
      const found = await findOpening(tx, openingId)
      const opening = gateway && found?.spaceId === gateway.spaceId ? found : undefined
      const decision = decideReport(opening, gatewayId, verified.report)
      if (!opening || decision.kind === 'refuse') {
        const reason = decision.kind === 'refuse' ? decision.reason : 'unknown_opening'
        return { ack: { result: 'refused', reason } as const }
      }
      const { body, signature } = verified
      const { phase } = verified.report
      const receivedAt = isoTime(world.nowMs())
      await tx('openingReports').insert({
        openingId,
        gatewayId,
        bootId,
        seq,
        phase,
        body,
        signature,
        receivedAt,
      })
      return {
        ack: { result: 'applied' } as const,
        ended: await apply(tx, opening, verified, decision),
        opening,
        decision,
      }
    })
    if (done.ended) ends.afterEnd(done.ended)
    if (done.opening && done.decision.kind === 'decline')
      await ends.decline(done.opening, gatewayId, done.decision.reason)
    return done.ack
  }

  async function beat({ body, bootId, gatewayId, journalId, toReport }: VerifiedBeat) {
    const taken = await database.write(async tx => {
      const gateway = await takeBoot(tx, world, gatewayId, bootId)
      if (!gateway) return undefined
      const lastBeatAt = isoTime(world.nowMs())
      await tx('gateways').where({ id: gatewayId }).update({ journalId, lastBeatAt, lastBeat: body })
      return { spaceId: gateway.spaceId, ended: await endOrphans(tx, world, { gatewayId, bootId, toReport }) }
    })
    for (const ended of taken?.ended ?? []) ends.afterEnd(ended)
    return taken && { spaceId: taken.spaceId }
  }

  return {
    press,
    claim,
    report,
    beat,
    wait: clock.wait,
    ageMs: clock.ageMs,
    start: ends.resume,
    stop: clock.stop,
  }
}
