// The cloud as a process that reports its memory, its processor time and what it has written, for the benchmarks of streams and
// fleets. Its log is that of a usual run; the caller gives it a file.

import { readFileSync } from 'node:fs'
import { createCloud } from '@callgate/cloud/app'
import { readConfig } from '@callgate/cloud/config'
import { openDatabase } from '@callgate/cloud/database/database'
import { realWorld } from '@callgate/world/real'
import { collectedMemory } from './processUse.ts'

/** The question to it. `memory` collects the garbage first; `use` is what it has used of the machine so far. */
export type CloudQuestion = 'memory' | 'use' | 'stop'

/** The ports, once; then the answer to each question. */
export interface CloudMessage {
  readonly port?: number
  readonly mqttPort?: number
  readonly residentBytes?: number
  readonly heapBytes?: number
  /** Processor time so far, user and system. */
  readonly processorMs?: number
  /** Passed to the disk so far, in whole pages of it; the log is about a hundredth of that. */
  readonly writtenBytes?: number
}

const send = (message: CloudMessage) => void process.send?.(message)
const [dataFolder = '', port = '0', mqttPort = '0'] = process.argv.slice(2)
const read = readConfig({ CALLGATE_DATA: dataFolder, LOG_LEVEL: 'info' })
if (!read.ok) throw new Error(read.message)
const world = realWorld({ logLevel: 'info' })
const database = await openDatabase({ url: read.config.databaseUrl, patience: { world, withinMs: 2_000 } })
const cloud = createCloud({
  world,
  database,
  config: { ...read.config, host: '0.0.0.0', port: Number(port), mqttPort: Number(mqttPort) },
})
const started = await cloud.start()
if (!started.ok) throw new Error(started.message)

const answers: Readonly<Record<CloudQuestion, () => void>> = {
  memory: () => send(collectedMemory()),
  use() {
    const { system, user } = process.cpuUsage()
    const [, written] = /^write_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8')) ?? []
    send({ processorMs: (system + user) / 1_000, writtenBytes: Number(written) })
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
