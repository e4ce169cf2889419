// The single connection of several simulated clouds: each takes it for a query or a transaction, in turn.

import type { Database } from '@callgate/cloud/database/database'
import type { Connection } from '@callgate/cloud/database/sqliteConnection'
import type { FakeWorld } from '@callgate/world/fake'
import { type DatabaseWay, lostAnswer } from './databaseWay.ts'
import { type Life, never } from './life.ts'
import type { Slowness } from './slowness.ts'
import { longestIdleMs, type SpaceLock } from './spaceLock.ts'

/** The state that the runs of all clouds share. */
export interface Shared {
  readonly world: FakeWorld
  readonly knex: Database['knex']
  readonly connection: Connection
  readonly lock: SpaceLock
  readonly slowness: Slowness
  /** The running transaction: its time, and whether it holds the Space's lock. */
  clock: () => number
  isLocking: boolean
}

/**
 * Resolves when the run has the connection and its machine runs. Never resolves for a dead run. `taken` is called synchronously,
 * so that a run that dies a moment later knows that it must give the connection back.
 */
async function turnOf(
  { knex: { client } }: Shared,
  { isDead, machine }: Life,
  taken: () => void,
): Promise<void> {
  for (;;) {
    await machine.running()
    const connection = await client.acquireConnection()
    if (!isDead() && !machine.isStalled()) return taken()
    void client.releaseConnection(connection)
    if (isDead()) return never()
  }
}

/** One turn of a run on the connection, for a query or a transaction. */
interface Turn {
  isTaken: boolean
  /** The connection was given back. A query outside of a transaction does so before it has its rows. */
  isOver: boolean
  /** What its transaction has written so far. */
  written: (() => unknown)[]
  held: ReturnType<SpaceLock['hold']> | undefined
}

/** The turns of one run, one after the other. */
function turnsOf(shared: Shared, life: Life) {
  const { connection, knex, lock, world } = shared
  let current: Turn | undefined

  /** Gives the connection to others. The transaction may continue later. */
  function leave(turn: Turn) {
    if (turn.isTaken) void knex.client.releaseConnection(connection)
    turn.isTaken = false
    if (current === turn) current = undefined
  }

  function release(turn: Turn) {
    turn.isOver = true
    leave(turn)
    turn.held?.release()
  }

  async function take(turn: Turn): Promise<Turn> {
    await turnOf(shared, life, () => {
      turn.isTaken = true
      current = turn
    })
    return turn
  }

  const newTurn = (): Promise<Turn> => take({ isTaken: false, isOver: false, written: [], held: undefined })
  const isOpen = (turn: Turn | undefined) => turn?.isTaken === true && connection.inTransaction

  /**
   * The machine stalls in the middle of this turn, or the database is slow, until `goOn` resolves. The transaction is rolled back
   * so that others can use the connection, and repeated after that. The Space's lock is held meanwhile, so nothing that the
   * transaction has read changes.
   */
  async function stand(turn: Turn, goOn: () => Promise<void>): Promise<void> {
    const { clock, isLocking } = shared
    const sinceMs = world.monotonicMs()
    const wasOpen = isOpen(turn)
    if (wasOpen) {
      connection.exec('rollback')
      turn.held?.release()
      if (isLocking) turn.held = lock.hold()
    }
    leave(turn)
    await goOn()
    if (life.isDead()) turn.held?.release()
    // The machine may stall while the database is slow, and then continues only here.
    await take(turn)
    if (!wasOpen) return
    if (world.monotonicMs() - sinceMs >= longestIdleMs)
      throw Object.assign(new Error('the transaction was idle for too long'), { code: '25P03' })
    connection.exec('begin immediate')
    Object.assign(shared, { clock, isLocking })
    for (const write of turn.written) write()
  }

  life.onDeath(() => {
    if (isOpen(current)) connection.exec('rollback')
    if (current) release(current)
  })
  return { newTurn, release, stand, isOpen, current: () => current }
}

/** The connection as one cloud sees it, for the turn for which it was acquired. */
function facadeOf(
  { connection, slowness }: Shared,
  life: Life,
  way: DatabaseWay,
  turns: ReturnType<typeof turnsOf>,
) {
  const hanging = { reader: true, all: never }
  const facade = {
    turn: undefined as Turn | undefined,
    prepare(sql: string) {
      if (!life.step()) return hanging
      way.pass()
      const own = connection.prepare(sql)
      const turn = turns.current()
      const all = (...values: unknown[]) => {
        if (!own.readonly) turn?.written.push(() => own.all(...values))
        return own.all(...values)
      }
      const run = (...values: unknown[]) => {
        turn?.written.push(() => own.run(...values))
        return own.run(...values)
      }
      const isStalled = life.machine.isStalled()
      if (!own.reader || !(isStalled || slowness.isOn())) return { reader: own.reader, all, run }
      const goOn = isStalled ? life.machine.running : slowness.pause
      const later = async (...values: unknown[]) => {
        if (turn) await turns.stand(turn, goOn)
        // A query without a turn, because the connection was free.
        const ownTurn = turn ? undefined : await turns.newTurn()
        try {
          return all(...values)
        } finally {
          if (ownTurn) turns.release(ownTurn)
          else if (turn?.isOver) turns.release(turn)
        }
      }
      return { reader: true, all: later }
    },
    exec(this: { readonly turn: Turn | undefined }, sql: string) {
      // The server rolls back what a lost connection has left.
      if (/^rollback/i.test(sql)) return turns.isOpen(this.turn) && connection.exec(sql)
      if (/^commit/i.test(sql)) {
        const isHeard = way.hearsCommit()
        connection.exec(sql)
        if (!isHeard) throw lostAnswer()
        return
      }
      way.pass()
      return connection.exec(sql)
    },
    get inTransaction() {
      return turns.isOpen(this.turn)
    },
  }
  return facade
}

/** knex of one run of a cloud, on the single connection that the runs take in turn. */
export function knexOf(shared: Shared, life: Life, way: DatabaseWay): Database['knex'] {
  const turns = turnsOf(shared, life)
  const facade = facadeOf(shared, life, way, turns)
  const knex = shared.knex.withUserParams({ connection: facade })
  knex.client.pool = shared.knex.client.pool
  knex.client.acquireConnection = async () => {
    const turn = await turns.newTurn()
    return Object.create(facade, { turn: { value: turn } })
  }
  knex.client.releaseConnection = async (acquired: typeof facade) => {
    if (acquired.turn) turns.release(acquired.turn)
  }
  return knex
}
