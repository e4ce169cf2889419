// `callgate serve`: opens the database, starts the cloud, and stops it when a signal comes.

import { realWorld } from '@callgate/world/real'
import { troubleOf } from '@callgate/world/stops'
import type { Traces } from '@callgate/world/traces'
import type { TraceTarget } from '@callgate/world/traceTarget'
import { version } from '@callgate/world/version'
import type { World } from '@callgate/world/world'
import { createCloud } from '../app.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { DatabaseError } from '../database/databaseError.ts'
import { migrate } from '../database/migrate.ts'
import { openData } from '../database/openData.ts'
import { productionFaults } from '../health/production.ts'
import { brokenRules, oldRules, rulesName } from '../health/zoneRules.ts'
import { networkComplaints } from '../network/network.ts'
import type { Terminal } from './terminal.ts'

/** Exit codes of a process that cannot start: 2 for a port in use, 1 for everything else. */
const exitCodes = { failed: 1, portInUse: 2 } as const

/** How long a connection may take to close; after that it ends with the process. Milliseconds. */
const closesWithinMs = 2_000

/** How long a request waits while another program writes to the database; then it is answered with 503. Milliseconds. */
const lockedWithinMs = 2_000

/** The addresses of the cloud once it serves. */
export interface Served {
  readonly baseUrl: string
  readonly port: number
  readonly mqttUrl: string
  /** The data has surely not been served for this long, in milliseconds: it counts towards each gate's cool-down. */
  readonly quietForMs: number
}

/** The sender of traces is loaded only where a collector is configured. */
async function startTraces(world: World, target: TraceTarget): Promise<Traces> {
  const traces = await import('@callgate/world/traces')
  return traces.startTraces(world, target, { program: 'cloud', version })
}

/** Serves until a signal comes, and announces when it serves. Resolves with the exit code. */
export async function serve(
  config: Config,
  terminal: Pick<Terminal, 'print' | 'complain' | 'untilSignal'>,
  announce: (served: Served) => string,
): Promise<number> {
  const world = realWorld({ logLevel: config.logLevel })
  const broken = brokenRules()
  if (broken) {
    terminal.complain(broken)
    return exitCodes.failed
  }
  const faults = config.isProduction ? await productionFaults(config) : []
  for (const fault of faults) terminal.complain(`NODE_ENV=production: ${fault}.`)
  if (faults.length > 0) return exitCodes.failed
  let database: Database | undefined
  let traces: Traces | undefined
  try {
    const patience = { world, withinMs: lockedWithinMs }
    database = await openData({ url: config.databaseUrl, world, patience })
    await migrate(database, () =>
      world.log.info('another process changes the tables of the database; this one waits'),
    )
    traces = config.traces && (await startTraces(world, config.traces))
    const cloud = createCloud({ world, config, database })
    const started = await cloud.start()
    if (!started.ok) {
      terminal.complain(started.message)
      return started.code === 'port_in_use' ? exitCodes.portInUse : exitCodes.failed
    }
    world.log.info('time zones', { rules: rulesName })
    const complaints = [
      ...networkComplaints(config),
      ...config.secretComplaints,
      oldRules(world.nowMs()) ?? [],
    ].flat()
    for (const complaint of complaints) world.log.warn(complaint)
    const { mqttUrl, port, quietForMs } = started
    terminal.print(announce({ baseUrl: config.appUrl, port, mqttUrl, quietForMs }))
    const signal = await Promise.race([terminal.untilSignal(), started.lost])
    world.log.info('stopping', { signal: signal ?? 'none' })
    await cloud.stop()
    if (signal !== undefined) return 0
    terminal.complain(
      'Another cloud has taken the database, or its data was moved, while it could not be reached. So this one stops.',
    )
    return exitCodes.failed
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    terminal.complain(error.message)
    return exitCodes.failed
  } finally {
    await troubleOf(world, closesWithinMs, () => traces?.stop())
    const why = await troubleOf(world, closesWithinMs, () => database?.close())
    if (why !== undefined) world.log.warn('the database could not be closed', { why })
  }
}
