// The stand-in for a gateway in sandbox Spaces: it claims, gets a real grant, and reports by a script. It rings nobody.

import type { Report } from '@callgate/contract/wire/messages'
import { hintEveryMs } from '@callgate/contract/wire/timing'
import { ageMs, type Moment, type World } from '@callgate/world/world'
import type { OpeningRow } from '../core/opening.ts'
import type { Database } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import type { Exchange } from '../opening/exchange.ts'
import type { GatewayEndpoint } from '../opening/gatewayEndpoint.ts'
import type { VerifiedClaim } from '../opening/grants.ts'
import { findOpening } from '../opening/openingRows.ts'
import { scriptOf } from './core/script.ts'

interface StandInRow {
  readonly id: string
  readonly bootId: string
}

const standInOf = statement<{ readonly spaceId: string }, StandInRow>((db, { spaceId }) =>
  db('gateways').select('id', 'bootId').where({ spaceId, isStandIn: true }).limit(1),
)

/** What the stand-ins of a process need of the exchange. */
type Answers = Pick<Exchange, 'claim' | 'report'>

interface StandInsParts {
  readonly world: World
  readonly database: Database
  /** The way to real gateways, for all other Spaces. */
  readonly wire: GatewayEndpoint
}

/** From the hint to the claim: the time of two messages, as with a gateway near its broker. */
const claimsAfterMs = 20
const reportsAgainAfterMs = 1_000
/** How often a claim is sent that has no answer. It lapses as a gateway's does. */
const mostClaims = 5
/** How often a report is repeated that the database could not take. */
const mostReports = 60

/**
 * The way to the gateways of all Spaces. In a sandbox, stand-ins take the place of gateways: nothing is sent to a broker. Their
 * claims, grants and reports are those of the exchange, so what follows from them is what follows from a gateway's.
 */
export class StandIns implements GatewayEndpoint {
  readonly #parts: StandInsParts
  /** By Space; null for a live one. A Space keeps its mode for good. */
  readonly #known = new Map<string, StandInRow | null>()
  readonly #byGateway = new Map<string, StandInRow>()
  /** The openings that a stand-in is at. */
  readonly #running = new Set<string>()
  /** Ends the pauses of the scripts. */
  readonly #wakes = new Set<() => void>()
  #reports = 0
  #answers: Answers | undefined
  #isStopped = false

  constructor(parts: StandInsParts) {
    this.#parts = parts
  }

  /** Starts to answer hints. */
  start(answers: Answers): void {
    this.#answers = answers
  }

