// Handles a beat: takes up a boot that has answered, records its condition, and ends the openings that its journal has lost.

import type { Beat } from '@callgate/contract/wire/messages'
import { ageMs, isoTime, type Moment, type World } from '@callgate/world/world'
import { type SaidGrant, saidGrant, wholeBeat } from '../core/beatFacts.ts'
import { type Addition, additionsOf, type BeatFigures, wasOnlineUntil } from '../core/beatHistory.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { recordEvents } from '../event/events.ts'
import { findGateway, type GatewayRow } from '../gateway/gatewayRows.ts'
import type { GatewaySpaces } from '../gateway/gatewaySpaces.ts'
import type { Replica } from '../replica/replica.ts'
import type { BeatsAside } from './beatsAside.ts'
import type { BootChallenges } from './bootChallenges.ts'
import { type GatewayChange, gatewayChange } from './core/gatewayChange.ts'
import { isCurrent, statusOf, takeBoot } from './gatewayBoots.ts'
import type { GatewayLimits } from './gatewayLimits.ts'
import type { GatewaySilence } from './gatewaySilence.ts'
import { type LastBeat, lastBeatOf, type RecentBeats } from './recentBeats.ts'

/** A beat whose signature is valid. */
export interface VerifiedBeat {
  readonly gatewayId: string
  readonly bootId: string
  /** The number of the message among all messages of the boot. */
  readonly seq: number
  /** The nonce of the challenge that the beat answers. */
  readonly nonce?: string
  /** False: a goodbye, or the last will that the broker publishes when the connection is lost. */
  readonly isOnline: boolean
  /** Whether the boot says that the cloud has taken it up before. */
  readonly wasTakenUp?: boolean
  readonly journalId: string
  /** The openings that its journal still has to report. Only an online beat lists them. */
  readonly toReport: readonly string[]
  /** The figures of the modem. Those of an offline beat are old, and are not read. */
  readonly figures: BeatFigures
  readonly body: string
  /** When it came, where it was kept since then (`beatsAside.ts`): another cloud was to answer it. */
  readonly keptSince?: Moment | undefined
}

/** The facts of a gateway that a beat may leave out: those that are asked for often, and the answer to the gateway. */
export interface BeatFacts extends Pick<Beat, 'can' | 'trusts' | 'update'> {
  readonly answer: ReturnType<typeof wholeBeat>['answer']
  /** The last call that was granted to the boot. */
  readonly lastGrant?: SaidGrant
}

export type BeatAnswer =
  | { readonly kind: 'current'; readonly spaceId: string; readonly facts?: BeatFacts }
  /** This beat or a later one of the boot has counted already: nothing was read or written. */
  | { readonly kind: 'old'; readonly spaceId: string }
  /** The boot was never taken up: it has to answer this nonce. */
  | { readonly kind: 'challenge'; readonly nonce: string }
  /** There is no such gateway, it is revoked, or the boot is not its current one. */
  | { readonly kind: 'refused' }
  /** Another replica owns the gateway, and answers. The beat is of its current boot. */
  | { readonly kind: 'heard'; readonly spaceId: string; readonly facts?: BeatFacts }
  /** Another replica owns the gateway, and the beat is not of its current boot. */
  | { readonly kind: 'unheard' }

/** A boot, and the openings that its journal still has to report. */
export interface Listing {
  readonly spaceId: string
  readonly gatewayId: string
  readonly bootId: string
  readonly toReport: readonly string[]
}

/**
 * The effects of beats on openings, which belong to another room. An orphan was granted to an older boot, and its journal lacks
 * it.
 */
export interface OpeningsOfBoots {
  hasOrphans(db: Db, boot: Listing): Promise<boolean>
  /** Ends the orphans. Call the returned function once the transaction is committed. */
  endOrphans(tx: Db, boot: Listing): Promise<() => void>
  /** A beat of the current boot was heard. The gateway counts as online once this is done. */
  heard(beat: VerifiedBeat, answer: Extract<BeatAnswer, { kind: 'current' | 'heard' }>): Promise<void>
}

/** The results of a beat, compared with the one before it. */
interface Next {
  readonly last: LastBeat
  readonly additions: readonly Addition[]
  /** The change that an event reports. Most of the 8,640 beats a day have none. */
  readonly change: GatewayChange | undefined
  readonly isOtherConnection: boolean
  /** Undefined for an older daemon, which sends all facts in each beat. */
  readonly facts: BeatFacts | undefined
}

function factsIn(beat: Beat, answer: BeatFacts['answer']): BeatFacts {
  const { can, trusts, update } = beat
  const facts = { ...(can && { can }), ...(trusts && { trusts }), answer }
  // Where other facts are wanted, these may be old ones: an earlier update would count as the last one again.
  if (answer === 'facts_wanted') return facts
  const lastGrant = saidGrant(beat)
  return { ...facts, ...(update && { update }), ...(lastGrant && { lastGrant }) }
}

