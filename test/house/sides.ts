// The two sides of the house as processes that are started, killed and started again.

import { createExchange, type Exchange } from '@callgate/cloud/exchange'
import { createGatewayWire, type GatewayWire, upTopics } from '@callgate/cloud/gatewayWire'
import type { SigningKey, VerifyingKey } from '@callgate/contract/signature'
import { createDaemon } from '@callgate/gateway/daemon'
import { type Journal, openJournal } from '@callgate/gateway/journal'
import { type MemoryDisk, memoryDisk } from '@callgate/gateway/memoryDisk'
import { createModem } from '@callgate/modem/modem'
import type { Simulator } from '@callgate/simulator/simulator'
import type { FakeWorld } from '@callgate/world/fake'
import type { Edges } from './edges.ts'
import { createLife, diskOf, type Life, lineOf } from './life.ts'
import { type LifeDatabase, openLifeDatabase } from './lifeDatabase.ts'
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
    readonly broker: SimulatedWire
    readonly signingKey: SigningKey
    readonly edges: Edges
  },
  dump?: string,
): Promise<CloudLife> {
  const { broker, edges, signingKey } = parts
  const life = createLife(parts.world, 'cloud')
  const world = edges.world(life.world, life.name)
  const database = await openLifeDatabase(life, edges, dump)
  const connect: Parameters<typeof createGatewayWire>[0]['connect'] = handlers =>
    edges.connection(broker.connect({ subscribe: upTopics }, handlers, life), life.name)
  const wire = createGatewayWire({ world, database, signingKey, connect })
  const exchange = createExchange({ world, database, door: wire })
  async function boot() {
    await exchange.start()
    wire.start(exchange)
  }
  return { life, database, exchange, wire, boot }
}

/** What is left on the gateway's disk after it was killed; `torn` is a power cut. */
export type Leftover = 'kept' | 'torn' | 'wiped'

export interface GatewaySide {
  readonly gatewayId: string
  readonly simulator: Simulator
  disk(): MemoryDisk
  life(): Life
  /** Undefined while it begins. */
  journal(): Journal | undefined
  isReady(): boolean
  /** Starts it anew with what is left on its disk; a life that still runs is killed. */
  start(leftover: Leftover): void
}

/** How long a daemon that ended by itself stays away. */
const supervisorPauseMs = 10_000

/** One gateway with its modem; `wallOffsetMs` is how far its wall clock is off. */
export function gatewaySide(parts: {
  readonly world: FakeWorld
  readonly name: string
  readonly gatewayId: string
  readonly simulator: Simulator
  readonly broker: SimulatedWire
  readonly signingKey: SigningKey
  readonly cloudKeys: readonly VerifyingKey[]
  readonly wallOffsetMs: () => number
  readonly edges: Edges
}): GatewaySide {
  const { broker, edges, name, simulator, world } = parts
  let disk: MemoryDisk = memoryDisk()
  let journal: Journal | undefined
  let isReady = false
  let life = createLife(world, parts.name, parts.wallOffsetMs)

  function modemOf(ofLife: Life) {
    return createModem({
      world: edges.world(ofLife.world, name),
      baudRate: 115_200,
      async openLine() {
        const line = ofLife.step() ? simulator.connect() : undefined
        return line
          ? { ok: true, line: edges.line(lineOf(ofLife, line), name) }
          : { ok: false, code: 'port_missing', message: 'unplugged' }
      },
    })
  }

  async function boot(ofLife: Life) {
    const own = edges.world(ofLife.world, name)
    const opened = await openJournal({ world: own, disk: edges.disk(diskOf(ofLife, disk), name) })
    if (!opened.ok) throw new Error(opened.message)
    journal = opened.journal
    const modem = modemOf(ofLife)
    modem.onStatus(({ state }) => {
      isReady = state === 'ready'
    })
    const daemon = createDaemon({
      ...parts,
      world: own,
      portName: 'memory',
      modem,
      journal,
      connect: (options, handlers) => edges.connection(broker.connect(options, handlers, ofLife), name),
      // It ends, and whatever supervises it starts it again: an old beat that came late is no reason to stay away.
      onSuperseded() {
        ofLife.kill()
        world.after(supervisorPauseMs, () => {
          if (life === ofLife) start('kept')
        })
      },
    })
    daemon.start()
  }

  function start(leftover: Leftover) {
    life.kill()
    if (leftover === 'torn') disk.crash(world.randomInt(0, 40))
    if (leftover === 'wiped') disk = memoryDisk()
    journal = undefined
    isReady = false
    life = createLife(world, parts.name, parts.wallOffsetMs)
    void boot(life)
  }

  return {
    gatewayId: parts.gatewayId,
    simulator,
    disk: () => disk,
    life: () => life,
    journal: () => journal,
    isReady: () => isReady && !life.isDead(),
    start,
  }
}
