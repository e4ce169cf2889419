// The cloud as a process: opens the database, starts the cloud, and stops it when it is told to.

import { realWorld } from '@callgate/world/real'
import { createCloud } from '../app.ts'
import type { Config } from '../config.ts'
import { type Database, DatabaseError, migrate, openDatabase } from '../database/database.ts'
import { networkComplaints } from '../network/network.ts'

/** What a process that cannot start ends with: 2 for a taken port, 1 for all else. */
const exitCodes = { failed: 1, portInUse: 2 } as const

/** How long a request waits while another program writes to the database; then it is answered with 503. Milliseconds. */
const lockedWithinMs = 2_000

/** Resolves at the first signal to stop; a second one ends the process at once. */
function untilTold(): Promise<string> {
  return new Promise(resolve => {
    const told = (signal: string) => {
      process.once(signal, () => process.exit(exitCodes.failed))
      resolve(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => told(signal))
  })
}

/** Where the cloud can be reached, once it can. */
export interface Served {
  readonly baseUrl: string
  readonly port: number
  readonly mqttUrl: string
}

/** Serves until a signal comes, and announces when it does. Answers with the exit code. */
export async function serve(
  config: Config,
  terminal: { print(text: string): void; complain(text: string): void },
  announce: (served: Served) => string,
): Promise<number> {
  const world = realWorld({ logLevel: config.logLevel })
  let database: Database | undefined
  try {
    const patience = { world, withinMs: lockedWithinMs }
    database = await openDatabase({ url: config.databaseUrl, patience })
    await migrate(database)
    const cloud = createCloud({ world, config, database })
    const started = await cloud.start()
    if (!started.ok) {
      terminal.complain(started.message)
      return started.code === 'port_in_use' ? exitCodes.portInUse : exitCodes.failed
    }
    for (const complaint of networkComplaints(config)) world.log.warn(complaint)
    terminal.print(announce({ baseUrl: config.appUrl, port: started.port, mqttUrl: started.mqttUrl }))
    const signal = await untilTold()
    world.log.info('stopping', { signal })
    await cloud.stop()
    return 0
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    terminal.complain(error.message)
    return exitCodes.failed
  } finally {
    await database?.close()
  }
}