function after(former: LastBeat, beat: VerifiedBeat, nowMs: number): Next {
  const { bootId, figures, isOnline, journalId, seq, toReport } = beat
  const wasOnline = wasOnlineUntil(former.heard, nowMs)
  const before = former.body === null ? undefined : (JSON.parse(former.body) as Beat)
  const said = JSON.parse(beat.body) as Beat
  const { answer, beat: now } = wholeBeat(said, seq, former.bootId === bootId ? before : undefined)
  const body = now === said ? beat.body : JSON.stringify(now)
  const onlineSince = isOnline && !wasOnline ? isoTime(nowMs) : former.onlineSince
  const heard = { atMs: nowMs, isOnline }
  return {
    last: { spaceId: former.spaceId, bootId, seq, journalId, toReport, heard, onlineSince, body },
    additions: additionsOf(former.heard, nowMs, isOnline ? figures : undefined),
    change: gatewayChange(before, now, wasOnline),
    isOtherConnection: before?.connectionId !== now.connectionId,
    facts: said.facts === undefined ? undefined : factsIn(now, answer),
  }
}

const withFacts = (facts: BeatFacts | undefined) => facts && { facts }

const sameList = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((id, place) => id === other[place])

/** How long after a beat of an unknown boot another replica has surely taken it up, if it does. */
const takenUpWithinMs = 1_000

interface BeatsParts {
  readonly world: World
  readonly database: Database
  readonly openings: OpeningsOfBoots
  readonly aside: Pick<BeatsAside, 'forget' | 'know'>
  readonly challenges: BootChallenges
  readonly limits: GatewayLimits
  readonly silence: Pick<GatewaySilence, 'heard' | 'doubt'>
  readonly recent: RecentBeats
  readonly spaces: GatewaySpaces
  readonly replica: Replica
}

class Beats {
  readonly #parts: BeatsParts
  /** The last boot of each gateway that was current when its row was read, with that time; monotonic milliseconds. */
  readonly #current = new Map<string, { readonly bootId: string; readonly atMs: number }>()

  constructor(parts: BeatsParts) {
    this.#parts = parts
  }

  async receive(beat: VerifiedBeat): Promise<BeatAnswer> {
    const { bootId, gatewayId, seq } = beat
    const known = this.#parts.recent.find(gatewayId)
    if (known?.bootId === bootId && seq <= known.seq) return { kind: 'old', spaceId: known.spaceId }
    if (beat.keptSince || !this.#parts.replica.owns(gatewayId)) return this.#hear(beat, known)
    const noted = await this.#onlyNoted(beat, known)
    if (!noted) return this.#writeDown(beat)
    this.#parts.silence.heard(gatewayId, true)
    return noted
  }

  /** Remembers a beat that another replica answers and writes: this one may own the gateway next. */
  async #hear(beat: VerifiedBeat, known: LastBeat | undefined): Promise<BeatAnswer> {
    const { recent, replica, silence, world } = this.#parts
    const { bootId, gatewayId, isOnline, keptSince } = beat
    const isNow = () => this.#isCurrent(beat)
    if (!(await isNow())) {
      if (known?.bootId === bootId || !isOnline) return { kind: 'unheard' }
      await new Promise<void>(resolve => world.after(takenUpWithinMs, resolve))
      if (!(await isNow())) return { kind: 'unheard' }
    }
    const former = known ?? (await this.#readRow(gatewayId))
    if (!former) return { kind: 'unheard' }
    const agoMs = keptSince ? Math.floor(ageMs(world, keptSince)) : 0
    const { facts, last } = after(former, beat, replica.nowMs() - agoMs)
    recent.hear(gatewayId, last)
    if (isOnline) silence.heard(gatewayId, true, agoMs)
    else silence.doubt(gatewayId)
    return { kind: 'heard', spaceId: former.spaceId, ...withFacts(facts) }
  }

  /**
   * Whether the boot of a beat is current. A boot that no longer is never becomes so again: one that was current when its row was
   * read was so at all beats that had come by then.
   */
  async #isCurrent({ bootId, gatewayId, keptSince }: VerifiedBeat): Promise<boolean> {
    const { database, world } = this.#parts
    const seen = this.#current.get(gatewayId)
    if (keptSince && seen?.bootId === bootId && keptSince.monotonicMs <= seen.atMs) return true
    const atMs = world.monotonicMs()
    const isNow = await isCurrent(database.knex, gatewayId, bootId)
    if (isNow) this.#current.set(gatewayId, { bootId, atMs })
    return isNow
  }

