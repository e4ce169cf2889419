// The edges of the house's processes: where a test may stand between a process and the world, its database, wire and disk.

import type { JournalDisk } from '@callgate/gateway/journalDisk'
import type { MqttConnection } from '@callgate/mqtt/mqttConnection'
import type { MemoryLine } from '@callgate/simulator/memoryLine'
import type { World } from '@callgate/world/world'
import type BetterSqlite3 from 'better-sqlite3'

/** Each is given what the process would hold, and answers with what it holds instead; `who` names the process. */
export interface Edges {
  world(own: World, who: string): World
  /** Runs one statement of SQL on the connection, which `run` does, and answers as `run` does. */
  query<Result>(sql: string, connection: BetterSqlite3.Database, run: () => Result): Result
  connection(own: MqttConnection, who: string): MqttConnection
  disk(own: JournalDisk, who: string): JournalDisk
  line(own: MemoryLine, who: string): MemoryLine
}

/** Nobody stands between. */
export const openEdges: Edges = {
  world: own => own,
  query: (_sql, _connection, run) => run(),
  connection: own => own,
  disk: own => own,
  line: own => own,
}