  /** Ends all scripts: what was granted ends by time, as with a gateway that is gone. */
  stop(): void {
    this.#isStopped = true
    for (const wake of this.#wakes) wake()
  }

  know(spaceId: string): Promise<void> | undefined {
    return this.#known.has(spaceId) ? undefined : this.#read(spaceId)
  }

  async #read(spaceId: string): Promise<void> {
    const [row = null] = await standInOf(this.#parts.database.knex, { spaceId })
    this.#known.set(spaceId, row)
    if (row) this.#byGateway.set(row.id, row)
  }

  online(spaceId: string, phoneNumber?: string): readonly string[] {
    const own = this.#known.get(spaceId)
    if (!own) return this.#parts.wire.online(spaceId)
    const script = phoneNumber === undefined ? undefined : scriptOf(phoneNumber)
    return script?.kind === 'offline' ? [] : [own.id]
  }

  ableToCall(spaceId: string, phoneNumber?: string): readonly string[] {
    const own = this.#known.get(spaceId)
    if (!own) return this.#parts.wire.ableToCall(spaceId)
    const script = phoneNumber === undefined ? undefined : scriptOf(phoneNumber)
    return script && script.kind !== 'claim' ? [] : [own.id]
  }

  clocks(spaceId: string, pressedAt: Moment): ReturnType<GatewayEndpoint['clocks']> {
    const own = this.#known.get(spaceId)
    if (!own) return this.#parts.wire.clocks(spaceId, pressedAt)
    const { world } = this.#parts
    const atPressMs = world.sinceBootMs() - ageMs(world, pressedAt)
    return new Map([[own.id, { bootId: own.bootId, atPressMs }]])
  }

  hint(gatewayId: string, openingId: string): void {
    const own = this.#byGateway.get(gatewayId)
    if (!own) this.#parts.wire.hint(gatewayId, openingId)
    if (!own || this.#isStopped || this.#running.has(openingId)) return
    this.#running.add(openingId)
    void this.#run(own, openingId)
      .catch((error: Error) =>
        this.#parts.world.log.warn('the stand-in of a sandbox gave an opening up', {
          openingId,
          why: error.message,
        }),
      )
      .finally(() => this.#running.delete(openingId))
  }

  sign(...of: Parameters<GatewayEndpoint['sign']>): string {
    return this.#parts.wire.sign(...of)
  }

  /** Waits. Ends early when the stand-ins are stopped. */
  async #pause(forMs: number): Promise<void> {
    if (this.#isStopped) return
    const { world } = this.#parts
    await new Promise<void>(resolve => {
      const wake = () => {
        timer.cancel()
        this.#wakes.delete(wake)
        resolve()
      }
      const timer = world.after(Math.max(0, forMs), wake)
      this.#wakes.add(wake)
    })
  }

  /** The row of an opening that was hinted: the hint may come before the commit of its press. */
  async #find(openingId: string): Promise<OpeningRow | undefined> {
    for (let waitedMs = 0; !this.#isStopped && waitedMs < hintEveryMs; waitedMs += claimsAfterMs) {
      await this.#pause(claimsAfterMs)
      const row = await findOpening(this.#parts.database.knex, openingId)
      if (row) return row
    }
    return undefined
  }

  /** Claims until the claim has an answer, always with the same nonce: a lost answer may have been a grant. */
  async #claim(claim: VerifiedClaim): Promise<boolean> {
    for (let attempt = 1; !this.#isStopped && attempt <= mostClaims; attempt++) {
      const grant = await this.#answers?.claim(claim).catch(() => undefined)
      if (grant) return grant.granted
      await this.#pause(reportsAgainAfterMs)
    }
    return false
  }

  /** Declines or claims an opening that was hinted, and reports as its script says. */
  async #run(own: StandInRow, openingId: string): Promise<void> {
    const { world } = this.#parts
    const row = await this.#find(openingId)
    const script = row && scriptOf(row.phoneNumber)
    if (!script || script.kind === 'offline' || this.#isStopped) return
    if (script.kind === 'decline')
      return this.#report(own, openingId, { phase: 'declined', reason: script.reason })
    const { bootId, id: gatewayId } = own
    const nonce = Buffer.from(world.randomBytes(16)).toString('base64url')
    const claimedAtMs = world.monotonicMs()
    const claim = { gatewayId, bootId, openingId, nonce, sinceBootMs: world.sinceBootMs() }
    if (!(await this.#claim({ ...claim, isByStandIn: true }))) return
    for (const { atMs, report } of script.reports) {
      await this.#pause(claimedAtMs + atMs - world.monotonicMs())
      await this.#report(own, openingId, report)
    }
  }

  /** A number for a report that no other report of the boot has, over restarts and several clouds. */
  #nextSeq(): number {
    this.#reports = (this.#reports + 1) % 1_000
    return Math.floor(this.#parts.world.nowMs()) * 1_000 + this.#reports
  }

  /** Reports until the cloud has taken the report, as a gateway does. */
  async #report({ bootId, id: gatewayId }: StandInRow, openingId: string, report: Report): Promise<void> {
    const body = JSON.stringify(report)
    let seq = this.#nextSeq()
    for (let attempt = 1; !this.#isStopped && attempt <= mostReports; attempt++) {
      const sent = {
        gatewayId,
        bootId,
        openingId,
        seq,
        report,
        body,
        signature: '',
        isByStandIn: true,
      } as const
      const ack = await this.#answers?.report(sent).catch(() => undefined)
      if (ack && ack.result !== 'duplicate') return
      // The first time, another cloud has used the number at the same moment. Later, the answer to this report was lost.
      if (ack && attempt > 1) return
      if (ack) seq = this.#nextSeq()
      else await this.#pause(reportsAgainAfterMs)
    }
  }
}
