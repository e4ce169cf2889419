// The one database of several simulated clouds: whole transactions of all of them, one after the other.

import { tellCommits } from '@callgate/cloud/database/commits'
import { type Database, openDatabase } from '@callgate/cloud/database/database'
import { setTimeIn } from '@callgate/cloud/database/databaseTime'
import type { Connection } from '@callgate/cloud/database/sqliteConnection'
import { type Transact, transactions } from '@callgate/cloud/database/transactions'
import { type RuleWords, sqliteWords } from '@callgate/cloud/verify/ruleWords'
import type { FakeWorld } from '@callgate/world/fake'
import { isoTime } from '@callgate/world/world'
import { type DatabaseWay, type LostCode, lostAnswer } from './databaseWay.ts'
import { type Life, never } from './life.ts'
import { connectionOf, emptyTables, noteMoves, type OpeningTimes, readTimes } from './lifeDatabase.ts'
import { longestIdleMs, type SpaceLock, spaceLock } from './spaceLock.ts'
import type { Span } from './spans.ts'

/** SQLite answers at once; Postgres is another process. */
export type AtOnceOrSoon<Answer> = Answer | Promise<Answer>

/** A grant as it was committed. */
export interface CommittedGrant {
  readonly id: string
  readonly atMs: number
  /** Whether the lease of its owner held. */
  readonly isLeased: number
}

export interface SharedDatabase {
  /** Without a cloud, for the tables to be filled. */
  readonly asDatabase: Database
  /** The database as one run of a cloud reaches it. When `life` dies, its open transaction is rolled back. */
  of(life: Life, way: DatabaseWay): Database
  /** What a cloud is told when its way is cut. */
  readonly lostCode: LostCode
  readonly ruleWords: RuleWords
  /** The clock of its server, milliseconds since the epoch. */
  nowMs(): number
  setClock(byMs: number): void
  /** A transaction stands still in its middle, and nobody else can write. */
  isLocked(): boolean
  /** When that was so. */
  locked(): readonly Span[]
  /** Reads rows immediately, without a cloud. */
  rows<Row>(sql: string, ...values: readonly (string | number)[]): AtOnceOrSoon<Row[]>
  /** Commits a change of somebody else immediately. */
  change(sql: string, ...values: readonly (string | number)[]): AtOnceOrSoon<void>
  times(): AtOnceOrSoon<readonly (OpeningTimes & { readonly id: string })[]>
  grants(): AtOnceOrSoon<readonly CommittedGrant[]>
  close(): Promise<void>
}

const noteLeases = `
  create temp table grants (id text, "atMs" real, "isLeased" integer);
  create temp trigger leased after update of "grantedAt" on main.openings when old."grantedAt" is null
    begin insert into grants select new.id, house_ms(), exists (
      select 1 from main.replicas where id = new.owner and epoch = new."ownerEpoch"
      and "leaseUntil" > house_now()); end`

/** What the runs of all clouds share. */
interface Shared {
  readonly world: FakeWorld
  readonly knex: Database['knex']
  readonly connection: Connection
  readonly lock: SpaceLock
  /** Of the transaction that runs: its time, and whether it has the Space's lock. */
  clock: () => number
  isLocking: boolean
}

/**
 * Resolves when the run has the connection, and its machine runs. Never resolves for a run that is dead. `taken` is called
 * at once then: a run that dies a moment later gives back what it knows that it has.
 */
async function turnOf(
  { knex: { client } }: Shared,
  { isDead, machine }: Life,
  taken: () => void,
): Promise<void> {
  for (;;) {
    await machine.running()
    const connection = await client.acquireConnection()
    if (!isDead() && !machine.isStanding()) return taken()
    void client.releaseConnection(connection)
    if (isDead()) return never()
  }
}

/** One turn of a run on the one connection, for a query or a transaction. */
interface Turn {
  isTaken: boolean
  /** Given back. A query outside a transaction does so before it has its rows. */
  isOver: boolean
  /** What its transaction has written so far. */
  written: (() => unknown)[]
  held: ReturnType<SpaceLock['hold']> | undefined
}

