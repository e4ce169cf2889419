// One of several simulated clouds on one database: its runs one after the other, its connections, and its faults.

import type { Span } from '../../checker/facts.ts'
import { type DatabaseWay, databaseWay, isTooNew, wasRefused } from './databaseWay.ts'
import { isOtherKeys } from './keyring.ts'
import { createLife } from './life.ts'
import { createMachine, type Machine } from './machine.ts'
import { type Hearing, type ReplicaParts, type ReplicaRun, runOf } from './replicaRun.ts'
import { createSpanLog } from './spans.ts'
import type { Version } from './versions.ts'

export interface ReplicaSide {
  readonly name: string
  readonly way: DatabaseWay
  readonly machine: Machine
  run(): ReplicaRun
  /** When it could not do its work: it was dead, stopped, stalled or cut off. */
  unable(): readonly Span[]
  /** When its runs began. */
  readonly starts: readonly number[]
  /** When those of its runs died that held a lease. */
  readonly deaths: readonly number[]
  /** Ends the run if there is one, and starts another one. */
  start(): void
  /** Stops it as for a deploy: it waits for ungranted openings, gives its lease back, and starts again. */
  redeploy(): Promise<void>
  /** The same, and it starts as that version. Where it does not run, its next start is one of that version. */
  deploy(version: Version): Promise<void>
  pause(): void
  goOn(): void
  cutDatabase(steps: number): void
  reachDatabase(): void
  cutBroker(isCut: boolean): void
  /** How it receives the gateways' messages from now on. */
  readonly hearing: Hearing
  /** Sets its wall clock forward or back. */
  setClock(byMs: number): void
  dieAfter(steps: number): void
  /** Ends all its faults, and starts it if it is dead. */
  heal(): void
}

const supervisorPauseMs = 1_000

/** Runs of a cloud, each ended and started by a supervisor or by the plan. */
function createRuns(parts: ReplicaParts, name: string, offMs: number) {
  const { world } = parts
  const machine = createMachine(world, name, offMs)
  const way = databaseWay(world, name, parts.database.lostCode, () => log.begin('no database'))
  const hearing: Hearing = { lagMs: 0, losesShare: 0, hidden: new Set() }
  let version: Version = 'this version'
  const log = createSpanLog<'dead' | 'stopped' | 'no database' | 'no broker'>(world)
  const starts: number[] = []
  const deaths: number[] = []
  let run: ReplicaRun

  function start() {
    run?.life.kill('killed', ['cloud killed at its restart'])
    machine.goOn()
    log.end('dead')
    log.end('stopped')
    const life = createLife(world, name, machine)
    starts.push(world.monotonicMs())
    const own = runOf(parts, life, { way, hearing, version })
    life.onDeath(() => {
      if ((own.replica.mark().ownerEpoch ?? 0) > 0) deaths.push(world.monotonicMs())
      log.begin('dead')
    })
    run = own
    own.boot().catch((error: unknown) => {
      if (!wasRefused(error) && !isOtherKeys(error)) throw error
      life.kill('ended in its start')
      if (isTooNew(error)) return
      world.after(supervisorPauseMs, () => {
        if (run === own) start()
      })
    })
  }

  async function redeploy() {
    const { exchange, leave, life, replica } = run
    if (life.isDead() || life.isPaused() || machine.isStalled()) return
    // It stops even where the database cannot be reached.
    await replica.drain().catch(() => {})
    await exchange.drained(12_000)
    await replica.stop().catch(() => {})
    await leave()
    life.kill('ends, as asked', ['cloud redeployed'])
    if (run.life === life) start()
  }

  start()
  function deploy(next: Version) {
    version = next
    return redeploy()
  }

  return { way, machine, log, starts, deaths, start, redeploy, deploy, hearing, run: () => run }
}

/** A cloud whose wall clock is `offMs` ahead of the database's. It is started at once. */
export function createReplicaSide(parts: ReplicaParts, name: string, offMs: number): ReplicaSide {
  const { log, ...runs } = createRuns(parts, name, offMs)
  const { hearing, machine, run, start, way } = runs

  function goOn() {
    if (run().life.isPaused()) run().life.goOn()
    log.end('stopped')
  }

  function reachDatabase() {
    way.reachAgain()
    log.end('no database')
  }

  function cutBroker(isCut: boolean) {
    if (isCut) log.begin('no broker')
    else log.end('no broker')
    parts.broker.cutOff(name, isCut)
  }

  return {
    ...runs,
    name,
    unable: () => [...log.all(), ...machine.stood(), ...parts.database.slowness.spans()],
    pause() {
      log.begin('stopped')
      run().life.pause()
    },
    goOn,
    cutDatabase: steps => way.cutAfter(steps),
    reachDatabase,
    cutBroker,
    setClock(byMs) {
      machine.setWallClock(byMs)
      const met = run().life.isDead() ? [] : [`cloud clock ${byMs > 0 ? 'forward' : 'back'}`]
      parts.world.log.info('its clock is set', { who: name, met, byMs })
    },
    dieAfter: steps => run().life.dieAfter(steps),
    heal() {
      machine.goOn()
      reachDatabase()
      cutBroker(false)
      Object.assign(hearing, { lagMs: 0, losesShare: 0 })
      hearing.hidden.clear()
      goOn()
      run().life.spare()
      if (run().life.isDead()) start()
    },
  }
}
