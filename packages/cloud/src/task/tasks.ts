// Tasks: the cloud asks one gateway for one thing outside an opening, and applies the gateway's report.

// The row of a task decides; the message is repeated until the gateway has reported the end. Of several clouds, the one that owns
// the gateway sends and applies. Should two clouds own it, they use the same boot, and the row ends once.

import type { CloudFailure, TaskKind, TaskReport } from '@callgate/contract/wire/tasks'
import { taskEveryMs } from '@callgate/contract/wire/timing'
import { limitedLog } from '@callgate/world/limitedLog'
import type { Timer, World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Database } from '../database/database.ts'
import { alone, type Replica } from '../replica/replica.ts'
import { inTurns } from './inTurns.ts'
import type { CurrentBoot, TaskEndpoint, TaskListener, VerifiedTold } from './taskEndpoint.ts'
import { endTask, isOver, listOpenTasks, listOverTasks, noteBoot, type TaskRow, taskOf } from './taskRows.ts'

type DoneOf<Kind extends TaskKind> = Extract<TaskReport, { readonly kind: Kind }>

/** The effects of a completed task, in the transaction that ends it. */
export type TaskAppliers = {
  readonly [Kind in TaskKind]?: (tx: Knex.Transaction, row: TaskRow, told: DoneOf<Kind>) => Promise<void>
}

/** The applier for this kind. The cast is needed because the kind is not known to the compiler. */
const applierOf = (appliers: TaskAppliers, { kind }: DoneOf<TaskKind>) =>
  appliers[kind] as ((tx: Knex.Transaction, row: TaskRow, told: TaskReport) => Promise<void>) | undefined

interface TasksParts {
  readonly world: World
  readonly database: Database
  /** Where other clouds serve the same data; left out where this one is alone. */
  readonly replica?: Pick<Replica, 'owns' | 'nowMs'> | undefined
  readonly endpoint: TaskEndpoint
  readonly appliers: TaskAppliers
}

/** Another process may have written a task down. */
const checkEveryMs = 2_000
/** How many tasks one check sends, and how many it ends. */
const mostAtOnce = 200
/** How many gateways' tasks one statement reads. */
const readAtOnce = 500

export class Tasks implements TaskListener {
  readonly #parts: TasksParts
  readonly #replica: Pick<Replica, 'owns' | 'nowMs'>
  readonly #complain: ReturnType<typeof limitedLog>
  /** When each open task was last sent, monotonic milliseconds. */
  #sentMs: ReadonlyMap<string, number> = new Map()
  #timer: Timer | undefined
  #looking: Promise<void> | undefined
  #isStopped = false

  constructor(parts: TasksParts) {
    this.#parts = parts
    this.#replica = parts.replica ?? alone(parts.world)
    this.#complain = limitedLog(parts.world)
  }

  /** Starts to send waiting tasks. Returns the function that stops this. */
  start(): () => Promise<void> {
    this.#plan(0)
    return async () => {
      this.#isStopped = true
      this.#timer?.cancel()
      await this.#looking
    }
  }

  /** Checks for tasks now, because one was written down. */
  wake(): void {
    this.#plan(0)
  }

  async told({ bootId, gatewayId, told }: VerifiedTold): Promise<void> {
    const { appliers, database, world } = this.#parts
    if (!this.#replica.owns(gatewayId)) return
    const row = await database.knex<TaskRow>('tasks').where({ id: told.taskId, gatewayId, bootId }).first()
    if (!row || row.endedAt !== null) return
    if (told.state === 'done' && told.kind !== row.kind) return
    await database.write(
      async tx => {
        const isFirst = await endTask(tx, world, row, told)
        if (isFirst && told.state === 'done') await applierOf(appliers, told)?.(tx, row, told)
      },
      { spaceId: row.spaceId },
    )
  }

  #plan(inMs: number): void {
    if (this.#isStopped) return
    this.#timer?.cancel()
    this.#timer = this.#parts.world.after(inMs, () => {
      this.#looking ??= this.#look()
        .catch((error: unknown) => this.#complain('tasks were not sent', { why: String(error) }))
        .finally(() => {
          this.#looking = undefined
          this.#plan(checkEveryMs)
        })
    })
  }

  /** Handles only tasks of gateways that are online, so that those of an absent gateway delay no other. */
  async #look(): Promise<void> {
    const { database, endpoint } = this.#parts
    const owned = endpoint.heard().filter(gatewayId => this.#replica.owns(gatewayId))
    const rows: TaskRow[] = []
    for (let from = 0; from < owned.length; from += readAtOnce)
      rows.push(...(await listOpenTasks(database.knex, owned.slice(from, from + readAtOnce))))
    const ids = new Set(rows.map(({ id }) => id))
    this.#sentMs = new Map([...this.#sentMs].filter(([id]) => ids.has(id)))
    const due = rows.filter(row => this.#isDue(row)).sort((a, b) => this.#lastSent(a) - this.#lastSent(b))
    for (const row of inTurns(due, ({ spaceId }) => spaceId).slice(0, mostAtOnce)) await this.#followUp(row)
    for (const row of await listOverTasks(database.knex, this.#replica.nowMs(), mostAtOnce))
      if (this.#replica.owns(row.gatewayId)) await this.#endOver(row)
  }

  #lastSent({ id }: TaskRow): number {
    return this.#sentMs.get(id) ?? Number.MIN_SAFE_INTEGER
  }

  #isDue(row: TaskRow): boolean {
    return this.#parts.world.monotonicMs() - this.#lastSent(row) >= taskEveryMs
  }

  #endOver(row: TaskRow): Promise<void> {
    return this.#end(row, row.bootId === null ? 'offline' : 'silent')
  }

  /** Sends the task, repeats it, or ends it. */
  async #followUp(row: TaskRow): Promise<void> {
    const currentBoot = this.#parts.endpoint.currentBoot(row.gatewayId)
    if (isOver(row, this.#replica.nowMs())) return this.#endOver(row)
    if (!currentBoot) return
    if (row.bootId !== null && row.bootId !== currentBoot.bootId) return this.#end(row, 'restarted')
    if (!currentBoot.can.includes(row.kind)) return this.#end(row, 'cannot')
    await this.#send(row, currentBoot)
  }

  async #send(row: TaskRow, currentBoot: CurrentBoot): Promise<void> {
    const { database, endpoint, world } = this.#parts
    const mayBeSent =
      row.bootId !== null ||
      (await database.write(tx => noteBoot(tx, row, currentBoot.bootId), { spaceId: row.spaceId }))
    if (!mayBeSent) return
    this.#sentMs = new Map([...this.#sentMs, [row.id, world.monotonicMs()]])
    endpoint.ask(row.gatewayId, currentBoot, taskOf(row))
  }

  async #end(row: TaskRow, reason: CloudFailure): Promise<void> {
    const { database, world } = this.#parts
    await database.write(tx => endTask(tx, world, row, { state: 'not_done', reason }), {
      spaceId: row.spaceId,
    })
  }
}
