// Interception points for fault injection: between a simulated process and its world, database, broker, disk and modem.

import type { JournalDisk } from '@callgate/gateway/journalDisk'
import type { MqttConnection } from '@callgate/mqtt/mqttConnection'
import type { MemoryLine } from '@callgate/simulator/memoryLine'
import type { World } from '@callgate/world/world'
import type BetterSqlite3 from 'better-sqlite3'

/** Each function takes the real part and returns what the process `who` uses in its place. */
export interface Edges {
  world(own: World, who: string): World
  /** How long a transaction waits for the connection of the database, which others use, in milliseconds. */
  busyMs(): number
  /** Runs one SQL statement by `run`, and returns what `run` returns. */
  query<Result>(sql: string, connection: BetterSqlite3.Database, run: () => Result): Result
  connection(own: MqttConnection, who: string): MqttConnection
  disk(own: JournalDisk, who: string): JournalDisk
  line(own: MemoryLine, who: string): MemoryLine
}

/** Intercepts nothing. */
export const directEdges: Edges = {
  world: own => own,
  busyMs: () => 0,
  query: (_sql, _connection, run) => run(),
  connection: own => own,
  disk: own => own,
  line: own => own,
}
