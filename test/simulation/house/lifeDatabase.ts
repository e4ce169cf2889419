// The database of one run of the cloud: it begins as a copy of what the run before committed.

import { type Database, openDatabase } from '@callgate/cloud/database/database'
import { connectionOf, dumpOf, emptyTables } from '@callgate/cloud/database/tables.kit'
import type { FakeWorld } from '@callgate/world/fake'
import type BetterSqlite3 from 'better-sqlite3'
import type { Edges } from './edges.ts'
import type { ForeignLock } from './foreignLock.ts'
import { type Life, never } from './life.ts'

/** The time in milliseconds of the simulation; null: not in this run. */
export interface OpeningTimes {
  readonly begunMs: number | null
  readonly grantedMs: number | null
  readonly endedMs: number | null
}

export interface LifeDatabase extends Database {
  /** Reads rows immediately, without the cloud's process. */
  rows<Row>(sql: string, ...values: readonly (string | number)[]): Row[]
  /** Commits a change from outside of the cloud immediately. */
  change(sql: string, ...values: readonly (string | number)[]): void
  /** How often openings changed from one status to another in this run, by commits. A new opening comes from `nothing`. */
  moves(): readonly { readonly was: string; readonly now: string; readonly times: number }[]
  /** When each opening began, was granted and first ended in this run, by commits. */
  times(): readonly (OpeningTimes & { readonly id: string })[]
  /** The committed content as SQL statements. */
  dump(): string
}

/** Temporary tables are not dumped, and are rolled back with the rest. */
export const noteMoves = `
  create temp table moves (was text, now text, id text, "atMs" real);
  create temp trigger begun after insert on main.openings
    begin insert into moves values ('nothing', new.status, new.id, house_ms()); end;
  create temp trigger moved after update of status on main.openings when old.status <> new.status
    begin insert into moves values (old.status, new.status, new.id, house_ms()); end;
  create temp trigger granted after update of "grantedAt" on main.openings when old."grantedAt" is null
    begin insert into moves values (null, 'granted', new.id, house_ms()); end`

type Prepare = Pick<BetterSqlite3.Database, 'prepare'>

/** How often openings changed from one status to another. */
export const readMoves = ({ prepare }: Prepare) =>
  prepare<[], { was: string; now: string; times: number }>(
    'select was, now, count(*) as times from temp.moves where was is not null group by was, now',
  ).all()

/** SQL of when each opening began, was granted and first ended, from the table of the moves. */
export const timesSql = (moves: string) =>
  `select id,
     min("atMs") filter (where was = 'nothing') as "begunMs",
     min("atMs") filter (where now = 'granted') as "grantedMs",
     min("atMs") filter (where now not in ('initiated', 'connected', 'granted')) as "endedMs"
   from ${moves} group by id`

/** When each opening began, was granted and first ended. */
export const readTimes = ({ prepare }: Prepare) =>
  prepare<[], OpeningTimes & { id: string }>(timesSql('temp.moves')).all()

/** The statement, run through the interception point. Statements of an `exec` have no text of their own. */
function runBy(edges: Edges, connection: BetterSqlite3.Database, own: BetterSqlite3.Statement, sql: string) {
  if (!('source' in own)) return own
  return {
    reader: own.reader,
    all: (...values: unknown[]) => edges.query(sql, connection, () => own.all(...values)),
    run: (...values: unknown[]) => edges.query(sql, connection, () => own.run(...values)),
  }
}

/** The statement, run only when the machine continues; undefined where nobody waits for its rows. */
function runLater(life: Life, own: BetterSqlite3.Statement, now: ReturnType<typeof runBy>) {
  if (!own.reader) return undefined
  const all = (...values: unknown[]) =>
    life.machine.running().then(() => (life.isDead() ? never() : now.all(...values)))
  return { reader: true, all }
}

/** Logs statements of shared commits, and those that fail. */
function logged<Result>(world: FakeWorld, sql: string, run: () => Result): Result {
  if (/^SAVEPOINT/i.test(sql))
    world.log.debug('shares a commit', { who: 'cloud', met: ['writes share a commit'] })
  try {
    return run()
  } catch (error) {
    const [statement] = sql.split(' ')
    world.log.debug('a statement fails', { who: 'cloud', met: [`database fails at ${statement}`], sql })
    throw error
  }
}

/** Lets writes and reads wait for the connection, as when others use it. */
function waitForConnection({ client }: Database['knex'], life: Life, busyMs: () => number) {
  const acquire = client.acquireConnection.bind(client)
  client.acquireConnection = async () => {
    const waitMs = busyMs()
    if (waitMs > 0) await new Promise<void>(resolve => life.world.after(waitMs, resolve))
    return acquire()
  }
}

/** Opens a copy of `dump`, or of the empty tables. When `life` dies, the open transaction is rolled back. */
export async function openLifeDatabase(
  world: FakeWorld,
  life: Life,
  { edges, lock }: { readonly edges: Edges; readonly lock: ForeignLock },
  dump?: string,
): Promise<LifeDatabase> {
  const begin = dump ?? (await emptyTables())
  // No other program can lock a database in memory; `lock` simulates one.
  const patience = { world: life.world, withinMs: 2_000 }
  const database = await openDatabase({ url: ':memory:', patience })
  const connection = await connectionOf(database)
  connection.function('house_ms', () => world.monotonicMs())
  connection.exec(`${begin};\n${noteMoves}`)
  const prepare = connection.prepare.bind(connection)
  const hanging = { reader: true, all: never }
  const exec = connection.exec.bind(connection)
  Object.assign(connection, {
    prepare(sql: string) {
      if (!life.step()) return hanging
      const own = prepare(sql)
      const now = runBy(edges, connection, own, sql)
      return (life.machine.isStalled() && runLater(life, own, now)) || now
    },
    // The driver begins and ends transactions by `exec`.
    exec(sql: string) {
      lock.pass(sql)
      return logged(world, sql, () => edges.query(sql, connection, () => exec(sql)))
    },
  })
  waitForConnection(database.knex, life, edges.busyMs)
  const rollBack = () => {
    if (connection.inTransaction) exec('rollback')
  }
  life.onDeath(rollBack)
  return {
    ...database,
    rows: <Row>(sql: string, ...values: readonly (string | number)[]) =>
      prepare<unknown[], Row>(sql).all(...values),
    change: (sql, ...values) => void prepare(sql).run(...values),
    moves: () => readMoves({ prepare }),
    times: () => readTimes({ prepare }),
    dump: () => dumpOf({ prepare }),
    async close() {
      const closed = database.close()
      // A dead process never returns its connection, so the pool would never close.
      if (life.isDead()) connection.close()
      else await closed
    },
  }
}
