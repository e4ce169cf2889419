// One simulated gateway: a Pi with its disk and its clock, the daemon that runs and dies on it, and its modem.

import type { KeyTrust } from '@callgate/gateway/core/keyTrust'
import type { Journal } from '@callgate/gateway/journal'
import type { MemoryDisk } from '@callgate/gateway/memoryDisk.kit'
import { models } from '@callgate/simulator/core/model'
import type { Simulator } from '@callgate/simulator/simulator'
import type { FakeWorld } from '@callgate/world/fake'
import type { Span } from '../../checker/facts.ts'
import { type Chip, type ChipFault, createChip } from './chip.ts'
import { type DaemonRun, type GatewayParts, runDaemon } from './daemonRun.ts'
import { createGatewayDisk, type DiskFault, type Leftover } from './gatewayDisk.ts'
import { createLife, type Life } from './life.ts'
import { createMachine, type Machine } from './machine.ts'
import { createSpanLog } from './spans.ts'

/** A start of the daemon after a kill, with what was left on its disk. */
export interface Start {
  readonly atMs: number
  /** When the daemon before it died. */
  readonly diedMs: number
  readonly leftover: Leftover
}

/** The cloud refused a daemon, and it ended. */
export interface Refusal {
  readonly atMs: number
  readonly why: 'superseded' | 'forgotten'
}

export interface GatewaySide {
  readonly gatewayId: string
  readonly simulator: Simulator
  disk(): MemoryDisk
  readonly chip: Pick<Chip, 'dials' | 'lostReplies' | 'card'>
  readonly reportsCalls: boolean
  /** When it could not hang up: its daemon was dead or stopped, or its modem had a fault. */
  couldNotHangUp(): readonly Span[]
  readonly starts: readonly Start[]
  /** When the cloud refused one of its daemons. */
  refusals(): readonly Refusal[]
  readonly machine: Machine
  /** When its disk had a fault. */
  readonly badDisk: readonly Span[]
  life(): Life
  /** Undefined while the daemon starts. */
  journal(): Journal | undefined
  /** The cloud keys that its daemon trusts; undefined where none runs, or while it starts. */
  trust(): KeyTrust | undefined
  isReady(): boolean
  /** Starts the daemon with what is left on its disk. A daemon that still runs is killed. */
  start(leftover: Leftover): void
  /** Asks the daemon to stop, as for an update, and starts it again. */
  restart(): void
  /** Stops the daemon at its current step, until it continues. */
  pause(): void
  goOn(): void
  /** From now on its modem has this fault; undefined: none. */
  setChipFault(fault: ChipFault | undefined): void
  /** It has sent this many messages (SMS) earlier in the day, and its disk records it. */
  hasSent(messages: number): Promise<void>
  /** How many of these its disk may still record. */
  sentBefore(): number
  /** A person at its console types a line. */
  type(line: string): void
  /** From now on its disk has this fault; undefined: none. */
  setDiskFault(fault: DiskFault | undefined): void
  /** Ends all its faults, and starts it if it is dead. */
  heal(): void
  /** Sets the Pi's wall clock forward or back, by up to 30 days. */
  jumpClock(): void
}

/** The pause before a daemon that ended by itself is started again. */
const supervisorPauseMs = 10_000
/** The Pi has no battery for its clock: the clock starts anywhere within 30 days. */
const wallOffMs = 30 * 24 * 3_600_000
/** A hang-up that began during a fault of the modem may end this long after it. */
const slowestHangUpMs = 20_000

/** When the cloud refused a daemon of the gateway of that name, from the log. */
function refusalsIn({ lines }: FakeWorld, name: string): Refusal[] {
  return lines.flatMap(({ atMs, fields, message }) => {
    const [, why] = /^ends, (superseded|forgotten)$/.exec(message) ?? []
    return why && fields.who === name ? [{ atMs, why: why as Refusal['why'] }] : []
  })
}