  /**
   * Notes a beat that changes nothing, and answers it. Undefined where it may change something; nothing is noted then. Each beat
   * reads from the row whether the gateway is revoked, and which boot is current. An online beat without a change
   * (`gatewayChange`) follows another one within 30 s, so the gateway stays online. Only a beat with another journal, or with
   * another list of openings, can orphan an opening: a superseded boot is granted nothing any more, so the running openings of
   * older boots only get fewer. The list changes twice for each opening, and mostly no opening is orphaned.
   */
  async #onlyNoted(beat: VerifiedBeat, known: LastBeat | undefined): Promise<BeatAnswer | undefined> {
    const { database, limits, openings, recent, replica } = this.#parts
    const { bootId, gatewayId, isOnline, journalId, toReport } = beat
    if (!isOnline) return undefined
    const former = known ?? (await this.#readRow(gatewayId))
    if (former?.bootId !== bootId || former.journalId !== journalId || former.isOnlyHeard) return undefined
    if (!(await isCurrent(database.knex, gatewayId, bootId))) return undefined
    const { spaceId } = former
    const listsTheSame = former.toReport !== undefined && sameList(former.toReport, toReport)
    const boot = { spaceId, gatewayId, bootId }
    if (!listsTheSame && (await openings.hasOrphans(database.knex, { ...boot, toReport }))) return undefined
    const { additions, change, facts, isOtherConnection, last } = after(former, beat, replica.nowMs())
    if (change || !limits.spend(gatewayId, { beats: 1 })) return undefined
    recent.note(gatewayId, last, additions, isOtherConnection)
    return { kind: 'current', spaceId, ...withFacts(facts) }
  }

  async #readRow(gatewayId: string): Promise<LastBeat | undefined> {
    const gateway = await findGateway(this.#parts.database.knex, gatewayId)
    return gateway && lastBeatOf(gateway)
  }

  /** The last beat: from this process, or from the row, where another cloud that owned the gateway since has written it. */
  #formerOf(gateway: GatewayRow, nowMs: number): LastBeat {
    const { recent, replica } = this.#parts
    const own = recent.find(gateway.id)
    if (own && !own.isOnlyHeard && (replica.isAlone || wasOnlineUntil(own.heard, nowMs))) return own
    return lastBeatOf(gateway)
  }

  /** Writes the beat, with all its consequences, in one transaction. */
  async #writeDown(beat: VerifiedBeat): Promise<BeatAnswer> {
    const { challenges, database, limits, openings, recent, silence, spaces, world } = this.#parts
    const { bootId, gatewayId, isOnline, nonce, toReport } = beat
    const answer = await database.write(
      async tx => {
        const bootStatus = await statusOf(tx, await findGateway(tx, gatewayId), bootId)
        // A last will may come long after its boot has ended, so it does not start a new boot.
        if (bootStatus.kind === 'refused' || (bootStatus.kind === 'unknown' && !isOnline)) return undefined
        const { gateway } = bootStatus
        const isNew = bootStatus.kind === 'unknown'
        // Only the last superseded boots are kept, and this one is older. After a restore none is kept, and it may start again.
        if (isNew && beat.wasTakenUp === true && gateway.bootId !== null) return undefined
        const bootCount = Number(gateway.bootCount)
        if (isNew && !challenges.isAnswered(gatewayId, bootId, nonce, bootCount)) return { bootCount }
        if (isNew) {
          await takeBoot(tx, world, gateway, bootId)
          // Before the commit: even if that fails, no earlier challenge may be answered any more.
          challenges.settle(gatewayId)
        }
        const nowMs = timeIn(tx, world)
        const { spaceId } = gateway
        const { additions, change, facts, last } = after(this.#formerOf(gateway, nowMs), beat, nowMs)
        await recent.write(tx, gatewayId, last, additions)
        const event = change && ({ kind: `gateway.${change}`, targetId: gatewayId, atMs: nowMs } as const)
        if (event) await recordEvents(tx, spaceId, [event])
        const boot = { spaceId, gatewayId, bootId, toReport }
        const afterEnds = isOnline ? await openings.endOrphans(tx, boot) : () => {}
        const count = await limits.charge(tx, gatewayId, isNew ? { beats: 1, boots: 1 } : { beats: 1 })
        return { last, facts, afterEnds, count }
      },
      {
        spaceId: await spaces.find(gatewayId),
        committed: done => {
          if (!done || 'bootCount' in done) return
          recent.written(gatewayId, done.last)
          done.count()
          silence.heard(gatewayId, isOnline)
          done.afterEnds()
        },
      },
    )
    if (!answer) return { kind: 'refused' }
    if ('bootCount' in answer)
      return { kind: 'challenge', nonce: challenges.ask(gatewayId, bootId, answer.bootCount) }
    return { kind: 'current', spaceId: answer.last.spaceId, ...withFacts(answer.facts) }
  }
}

/** Whether other beats with the same facts may be kept: another cloud owns the gateway, and this one knows those facts. */
const isKnown = (answer: BeatAnswer): answer is Extract<BeatAnswer, { kind: 'heard' }> =>
  answer.kind === 'heard' && answer.facts !== undefined && answer.facts.answer !== 'facts_wanted'

/** Receives beats; those of one gateway one after the other. */
export function beats(parts: BeatsParts): (beat: VerifiedBeat) => Promise<BeatAnswer> {
  const all = new Beats(parts)
  return beat =>
    parts.recent.inTurn(beat.gatewayId, async () => {
      const answer = await all.receive(beat)
      // Before the answer: only then does the gateway count as online, and only then can a press be granted.
      if (answer.kind === 'current' || answer.kind === 'heard') await parts.openings.heard(beat, answer)
      if (isKnown(answer)) parts.aside.know({ ...beat, spaceId: answer.spaceId })
      else if (answer.kind !== 'old') parts.aside.forget(beat.gatewayId)
      return answer
    })
}
