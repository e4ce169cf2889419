// The cloud as a process that measures how long its event loop was blocked.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createCloud } from '@callgate/cloud/app'
import { readConfig } from '@callgate/cloud/config'
import { openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { realWorld } from '@callgate/world/real'

/**
 * The port, once; then, for each request, the longest stall since the last one: in milliseconds by the clock, and in processor
 * time, which other programs on the machine do not lengthen.
 */
export interface StallServer {
  readonly port?: number
  readonly longestMs?: number
  readonly longestWorkMs?: number
}

const send = (message: StallServer) => process.send?.(message)
const [dataFolder = ''] = process.argv.slice(2)
const read = readConfig({ CALLGATE_DATA: dataFolder, LOG_LEVEL: 'silent' })
if (!read.ok) throw new Error(read.message)
const world = realWorld({ logLevel: 'silent' })
const database = await openDatabase({ url: read.config.databaseUrl, patience: { world, withinMs: 2_000 } })
await migrate(database)
const cloud = createCloud({ world, database, config: { ...read.config, port: 0, mqttPort: 0 } })
const started = await cloud.start()
if (!started.ok) throw new Error(started.message)
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
let longestWorkMs = 0
let before = process.cpuUsage()
setInterval(() => {
  const { system, user } = process.cpuUsage(before)
  longestWorkMs = Math.max(longestWorkMs, (system + user) / 1_000)
  before = process.cpuUsage()
}, 1)
process.on('message', () => {
  send({ longestMs: delay.max / 1e6, longestWorkMs })
  delay.reset()
  longestWorkMs = 0
})
process.on('disconnect', () => process.exit(0))
send({ port: started.port })