/** The daemons of one gateway, one after the other, each started by a supervisor or by the plan. */
function createSupervisor(parts: GatewayParts, machine: Machine) {
  const { name, simulator, world } = parts
  const disk = createGatewayDisk(world, name)
  const chip = createChip(world, name, simulator, disk.syncedIntents)
  const outages = createSpanLog<'dead' | 'stopped' | 'faulty modem'>(world)
  const starts: Start[] = []
  const notStarted = createLife(world, name, machine)
  let run: DaemonRun | undefined
  let configured = parts.cloudKeys()

  /** The daemon ends by itself. The supervisor starts it again, except a superseded one. */
  function end(ended: DaemonRun, how: string, met?: readonly string[]) {
    if (!ended.life.isDead()) ended.hasEnded = true
    ended.life.kill(how, met)
    if (how === 'ends, superseded') return
    world.after(supervisorPauseMs, () => {
      if (run === ended) start('kept')
    })
  }

  function start(leftover: Leftover) {
    const wasKilled = run?.life.isDead() && !run.hasEnded
    run?.life.kill('killed', ['gateway killed at its restart'])
    machine.goOn()
    const isLess = disk.applyLeftover(leftover)
    // A new card is enrolled again.
    if (leftover === 'wiped') configured = parts.cloudKeys()
    const isMet = leftover === 'kept' ? wasKilled : isLess
    const met = isMet ? [`gateway killed, journal ${leftover}`] : []
    world.log.info('starts', { who: name, journal: leftover, met })
    const nowMs = world.monotonicMs()
    starts.push({ atMs: nowMs, diedMs: outages.sinceMs('dead') ?? nowMs, leftover })
    outages.end('dead')
    outages.end('stopped')
    const life = createLife(world, name, machine)
    life.onDeath(() => outages.begin('dead'))
    run = runDaemon(parts, life, { disk, chip, configured }, end)
  }

  function restart() {
    const asked = run
    if (!asked || machine.isStalled()) return
    void asked.daemon?.stop().then(() => end(asked, 'ends, as asked', ['gateway restarted']))
  }

  return { disk, chip, outages, starts, start, restart, run: () => run, life: () => run?.life ?? notStarted }
}

/** Somebody types a line in the console of this daemon. */
function typeLine({ name, world }: GatewayParts, own: Life, run: DaemonRun | undefined, line: string): void {
  own.enter(() => {
    void run?.daemon
      ?.answers()
      .at(line)
      .then(({ result, why }) => world.log.debug('has typed', { who: name, line, result, why }))
  })
  const met = own.isDead() ? [] : ['line typed in the console']
  world.log.info('somebody types', { who: name, met, line })
}

/** One gateway with its modem; `start` starts its daemon. */
export function createGatewaySide(parts: GatewayParts): GatewaySide {
  const { name, simulator, world } = parts
  const machine = createMachine(world, name, world.randomInt(-wallOffMs, wallOffMs))
  const { chip, disk, life, outages, restart, run, start, starts } = createSupervisor(parts, machine)

  function goOn() {
    if (life().isPaused()) life().goOn()
    outages.end('stopped')
  }

  function setChipFault(fault: ChipFault | undefined) {
    if (fault === undefined) outages.end('faulty modem', slowestHangUpMs)
    else outages.begin('faulty modem')
    chip.setFault(fault)
  }

  return {
    gatewayId: parts.gatewayId,
    simulator,
    disk: disk.current,
    chip,
    reportsCalls: models[parts.model ?? 'sim800'].callSigns !== 'none',
    starts,
    refusals: () => refusalsIn(world, name),
    machine,
    badDisk: disk.faultSpans,
    life,
    journal: () => run()?.journal,
    trust: () => (life().isDead() ? undefined : run()?.cloudKeys?.trust()),
    isReady: () => run()?.isReady === true && !life().isDead(),
    start,
    restart,
    setDiskFault: disk.setFault,
    couldNotHangUp: () => [...outages.all(), ...machine.stood()],
    pause() {
      outages.begin('stopped')
      life().pause()
    },
    goOn,
    setChipFault,
    hasSent: messages => disk.hasSent(life().world, messages),
    sentBefore: disk.sentBefore,
    type: line => typeLine(parts, life(), run(), line),
    heal() {
      machine.goOn()
      goOn()
      life().spare()
      setChipFault(undefined)
      chip.card.heal()
      disk.setFault(undefined)
      if (life().isDead()) start('kept')
    },
    jumpClock() {
      const byMs = world.randomInt(-wallOffMs, wallOffMs)
      machine.setWallClock(byMs)
      disk.beginDay()
      const met = life().isDead() ? [] : ['clock jump']
      world.log.info('its clock jumps', { who: name, met, byMs })
    },
  }
}
