// The cloud as a process that says how much memory it uses, for the benchmark of event streams.

import { createCloud } from '@callgate/cloud/app'
import { readConfig } from '@callgate/cloud/config'
import { openDatabase } from '@callgate/cloud/database/database'
import { realWorld } from '@callgate/world/real'

/** The port, once; then the bytes in use after a collection, for each request. */
export interface StreamsMessage {
  readonly port?: number
  readonly residentBytes?: number
  readonly heapBytes?: number
}

const send = (message: StreamsMessage) => process.send?.(message)
const [dataFolder = ''] = process.argv.slice(2)
const read = readConfig({ CALLGATE_DATA: dataFolder, LOG_LEVEL: 'silent' })
if (!read.ok) throw new Error(read.message)
const world = realWorld({ logLevel: 'silent' })
const database = await openDatabase({ url: read.config.databaseUrl, patience: { world, withinMs: 2_000 } })
const cloud = createCloud({
  world,
  database,
  config: { ...read.config, host: '0.0.0.0', port: 0, mqttPort: 0 },
})
const started = await cloud.start()
if (!started.ok) throw new Error(started.message)
process.on('message', () => {
  for (let collected = 0; collected < 3; collected++) globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  send({ residentBytes: rss, heapBytes: heapUsed })
})
process.on('disconnect', () => process.exit(0))
send({ port: started.port })
