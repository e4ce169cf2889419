// A move between SQLite and Postgres, in either direction, as a process that kills itself (SIGKILL) before one of its statements, on either side.

import { type Database, openDatabase } from '@callgate/cloud/database/database'
import { openPostgres } from '@callgate/cloud/database/postgres'
import { moveData } from '@callgate/cloud/move/move'
import { claimTarget } from '@callgate/cloud/move/target'
import { loadKeyring } from '@callgate/cloud/secrets/keyring'
import { realWorld } from '@callgate/world/real'

const [folder = '', file = '', url = '', direction = '', diesAt = ''] = process.argv.slice(2)
const world = realWorld({ logLevel: 'silent' })
const loaded = await loadKeyring(world, { folder })
if (!loaded.ok) throw new Error(loaded.message)
const sqlite = { database: await openDatabase({ url: file }), url: file, name: file }
const postgres = { database: await openPostgres({ url }), url, name: 'postgres' }
const [source, target] = direction === 'back' ? [postgres, sqlite] : [sqlite, postgres]

let statements = 0
/** A negative number counts from the start, another one from when the tables of the new database are there. */
let isCounted = diesAt.startsWith('-')
/** Counts what writes: a read changes neither side. */
function count({ knex }: Database): void {
  knex.client.on('query', ({ sql }: { readonly sql: string }) => {
    if (/^\s*(select|pragma)\b/i.test(sql)) return
    isCounted ||= /insert into .callgateMove/.test(sql)
    if (isCounted) statements += 1
    if (statements > 0 && statements === Math.abs(Number(diesAt))) process.kill(process.pid, 'SIGKILL')
  })
}
for (const { database } of [source, target]) count(database)
const why = await claimTarget(source, target, world)
if (why !== undefined) throw new Error(why)
const { seal } = loaded.keyring
await moveData({ source, target, seal, world, tell: () => {} })
process.send?.(statements)
process.disconnect()
await Promise.all([sqlite.database.close(), postgres.database.close()])
