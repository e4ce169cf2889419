// One gateway: a Pi with its disk and its clock, the daemon that lives on it and dies, and its modem.

import type { SigningKey, VerifyingKey } from '@callgate/contract/wire/signature'
import { Daemon } from '@callgate/gateway/daemon'
import { type Journal, openJournal } from '@callgate/gateway/journal'
import { journalName } from '@callgate/gateway/journalFile'
import { readJournal } from '@callgate/gateway/journalLines'
import { type DiskOperation, type MemoryDisk, memoryDisk } from '@callgate/gateway/memoryDisk.kit'
import { createModem } from '@callgate/modem/modem'
import type { Simulator } from '@callgate/simulator/simulator'
import type { FakeWorld } from '@callgate/world/fake'
import { type Chip, type ChipTrouble, chipOf } from './chip.ts'
import type { Edges } from './edges.ts'
import { createLife, diskOf, type Life, lineOf } from './life.ts'
import { createMachine, type Machine } from './machine.ts'
import { troubleOf } from './trouble.ts'
import type { SimulatedWire } from './wire.ts'

/** What is left on the disk after a kill: all, or what a power cut leaves of what was not synced, or nothing. */
export const leftovers = ['kept', 'torn', 'forgotten', 'wiped'] as const
export type Leftover = (typeof leftovers)[number]

/** `fails`: operations fail now and then; `is full`: nothing more can be written; `is slow`: an fsync takes seconds. */
export const diskTroubles = ['fails', 'is full', 'is read-only', 'is slow'] as const
export type DiskTrouble = (typeof diskTroubles)[number]

/** From one point of the house's monotonic time to another, milliseconds. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** A start of the daemon after a kill, with what was left on its disk. */
export interface Start {
  readonly atMs: number
  /** When the daemon before it had died. */
  readonly diedMs: number
  readonly leftover: Leftover
}

/** A daemon that the cloud sent away. */
export interface Refusal {
  readonly atMs: number
  readonly why: 'superseded' | 'forgotten'
}

export interface GatewaySide {
  readonly gatewayId: string
  readonly simulator: Simulator
  disk(): MemoryDisk
  readonly chip: Pick<Chip, 'dials'>
  /** When it could not hang up: it was dead or stopped, or something was wrong with its modem. */
  unable(): readonly Span[]
  readonly starts: readonly Start[]
  /** When the cloud refused the daemon that was started last. */
  refusals(): readonly Refusal[]
  readonly machine: Machine
  /** When something was wrong with its disk. */
  badDisk(): readonly Span[]
  life(): Life
  /** Undefined while it begins. */
  journal(): Journal | undefined
  isReady(): boolean
  /** Starts it anew with what is left on its disk; a life that still runs is killed. */
  start(leftover: Leftover): void
  /** Asks the daemon to end, as for an update, and starts it again. */
  restart(): void
  /** Stops the daemon where it is, until it goes on. */
  pause(): void
  goOn(): void
  /** From now on this is wrong with its modem; undefined: nothing. */
  sufferChip(trouble: ChipTrouble | undefined): void
  /** From now on this is wrong with its disk; undefined: nothing. */
  sufferDisk(trouble: DiskTrouble | undefined): void
  /** Sets the Pi's wall clock forward or back, by up to 30 days. */
  jumpClock(): void
}

/** How long a daemon that ended by itself stays away. */
const supervisorPauseMs = 10_000
/** The Pi has no clock of its own: it begins anywhere within 30 days. */
const wallOffMs = 30 * 24 * 3_600_000
const mostTornBytes = 40
const slowestSyncMs = 8_000
/** A hang-up that was begun in trouble may end so long after it. */
const slowestHangUpMs = 20_000

/** The openings whose INTENT would outlive a power cut now. */
function syncedIntents(disk: MemoryDisk): ReadonlySet<string> {
  const bytes = disk.syncedContent(journalName)
  const read = bytes && readJournal(bytes)
  return new Set(read?.ok ? read.content.intents : [])
}

