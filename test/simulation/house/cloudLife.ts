// One run of the cloud as a simulated process, on the database that the run before it committed.

import { noteDrift } from '@callgate/cloud/calibration/profileDoubts'
import { startServedTime } from '@callgate/cloud/database/servedTime'
import { cloudAccount } from '@callgate/cloud/gateway/brokerAccounts'
import { createExchange, type Exchange } from '@callgate/cloud/opening/exchange'
import { GatewayWire } from '@callgate/cloud/wire/gatewayWire'
import type { FakeWorld } from '@callgate/world/fake'
import { type Desk, deskOf, tasksOf } from './desk.ts'
import type { Edges } from './edges.ts'
import type { ForeignLock } from './foreignLock.ts'
import { createLife, type Life } from './life.ts'
import { type LifeDatabase, openLifeDatabase } from './lifeDatabase.ts'
import type { Machine } from './machine.ts'
import { type HouseKeys, readerOf } from './signingKeys.ts'
import type { SimulatedBroker } from './simulatedBroker.ts'

export interface CloudLife {
  readonly life: Life
  readonly database: LifeDatabase
  readonly exchange: Exchange
  readonly wire: GatewayWire
  readonly desk: Desk
  /** The start of the cloud. Never resolves when the cloud is killed before the end of it. */
  boot(): Promise<void>
}

export interface CloudParts {
  readonly world: FakeWorld
  readonly machine: Machine
  readonly broker: SimulatedBroker
  readonly keys: HouseKeys
  readonly edges: Edges
  readonly lock: ForeignLock
  readonly asksTasks: boolean
  /** Presses come with an Idempotency-Key, so the run counts for how long it serves. */
  readonly hasKeys: boolean
}

/** Starts the cloud on a copy of what an earlier run committed. Without `dump`, the tables are empty. */
export async function startCloud(parts: CloudParts, dump?: string): Promise<CloudLife> {
  const { broker, edges, keys } = parts
  const life = createLife(parts.world, 'cloud', parts.machine)
  const world = edges.world(life.world, life.name)
  const database = await openLifeDatabase(parts.world, life, parts, dump)
  const connect: ConstructorParameters<typeof GatewayWire>[0]['connect'] = handlers =>
    edges.connection(broker.connect({ subscribe: cloudAccount.subscribes }, handlers, life), life.name)
  const wire = new GatewayWire({
    world,
    database,
    signing: () => ({ keys: [keys.cloud.signing], number: 0 }),
    readKey: readerOf(keys),
    connect,
  })
  const exchange = createExchange({ noteDrift, world, database, endpoint: wire })
  const tasks = parts.asksTasks ? tasksOf({ world, database, endpoint: wire }) : undefined
  async function boot() {
    await exchange.start()
    tasks?.start()
    if (parts.hasKeys) await startServedTime({ world, database, ends: [] })
    wire.start(exchange, tasks)
  }
  return { life, database, exchange, wire, boot, desk: deskOf(world, database, exchange) }
}
