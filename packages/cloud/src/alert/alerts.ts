// The alerts: checks gateways, gates and mails from time to time, opens and closes incidents, and sends notifications.

import type { IncidentKind } from '@callgate/contract/app/incidentKinds'
import { repeat } from '@callgate/world/repeat'
import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { BeatsSeen } from '../gateway/gatewayRows.ts'
import type { Replica } from '../replica/replica.ts'
import { type Hearing, hearingAfter, stillHearing } from './core/hearing.ts'
import { checkDrifts } from './driftChecks.ts'
import { checkGates } from './gateChecks.ts'
import { checksOf, gatewaysInTurn, hearingCheck, readGateways, type SeenGateway } from './gatewayChecks.ts'
import { applyChecks, type GoingOn, type IncidentCheck, isDue, readGoingOn } from './incidentRows.ts'
import { checkMails } from './mailChecks.ts'
import { dropMuteAhead, findMute, type Mute, mostMutedMs } from './mutes.ts'
import { type AlertListener, dropOver, tellIncidents } from './notifications.ts'
import { checkSims } from './simChecks.ts'
import { checkWebhooks } from './webhookChecks.ts'

interface AlertsParts {
  readonly world: World
  readonly database: Database
  readonly heard: BeatsSeen
  /** Whether the cloud is connected to the broker; otherwise it hears no gateway. */
  readonly isConnected: () => boolean
  /**
   * Among several clouds: its clock is that of the database, which dates the beats. The cloud that owns a gateway checks it, because
   * the others do not read all its beats.
   */
  readonly replica?: Pick<Replica, 'nowMs' | 'owns'> | undefined
  /** Gets what the users of a Space are told of by mail, for pushes. */
  readonly told?: AlertListener
}

/** From the end of one round to the next, in milliseconds. A silence of five minutes is reported within the sixth. */
export const roundEveryMs = 30_000
/** How far back a round checks for gates that did not react: the end of a call may be committed late. Milliseconds. */
const lookBackMs = 15 * 60_000
/** The same for the first round, which includes what ended just before the cloud stopped. Milliseconds. */
const firstLookBackMs = 24 * 3_600_000

const kindsOfGateway: readonly IncidentKind[] = ['gateway_offline', 'signal_low', 'supply_low']

/** The checks of incidents whose gateway is shut out or deleted. */
function checksOfGone(goingOn: GoingOn, gateways: readonly SeenGateway[]): readonly IncidentCheck[] {
  const known = new Set(gateways.map(({ id }) => id))
  return [...goingOn.values()].flatMap(({ kind, spaceId, targetId }) => {
    const isOfGateway = kindsOfGateway.includes(kind)
    return isOfGateway && !known.has(targetId) ? [{ spaceId, targetId, kind, seen: 'gone' as const }] : []
  })
}

class Alerts {
  readonly #parts: AlertsParts
  #hearing: Hearing | undefined
  #lookBackMs = firstLookBackMs
  #isMuted = false
  /** The mute that holds, and when this process first saw it, by the time of service. */
  #muted: { readonly startedAt: string; readonly sinceMs: number } | undefined

  constructor(parts: AlertsParts) {
    const turn = async (of?: string) => {
      await parts.world.turn(of)
      this.#noteRunning()
    }
    const nowMs = () => (parts.replica ?? parts.world).nowMs()
    this.#parts = { ...parts, world: { ...parts.world, turn, nowMs } }
  }

  /** The cloud hears from now on. Returns a function that stops it and waits for the running round. */
  start(): () => Promise<void> {
    const { world } = this.#parts
    this.#hearing = this.#hear([])
    this.#noteRunning()
    const round = () => this.#round().finally(() => this.#noteRunning())
    return repeat(world, roundEveryMs, round, why => world.log.warn('incidents were not looked for', { why }))
  }

  /** Called during a round, which may take longer than the limit for a stall. */
  #noteRunning(): void {
    const { world } = this.#parts
    const clocks = { nowMs: world.nowMs(), monotonicMs: world.monotonicMs() }
    if (this.#hearing) this.#hearing = stillHearing(this.#hearing, clocks)
  }

  #hear(gateways: readonly SeenGateway[]): Hearing {
    const { isConnected, world } = this.#parts
    const nowMs = world.nowMs()
    const clocks = { nowMs, monotonicMs: world.monotonicMs() }
    const check = { ...clocks, isConnected: isConnected(), ...hearingCheck(gateways, nowMs) }
    const after = hearingAfter(this.#hearing, check)
    if (after.isDeaf && !this.#hearing?.isDeaf)
      world.log.error(
        'no gateway is heard: the broker or the network of the cloud may be down; nobody is told',
        {
          gateways: check.gateways,
        },
      )
    if (!after.isDeaf && this.#hearing?.isDeaf) world.log.info('gateways are heard again')
    return after
  }

  async #round(): Promise<void> {
    const { database, replica, world } = this.#parts
    const goingOn = await readGoingOn(database.knex)
    const gateways = await readGateways(this.#parts)
    const hearing = this.#hear(gateways)
    this.#hearing = hearing
    const nowMs = world.nowMs()
    const due: IncidentCheck[] = []
    const check = (checks: readonly IncidentCheck[]) =>
      due.push(...checks.filter(one => isDue(goingOn, one, nowMs)))
    check(checksOfGone(goingOn, gateways))
    for (const [place, gateway] of gateways.entries()) {
      if (place > 0 && place % gatewaysInTurn === 0) await world.turn()
      if (replica?.owns(gateway.id) ?? true) check(checksOf(gateway, hearing.sinceMs, nowMs))
    }
    check(await checkGates(this.#parts, goingOn, nowMs - this.#lookBackMs))
    check(await checkDrifts(this.#parts, goingOn))
    check(await checkMails(this.#parts, goingOn))
    check(await checkSims(this.#parts, goingOn))
    check(await checkWebhooks(this.#parts, goingOn))
    await applyChecks(this.#parts, due)
    await this.#tell()
    this.#lookBackMs = lookBackMs
  }

  /** The mute, for as long as one may last by the time of service: a wall clock that is set back would prolong it. */
  #inTime(mute: Mute | undefined): Mute | undefined {
    const nowMs = this.#parts.world.monotonicMs()
    if (mute?.startedAt !== this.#muted?.startedAt)
      this.#muted = mute && { startedAt: mute.startedAt, sinceMs: nowMs }
    return this.#muted && nowMs - this.#muted.sinceMs < mostMutedMs ? mute : undefined
  }

  /** Incidents begin and end during a mute as ever. Nobody is told of them before it ends. */
  async #tell(): Promise<void> {
    const { world } = this.#parts
    await dropMuteAhead(this.#parts)
    const mute = this.#inTime(await findMute(this.#parts))
    if (mute && !this.#isMuted) world.log.warn('alerts are muted', { until: mute.endsAt, why: mute.why })
    if (!mute && this.#isMuted) world.log.info('alerts are told again')
    this.#isMuted = mute !== undefined
    await (mute ? dropOver(this.#parts) : tellIncidents(this.#parts, this.#parts.told))
  }
}

/** Checks for incidents until the returned function is called, which waits for the running round. */
export function watchForIncidents(parts: AlertsParts): () => Promise<void> {
  return new Alerts(parts).start()
}