/** When the cloud sent the gateway of that name away, by the log. */
function refusalsIn({ lines }: FakeWorld, name: string): Refusal[] {
  return lines.flatMap(({ atMs, fields, message }) => {
    const [, why] = /^ends, (superseded|forgotten)$/.exec(message) ?? []
    return why && fields.who === name ? [{ atMs, why: why as Refusal['why'] }] : []
  })
}

/** One gateway with its modem. */
export function gatewaySide(parts: {
  readonly world: FakeWorld
  readonly name: string
  readonly gatewayId: string
  readonly simulator: Simulator
  readonly broker: SimulatedWire
  readonly signingKey: SigningKey
  readonly cloudKeys: readonly VerifyingKey[]
  readonly edges: Edges
}): GatewaySide {
  const { broker, edges, name, simulator, world } = parts
  let disk: MemoryDisk = memoryDisk()
  let trouble: DiskTrouble | undefined
  let journal: Journal | undefined
  let daemon: Daemon | undefined
  let isReady = false
  const machine = createMachine(world, name, world.randomInt(-wallOffMs, wallOffMs))
  const unborn = createLife(world, name, machine)
  let life = unborn
  let hasEnded = false
  const spans: Span[] = []
  const starts: Start[] = []
  const badDisk: Span[] = []
  let badDiskSinceMs: number | undefined
  const since: { dead?: number; stopped?: number; troubled?: number } = {}
  const chip = chipOf(world, name, simulator, () => syncedIntents(disk))
  const diskTrouble = troubleOf(world, name, 'disk')

  function modemOf(ofLife: Life) {
    return createModem({
      world: edges.world(ofLife.world, name),
      baudRate: 115_200,
      async openLine() {
        const line = ofLife.step() ? chip.connect() : undefined
        return line
          ? { ok: true, line: edges.line(lineOf(ofLife, line), name) }
          : { ok: false, code: 'port_missing', message: 'unplugged' }
      },
    })
  }

  function begins(what: keyof typeof since) {
    since[what] ??= world.monotonicMs()
  }

  function isOver(what: keyof typeof since, lateMs = 0) {
    const fromMs = since[what]
    if (fromMs !== undefined) spans.push({ fromMs, toMs: world.monotonicMs() + lateMs })
    delete since[what]
  }

  /** The daemon ends by itself, and whatever supervises it starts it again, but for one that was superseded. */
  function end(ofLife: Life, how: string, met?: readonly string[]) {
    if (life === ofLife && !ofLife.isDead()) hasEnded = true
    ofLife.kill(how, met)
    if (how === 'ends, superseded') return
    world.after(supervisorPauseMs, () => {
      if (life === ofLife) start('kept')
    })
  }

  async function stall() {
    if (trouble !== 'is slow') return
    const forMs = world.randomInt(0, slowestSyncMs)
    diskTrouble.shows('an fsync takes long', { forMs })
    await new Promise<void>(resolve => {
      world.after(forMs, resolve)
    })
  }

  async function boot(ofLife: Life) {
    const own = edges.world(ofLife.world, name)
    const opened = await openJournal({ world: own, disk: edges.disk(diskOf(ofLife, disk, stall), name) })
    if (!opened.ok) return end(ofLife, 'ends, without a journal')
    journal = opened.journal
    const modem = modemOf(ofLife)
    modem.onStatus(({ state }) => {
      isReady = state === 'ready'
    })
    daemon = new Daemon({
      ...parts,
      world: own,
      portName: 'memory',
      modem,
      journal,
      connect: (options, handlers) => edges.connection(broker.connect(options, handlers, ofLife), name),
      onSuperseded: () => end(ofLife, 'ends, superseded'),
      onForgotten: () => end(ofLife, 'ends, forgotten'),
    })
    daemon.start()
  }

  function sufferDisk(next: DiskTrouble | undefined) {
    trouble = next
    diskTrouble.begins(next)
    disk.capacityBytes = next === 'is full' ? disk.usedBytes() : 64 * 1024 * 1024
    const fails = (operation: DiskOperation, code: string) => {
      diskTrouble.shows('the disk fails', { operation, code })
      return code
    }
    disk.fault = operation => {
      if (next === undefined || operation === 'size' || operation === 'read') return undefined
      if (next === 'is read-only') return fails(operation, 'EROFS')
      if (next === 'fails' && world.random() < 0.5) return fails(operation, 'EIO')
      const isFull = operation === 'append' && disk.usedBytes() >= disk.capacityBytes
      return next === 'is full' && isFull ? fails(operation, 'ENOSPC') : undefined
    }
  }

  /** Whether what is left is less than what stood there; of a torn one, a part of what was not synced. */
  function leave(leftover: Leftover): boolean {
    const before = disk.content(journalName)
    const synced = disk.syncedContent(journalName)
    if (leftover === 'torn') disk.crash(world.randomInt(1, mostTornBytes))
    if (leftover === 'forgotten') disk.crash()
    if (leftover === 'wiped') disk = memoryDisk()
    const after = disk.content(journalName)
    const isLess = before !== undefined && !(after && before.equals(after))
    return isLess && (leftover !== 'torn' || (after?.byteLength ?? 0) > (synced?.byteLength ?? 0))
  }

  function start(leftover: Leftover) {
    const wasKilled = life.isDead() && !hasEnded
    if (life !== unborn) life.kill('killed', ['gateway killed at its restart'])
    machine.goOn()
    const isLess = leave(leftover)
    const isMet = leftover === 'kept' ? wasKilled : isLess
    const met = isMet ? [`gateway killed, journal ${leftover}`] : []
    world.log.info('starts', { who: name, journal: leftover, met })
    starts.push({ atMs: world.monotonicMs(), diedMs: since.dead ?? world.monotonicMs(), leftover })
    hasEnded = false
    sufferDisk(trouble)
    isOver('dead')
    isOver('stopped')
    journal = undefined
    daemon = undefined
    isReady = false
    life = createLife(world, name, machine)
    life.onDeath(() => begins('dead'))
    void boot(life)
  }

  return {
    gatewayId: parts.gatewayId,
    simulator,
    disk: () => disk,
    chip,
    starts,
    refusals: () => refusalsIn(world, name),
    machine,
    badDisk: () => badDisk,
    life: () => life,
    journal: () => journal,
    isReady: () => isReady && !life.isDead(),
    start,
    restart() {
      const ofLife = life
      if (machine.isStanding()) return
      void daemon?.stop().then(() => end(ofLife, 'ends, as asked', ['gateway restarted']))
    },
    sufferDisk(next) {
      const nowMs = world.monotonicMs()
      if (next !== undefined) badDiskSinceMs ??= nowMs
      else if (badDiskSinceMs !== undefined) {
        badDisk.push({ fromMs: badDiskSinceMs, toMs: nowMs })
        badDiskSinceMs = undefined
      }
      sufferDisk(next)
    },
    unable: () => [
      ...spans,
      ...machine.stood(),
      ...Object.values(since).map(fromMs => ({ fromMs, toMs: world.monotonicMs() })),
    ],
    pause() {
      begins('stopped')
      life.pause()
    },
    goOn() {
      if (life.isPaused()) life.goOn()
      isOver('stopped')
    },
    sufferChip(next) {
      if (next === undefined) isOver('troubled', slowestHangUpMs)
      else begins('troubled')
      chip.suffer(next)
    },
    jumpClock() {
      const byMs = world.randomInt(-wallOffMs, wallOffMs)
      machine.setWallClock(byMs)
      const met = life.isDead() ? [] : ['clock jump']
      world.log.info('its clock jumps', { who: name, met, byMs })
    },
  }
}