/** The turns of one run, one after the other. */
function turnsOf(shared: Shared, life: Life) {
  const { connection, knex, lock, world } = shared
  let current: Turn | undefined

  /** Gives the connection to others. The transaction may go on later. */
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
   * The machine stands still in the middle of this turn. Its transaction is rolled back so that others can use the
   * connection, and done again when the machine goes on: the Space's lock is held meanwhile, so nothing that it has read
   * changes.
   */
  async function stand(turn: Turn): Promise<void> {
    const { clock, isLocking } = shared
    const sinceMs = world.monotonicMs()
    const wasOpen = isOpen(turn)
    if (wasOpen) {
      connection.exec('rollback')
      if (isLocking) turn.held = lock.hold()
    }
    leave(turn)
    await life.machine.running()
    if (wasOpen && !life.isDead() && world.monotonicMs() - sinceMs >= longestIdleMs)
      throw Object.assign(new Error('the transaction was idle for too long'), { code: '25P03' })
    await take(turn)
    if (!wasOpen) return
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

/** The connection as one cloud sees it; `turn` is the one that it was acquired for. */
function facadeOf(connection: Connection, life: Life, way: DatabaseWay, turns: ReturnType<typeof turnsOf>) {
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
      if (!own.reader || !life.machine.isStanding()) return { reader: own.reader, all, run }
      const later = async (...values: unknown[]) => {
        if (turn) await turns.stand(turn)
        // A query for which no turn was taken, since the connection was free.
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

/** knex of one run of a cloud: its own way to the one connection, which the runs take in turn. */
function knexOf(shared: Shared, life: Life, way: DatabaseWay): Database['knex'] {
  const turns = turnsOf(shared, life)
  const facade = facadeOf(shared.connection, life, way, turns)
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

const lockedNow = new Error('another transaction of the Space is not over')

/** Writes of one run of a cloud, in transactions with the server's time. */
function writesOf(shared: Shared, knex: Database['knex'], life: Life, nowMs: () => number): Transact {
  const { lock } = shared
  const run = transactions(knex, { world: life.world, withinMs: 2_000 })
  return async (work, options) => {
    for (;;) {
      const isLocking = options?.spaceId !== null
      if (isLocking) await lock.whenFree()
      try {
        return await run(tx => {
          if (isLocking && lock.isHeld()) throw lockedNow
          const [beganMs, sinceMs] = [nowMs(), life.world.monotonicMs()]
          shared.isLocking = isLocking
          shared.clock = () => beganMs + life.world.monotonicMs() - sinceMs
          setTimeIn(tx, shared.clock)
          return work(tx)
        }, options)
      } catch (error) {
        if (error !== lockedNow) throw error
      }
    }
  }
}

/** Notes that the server's clock was set. */
export function setsClock(world: FakeWorld, byMs: number): void {
  const met = [`database clock ${byMs > 0 ? 'forward' : 'back'}`]
  world.log.info('its clock is set', { who: 'database', met, byMs })
}

/** Opens the database with empty tables. */
export async function openSharedDatabase(world: FakeWorld): Promise<SharedDatabase> {
  const database = await openDatabase({ url: ':memory:' })
  const connection = await connectionOf(database)
  const lock = spaceLock(world)
  let offMs = 0
  const nowMs = () => world.nowMs() + offMs
  const shared: Shared = { world, knex: database.knex, connection, lock, clock: nowMs, isLocking: false }
  connection.function('house_ms', () => world.monotonicMs())
  connection.function('house_now', () => isoTime(shared.clock()))
  connection.exec(`${await emptyTables()};\n${noteMoves};\n${noteLeases}`)
  const prepare = connection.prepare.bind(connection)
  const rows = <Row>(sql: string, ...values: readonly (string | number)[]) =>
    connection.prepare<unknown[], Row>(sql).all(...values)
  return {
    asDatabase: database,
    lostCode: 'SQLITE_BUSY',
    ruleWords: sqliteWords,
    of(life, way) {
      const knex = knexOf(shared, life, way)
      const { onEvents, write } = tellCommits(writesOf(shared, knex, life, nowMs))
      const close = async () => {}
      return { ...database, knex, onEvents, write, close }
    },
    nowMs,
    setClock(byMs) {
      offMs += byMs
      setsClock(world, byMs)
    },
    isLocked: lock.isHeld,
    locked: lock.held,
    rows,
    change: (sql, ...values) => void connection.prepare(sql).run(...values),
    times: () => readTimes({ prepare }),
    grants: () => rows<CommittedGrant>('select * from temp.grants'),
    close: () => database.close(),
  }
}
