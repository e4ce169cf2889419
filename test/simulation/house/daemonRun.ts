// One run of the gateway daemon on a simulated Pi, from its start to its end.

import type { SigningKey, VerifyingKey } from '@callgate/contract/wire/signature'
import { type CloudKeys, openCloudKeys } from '@callgate/gateway/cloudKeys'
import { Daemon } from '@callgate/gateway/daemon'
import { type Journal, openJournal } from '@callgate/gateway/journal'
import { createModem, type Modem } from '@callgate/modem/modem'
import type { ModelName } from '@callgate/simulator/core/model'
import type { Simulator } from '@callgate/simulator/simulator'
import type { FakeWorld } from '@callgate/world/fake'
import type { World } from '@callgate/world/world'
import type { Chip } from './chip.ts'
import type { Edges } from './edges.ts'
import type { GatewayDisk } from './gatewayDisk.ts'
import { diskOf, type Life, lineOf } from './life.ts'
import type { SimulatedBroker } from './simulatedBroker.ts'

export interface GatewayParts {
  readonly world: FakeWorld
  readonly name: string
  readonly gatewayId: string
  readonly simulator: Simulator
  /** The simulator's model; a SIM800 where nothing else is given. */
  readonly model?: ModelName | undefined
  readonly broker: SimulatedBroker
  readonly signingKey: SigningKey
  /** What an enrolment currently writes into the configuration. */
  readonly cloudKeys: () => readonly VerifyingKey[]
  /** Reads a key that the cloud announces; `verifyingKey` by default. */
  readonly readKey?: (publicKey: string) => VerifyingKey | undefined
  readonly edges: Edges
}

export interface DaemonRun {
  readonly life: Life
  /** Undefined while the daemon starts. */
  journal: Journal | undefined
  daemon: Daemon | undefined
  cloudKeys: CloudKeys | undefined
  isReady: boolean
  /** The run ended by itself, and was not killed. */
  hasEnded: boolean
}

interface Hardware {
  readonly disk: GatewayDisk
  readonly chip: Chip
  /** The keys in its configuration. */
  readonly configured: readonly VerifyingKey[]
}

function modemOf({ edges, name }: GatewayParts, life: Life, world: World, chip: Chip): Modem {
  return createModem({
    world,
    baudRate: 115_200,
    async openLine() {
      const line = life.step() ? chip.connect() : undefined
      return line
        ? { ok: true, line: edges.line(lineOf(life, line), name) }
        : { ok: false, code: 'port_missing', message: 'unplugged' }
    },
  })
}

/** Starts the daemon on `life`. `end` is called when it ends by itself. */
export function runDaemon(
  parts: GatewayParts,
  life: Life,
  { chip, configured, disk }: Hardware,
  end: (run: DaemonRun, how: string) => void,
): DaemonRun {
  const { broker, edges, name } = parts
  const nothingYet = { journal: undefined, daemon: undefined, cloudKeys: undefined }
  const run: DaemonRun = { life, ...nothingYet, isReady: false, hasEnded: false }

  async function boot() {
    const world = edges.world(life.world, name)
    const journalDisk = edges.disk(diskOf(life, disk.current(), disk.stall), name)
    const opened = await openJournal({ world, disk: journalDisk })
    if (!opened.ok) return end(run, 'ends, without a journal')
    const { journal } = opened
    const { readKey } = parts
    const cloudKeys = await openCloudKeys({ world, disk: journalDisk, configured, readKey })
    const modem = modemOf(parts, life, world, chip)
    modem.onStatus(({ state }) => {
      run.isReady = state === 'ready'
    })
    const daemon = new Daemon({
      ...parts,
      world,
      cloudKeys,
      portName: 'memory',
      modem,
      journal,
      disk: journalDisk,
      connect: (options, handlers) => edges.connection(broker.connect(options, handlers, life), name),
      onSuperseded: () => end(run, 'ends, superseded'),
      onForgotten: () => end(run, 'ends, forgotten'),
    })
    run.journal = journal
    run.cloudKeys = cloudKeys
    run.daemon = daemon
    daemon.start()
  }

  void boot()
  return run
}
