// The cloud as a process that kills itself (SIGKILL) between the commit of an event and its notification.

import { createCloud } from '@callgate/cloud/app'
import { readConfig } from '@callgate/cloud/config'
import { openDatabase } from '@callgate/cloud/database/database'
import { realWorld } from '@callgate/world/real'

const [dataFolder = ''] = process.argv.slice(2)
const read = readConfig({ CALLGATE_DATA: dataFolder, LOG_LEVEL: 'silent' })
if (!read.ok) throw new Error(read.message)
const world = realWorld({ logLevel: 'silent' })
const database = await openDatabase({ url: read.config.databaseUrl, patience: { world, withinMs: 2_000 } })
let diesAtNext = false
// Registered before the cloud is made: the first listener is called first, in the same turn of the event loop as the commit.
database.onEvents(() => {
  if (diesAtNext) process.kill(process.pid, 'SIGKILL')
})
process.on('message', () => {
  diesAtNext = true
  process.send?.('ready to die')
})
process.on('disconnect', () => process.exit(0))
const cloud = createCloud({ world, database, config: { ...read.config, port: 0, mqttPort: 0 } })
const started = await cloud.start()
if (!started.ok) throw new Error(started.message)
process.send?.(started.port)
