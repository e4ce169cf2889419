// Updates of gateways: asks the gateways with a permission, and records their reports. Never without the permission of an owner.

import type { UpdateOutcome } from '@callgate/contract/releaseWords'
import type { Beat } from '@callgate/contract/wire/messages'
import { limitedLog } from '@callgate/world/limitedLog'
import { repeat } from '@callgate/world/repeat'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorWithoutId, recordActivity } from '../activity/activity.ts'
import type { Database } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { alone, type Replica } from '../replica/replica.ts'
import { inTurns } from '../task/inTurns.ts'
import type { TaskEndpoint } from '../task/taskEndpoint.ts'
import { insertTask } from '../task/taskRows.ts'
import { wallClockMs } from '../text/zonedTime.ts'
import { isWithin, leaveToAsk, type Stage } from './core/updateOffer.ts'
import { haltStage, readStages } from './stageRows.ts'
import {
  allowedUpdates,
  askingOf,
  type GatewayOfSpace,
  listHours,
  offerTo,
  readHours,
  saveUpdate,
  type UpdateRow,
  updateOf,
  updatesOfAll,
} from './updateRows.ts'

interface UpdatesParts {
  readonly world: World
  readonly database: Database
  readonly replica?: Pick<Replica, 'owns' | 'nowMs'> | undefined
  readonly endpoint: Pick<TaskEndpoint, 'currentBoot'>
}

const checkEveryMs = 20_000
const readAtOnce = 500
/** How many gateways one check asks, because each fetches from the cloud. */
const mostAtOnce = 20

const minuteOfDay = (nowMs: number, timezone: string) =>
  Math.floor(wallClockMs(nowMs, timezone) / 60_000) % (24 * 60)

/** A gateway may send any text. */
const printable = (text: string | null) => text?.replace(/[^\P{C}]/gu, ' ').trim() ?? null

export class Updates {
  readonly #parts: UpdatesParts
  readonly #replica: Pick<Replica, 'owns' | 'nowMs'>
  readonly #complain: ReturnType<typeof limitedLog>
  /** The last report of each gateway, because it repeats its reports. */
  readonly #heard = new Map<string, string>()
  #lastSpaceId = ''

  constructor(parts: UpdatesParts) {
    this.#parts = parts
    this.#replica = parts.replica ?? alone(parts.world)
    this.#complain = limitedLog(parts.world)
  }

  /** Starts the requests. Returns the function that stops this. */
  start(): () => Promise<void> {
    return repeat(
      this.#parts.world,
      checkEveryMs,
      () => this.#look(),
      why => this.#complain('gateways were not asked to update', { why }),
    )
  }

  /**
   * Handles the update state in a beat of the gateway's current boot, or in the earlier beat that carried the facts. Rejects
   * where it cannot be written down. In that case the caller does not answer the beat, so that the next beat carries the state
   * again.
   */
  async told(gatewayId: string, spaceId: string, said: NonNullable<Beat['update']>): Promise<void> {
    const text = JSON.stringify(said)
    if (this.#heard.get(gatewayId) === text) return
    const { database } = this.#parts
    const place = { gatewayId, spaceId }
    const isNew = await database.write(tx => this.#write(tx, place, said), { spaceId })
    this.#heard.set(gatewayId, text)
    const { last } = said
    if (isNew === 'halted')
      this.#parts.world.log.error('a release is halted: a gateway took it back', {
        version: last?.version,
        gatewayId,
        why: printable(last?.why ?? null),
      })
  }

