// The alerts: looks at gateways, gates and mails from time to time, opens and closes incidents, and has them told.

import type { IncidentKind } from '@callgate/contract/app/incidentKinds'
import { repeat } from '@callgate/world/repeat'
import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { BeatsSeen } from '../gateway/gatewayRows.ts'
import type { Replica } from '../replica/replica.ts'
import { type Hearing, hearingAfter, stillHearing } from './core/hearing.ts'
import { lookAtDrifts } from './driftLooks.ts'
import { lookAtGates } from './gateLooks.ts'
import { gatewaysInTurn, hearingLook, looksAt, readGateways, type SeenGateway } from './gatewayLooks.ts'
import { applyLooks, type GoingOn, isDue, type Look, readGoingOn } from './incidentRows.ts'
import { lookAtMails } from './mailLooks.ts'
import { lookAtSims } from './simLooks.ts'
import { tellIncidents } from './tellings.ts'

interface Parts {
  readonly world: World
  readonly database: Database
  readonly heard: BeatsSeen
  /** Whether the cloud is connected to the broker: else it hears no gateway. */
  readonly isConnected: () => boolean
  /** Among several clouds: its clock is that of the database, which dates the beats. */
  readonly replica?: Pick<Replica, 'nowMs'> | undefined
}

/** From the end of one round to the next. Five minutes of silence are told within the sixth. Milliseconds. */
export const roundEveryMs = 30_000
/** How far back a round looks for gates that did not react: the end of a call may be committed late. Milliseconds. */
const lookBackMs = 15 * 60_000
/** The same of the first round, for what came to an end just before the cloud did. Milliseconds. */
const firstLookBackMs = 24 * 3_600_000

const kindsOfGateway: readonly IncidentKind[] = ['gateway_offline', 'signal_low', 'supply_low']

/** Looks for incidents whose gateway is shut out, or is not known any more. */
function looksAtGone(goingOn: GoingOn, gateways: readonly SeenGateway[]): readonly Look[] {
  const known = new Set(gateways.map(({ id }) => id))
  return [...goingOn.values()].flatMap(({ kind, spaceId, targetId }) => {
    const isOfGateway = kindsOfGateway.includes(kind)
    return isOfGateway && !known.has(targetId) ? [{ spaceId, targetId, kind, seen: 'gone' as const }] : []
  })
}

class Alerts {
  readonly #parts: Parts
  #hearing: Hearing | undefined
  #lookBackMs = firstLookBackMs

  constructor(parts: Parts) {
    const turn = async (of?: string) => {
      await parts.world.turn(of)
      this.#noteRunning()
    }
    const nowMs = () => (parts.replica ?? parts.world).nowMs()
    this.#parts = { ...parts, world: { ...parts.world, turn, nowMs } }
  }

  /** The cloud hears from now on. Answers what stops it, which waits for the round that runs. */
  start(): () => Promise<void> {
    const { world } = this.#parts
    this.#hearing = this.#hear([])
    this.#noteRunning()
    const round = () => this.#round().finally(() => this.#noteRunning())
    return repeat(world, roundEveryMs, round, why => world.log.warn('incidents were not looked for', { why }))
  }

  /** A round may take longer than it takes to notice that the process stood still. */
  #noteRunning(): void {
    const { world } = this.#parts
    const clocks = { nowMs: world.nowMs(), monotonicMs: world.monotonicMs() }
    if (this.#hearing) this.#hearing = stillHearing(this.#hearing, clocks)
  }

  #hear(gateways: readonly SeenGateway[]): Hearing {
    const { isConnected, world } = this.#parts
    const nowMs = world.nowMs()
    const clocks = { nowMs, monotonicMs: world.monotonicMs() }
    const look = { ...clocks, isConnected: isConnected(), ...hearingLook(gateways, nowMs) }
    const after = hearingAfter(this.#hearing, look)
    if (after.isDeaf && !this.#hearing?.isDeaf)
      world.log.error(
        'no gateway is heard: the broker or the network of the cloud may be down; nobody is told',
        {
          gateways: look.gateways,
        },
      )
    if (!after.isDeaf && this.#hearing?.isDeaf) world.log.info('gateways are heard again')
    return after
  }

  async #round(): Promise<void> {
    const { database, world } = this.#parts
    const goingOn = await readGoingOn(database.knex)
    const gateways = await readGateways(this.#parts)
    const hearing = this.#hear(gateways)
    this.#hearing = hearing
    const nowMs = world.nowMs()
    const due: Look[] = []
    const look = (looks: readonly Look[]) => due.push(...looks.filter(one => isDue(goingOn, one, nowMs)))
    look(looksAtGone(goingOn, gateways))
    for (const [place, gateway] of gateways.entries()) {
      if (place > 0 && place % gatewaysInTurn === 0) await world.turn()
      look(looksAt(gateway, hearing.sinceMs, nowMs))
    }
    look(await lookAtGates(this.#parts, goingOn, nowMs - this.#lookBackMs))
    look(await lookAtDrifts(this.#parts, goingOn))
    look(await lookAtMails(this.#parts, goingOn))
    look(await lookAtSims(this.#parts, goingOn))
    await applyLooks(this.#parts, due)
    await tellIncidents(this.#parts)
    this.#lookBackMs = lookBackMs
  }
}

/** Looks for incidents until the function that it answers is called, which waits for the round that runs. */
export function watchForIncidents(parts: Parts): () => Promise<void> {
  return new Alerts(parts).start()
}
