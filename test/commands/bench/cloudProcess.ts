// The cloud as a process that reports its memory and processor time, for the benchmarks of streams and fleets.

import { createCloud } from '@callgate/cloud/app'
import { readConfig } from '@callgate/cloud/config'
import { openDatabase } from '@callgate/cloud/database/database'
import { realWorld } from '@callgate/world/real'

/** The question to it. `memory` collects the garbage first. */
export type CloudQuestion = 'memory' | 'processor' | 'stop'

/** The ports, once; then the answer to each question. */
export interface CloudMessage {
  readonly port?: number
  readonly mqttPort?: number
  readonly residentBytes?: number
  readonly heapBytes?: number
  /** Processor time so far, user and system. */
  readonly processorMs?: number
}

const send = (message: CloudMessage) => process.send?.(message)
const [dataFolder = '', port = '0', mqttPort = '0'] = process.argv.slice(2)
const read = readConfig({ CALLGATE_DATA: dataFolder, LOG_LEVEL: 'silent' })
if (!read.ok) throw new Error(read.message)
const world = realWorld({ logLevel: 'silent' })
const database = await openDatabase({ url: read.config.databaseUrl, patience: { world, withinMs: 2_000 } })
const cloud = createCloud({
  world,
  database,
  config: { ...read.config, host: '0.0.0.0', port: Number(port), mqttPort: Number(mqttPort) },
})
const started = await cloud.start()
if (!started.ok) throw new Error(started.message)

const answers: Readonly<Record<CloudQuestion, () => void>> = {
  memory() {
    for (let collected = 0; collected < 3; collected++) globalThis.gc?.()
    const { heapUsed, rss } = process.memoryUsage()
    send({ residentBytes: rss, heapBytes: heapUsed })
  },
  processor() {
    const { system, user } = process.cpuUsage()
    send({ processorMs: (system + user) / 1_000 })
  },
  stop() {
    void cloud.stop().then(async () => {
      await database.close()
      process.exit(0)
    })
  },
}
process.on('message', (question: CloudQuestion) => answers[question]())
process.on('disconnect', () => process.exit(0))
send({ port: started.port, mqttPort: Number(new URL(started.mqttUrl).port) })
