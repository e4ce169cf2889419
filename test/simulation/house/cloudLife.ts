// The cloud as a process that is started, killed and started again on what it had committed.

import { GatewayWire, upTopics } from '@callgate/cloud/gateway/gatewayWire'
import { createExchange, type Exchange } from '@callgate/cloud/opening/exchange'
import type { FakeWorld } from '@callgate/world/fake'
import type { Edges } from './edges.ts'
import type { ForeignLock } from './foreignLock.ts'
import { createLife, type Life } from './life.ts'
import { type LifeDatabase, openLifeDatabase } from './lifeDatabase.ts'
import type { Machine } from './machine.ts'
import { type HouseKeys, readerOf } from './signingKeys.ts'
import type { SimulatedWire } from './wire.ts'

export interface CloudLife {
  readonly life: Life
  readonly database: LifeDatabase
  readonly exchange: Exchange
  readonly wire: GatewayWire
  /** What a start of the cloud does first; never resolves when it is killed meanwhile. */
  boot(): Promise<void>
}

/** A start of the cloud on a copy of what a former life had committed; on empty tables without. */
export async function startCloud(
  parts: {
    readonly world: FakeWorld
    readonly machine: Machine
    readonly broker: SimulatedWire
    readonly keys: HouseKeys
    readonly edges: Edges
    readonly lock: ForeignLock
  },
  dump?: string,
): Promise<CloudLife> {
  const { broker, edges, keys } = parts
  const life = createLife(parts.world, 'cloud', parts.machine)
  const world = edges.world(life.world, life.name)
  const database = await openLifeDatabase(parts.world, life, parts, dump)
  const connect: ConstructorParameters<typeof GatewayWire>[0]['connect'] = handlers =>
    edges.connection(broker.connect({ subscribe: upTopics }, handlers, life), life.name)
  const wire = new GatewayWire({
    world,
    database,
    signingKey: keys.cloud.signing,
    readKey: readerOf(keys),
    connect,
  })
  const exchange = createExchange({ world, database, door: wire })
  async function boot() {
    await exchange.start()
    wire.start(exchange)
  }
  return { life, database, exchange, wire, boot }
}