  async #write(
    tx: Knex.Transaction,
    place: GatewayOfSpace,
    { architecture, last }: NonNullable<Beat['update']>,
  ): Promise<'known' | 'noted' | 'halted'> {
    const row = await updateOf(tx, place)
    if (!row) return 'known'
    if (row.architecture !== architecture) await saveUpdate(tx, place, { architecture })
    if (!last || !isNews(row, last)) return 'known'
    const { world } = this.#parts
    const { gatewayId, spaceId } = place
    const { state, taskId, version } = last
    const why = printable(last.why)
    const hasUsedLeave = row.allowedVersion === version
    await saveUpdate(tx, place, {
      ...{
        lastTask: taskId,
        lastVersion: version,
        lastState: state,
        lastWhy: why,
        lastCause: last.cause ?? null,
      },
      lastAt: isoTime(timeIn(tx, world)),
      ...(hasUsedLeave && { allowedVersion: null, allowedAt: null }),
    })
    const of = { spaceId, ...actorWithoutId('system'), targetId: gatewayId, targetLabel: row.name }
    const details = { version, state, why }
    await recordActivity(tx, world, { ...of, action: 'gateway.update_ended', details })
    if (state !== 'taken_back') return 'noted'
    return (await haltStage(tx, world, { gatewayId, spaceId, version, why })) ? 'halted' : 'noted'
  }

  async #look(): Promise<void> {
    const { knex } = this.#parts.database
    const stages = (await readStages(knex)).filter(({ isHalted }) => !isHalted)
    if (stages.length === 0) return
    const due = await this.#due(id => allowedUpdates(knex, id, readAtOnce), stages, false)
    for (let afterId = ''; ; ) {
      const spaces = await listHours(knex, afterId, readAtOnce)
      const nowMs = this.#replica.nowMs()
      const inHours = spaces
        .filter(({ timezone, ...hours }) => isWithin(hours, minuteOfDay(nowMs, timezone)))
        .map(({ spaceId }) => spaceId)
      if (inHours.length > 0)
        due.push(...(await this.#due(id => updatesOfAll(knex, inHours, id, readAtOnce), stages, true)))
      const last = spaces.at(-1)
      if (!last || spaces.length < readAtOnce) break
      afterId = last.spaceId
    }
    await this.#askInTurns(due)
  }

  /** The due gateways of these, read page by page. */
  async #due(
    readAfter: (id: string) => PromiseLike<readonly UpdateRow[]>,
    stages: readonly Stage[],
    isInHours: boolean,
  ): Promise<GatewayOfSpace[]> {
    const due: GatewayOfSpace[] = []
    for (let afterId = ''; ; ) {
      const rows = await readAfter(afterId)
      for (const row of rows) {
        const { gatewayId, spaceId } = row
        if (this.#isDue(row, stages, isInHours)) due.push({ gatewayId, spaceId })
      }
      const last = rows.at(-1)
      if (!last || rows.length < readAtOnce) return due
      afterId = last.gatewayId
    }
  }

  /**
   * Asks some of them in turns: one of each Space, then the second of each, beginning after the Space that was asked last. So
   * gateways that refuse repeatedly delay no other.
   */
  async #askInTurns(due: readonly GatewayOfSpace[]): Promise<void> {
    const hadTurn = ({ spaceId }: GatewayOfSpace) => Number(spaceId <= this.#lastSpaceId)
    const order = [...due].sort(
      (a, b) => hadTurn(a) - hadTurn(b) || (a.spaceId < b.spaceId ? -1 : Number(a.spaceId > b.spaceId)),
    )
    let left = mostAtOnce
    for (const place of inTurns(order, ({ spaceId }) => spaceId)) {
      if (left === 0) return
      if (!(await this.#ask(place))) continue
      left--
      this.#lastSpaceId = place.spaceId
    }
  }

  #isDue(row: UpdateRow, stages: readonly Stage[], isInHours: boolean): boolean {
    if (!this.#canAsk(row.gatewayId)) return false
    const offer = offerTo(stages, row)
    return (
      offer !== undefined &&
      leaveToAsk(askingOf(row, isInHours), offer.version, this.#replica.nowMs()) !== undefined
    )
  }

  #canAsk(gatewayId: string): boolean {
    const { endpoint } = this.#parts
    return this.#replica.owns(gatewayId) && endpoint.currentBoot(gatewayId)?.can.includes('update') === true
  }

  /** Decides again under the lock of the Space, because the permission may have been withdrawn, or the stage halted. */
  #ask(place: GatewayOfSpace): Promise<boolean> {
    const { database, world } = this.#parts
    const { gatewayId, spaceId } = place
    return database.write(
      async tx => {
        const [row, stages, hours] = [
          await updateOf(tx, place),
          await readStages(tx),
          await readHours(tx, spaceId),
        ]
        const offer = row && offerTo(stages, row)
        if (!row || !offer) return false
        const nowMs = timeIn(tx, world)
        const { timezone } = await tx('spaces').where({ id: spaceId }).first('timezone')
        const isInHours = hours !== null && isWithin(hours, minuteOfDay(nowMs, timezone))
        const { archives, version } = offer
        const by = leaveToAsk(askingOf(row, isInHours), version, nowMs)
        if (!by) return false
        const details = { version, archives }
        const task = await insertTask(tx, world, { spaceId, gatewayId, kind: 'update', details })
        if (!task) return false
        await saveUpdate(tx, place, {
          askedVersion: version,
          askedAt: isoTime(nowMs),
          askedTask: task.id,
        })
        const of = { spaceId, ...actorWithoutId('system'), targetId: gatewayId, targetLabel: row.name }
        await recordActivity(tx, world, { ...of, action: 'gateway.update_asked', details: { version, by } })
        return true
      },
      { spaceId },
    )
  }
}

/** Whether this result is not yet recorded. */
const isNews = (row: UpdateRow, { state, taskId, version }: UpdateOutcome) =>
  row.lastTask !== taskId || row.lastVersion !== version || row.lastState !== state
