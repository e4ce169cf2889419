// A move from SQLite to Postgres as a process that kills itself (SIGKILL) before one of its statements, on either side.

import { type Database, openDatabase } from '@callgate/cloud/database/database'
import { openPostgres } from '@callgate/cloud/database/postgres'
import { moveData } from '@callgate/cloud/move/move'
import { claimTarget } from '@callgate/cloud/move/target'
import { loadKeyring } from '@callgate/cloud/secrets/keyring'
import { realWorld } from '@callgate/world/real'

const [folder = '', url = '', diesAt = ''] = process.argv.slice(2)
const world = realWorld({ logLevel: 'silent' })
const file = `${folder}/callgate.sqlite`
const loaded = await loadKeyring(world, { folder })
if (!loaded.ok) throw new Error(loaded.message)
const source = await openDatabase({ url: file })
const target = await openPostgres({ url })

let statements = 0
/** A negative number counts from the start, another one from when the tables of Postgres are there. */
let isCounted = diesAt.startsWith('-')
/** Counts what writes: a read changes neither side. */
function count({ knex }: Database): void {
  knex.client.on('query', ({ sql }: { readonly sql: string }) => {
    if (/^\s*(select|pragma)\b/i.test(sql)) return
    isCounted ||= sql.includes('"callgateMove"."progress"')
    if (isCounted) statements += 1
    if (statements > 0 && statements === Math.abs(Number(diesAt))) process.kill(process.pid, 'SIGKILL')
  })
}
for (const database of [source, target]) count(database)
const why = await claimTarget(target, { file, name: 'postgres', world })
if (why !== undefined) throw new Error(why)
const { seal } = loaded.keyring
await moveData({ source, file, target, to: 'postgres', seal, world, tell: () => {} })
process.send?.(statements)
process.disconnect()
await Promise.all([source.close(), target.close()])
