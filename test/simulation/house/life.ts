// One life of one side: the handles that a process holds, which all go dead together when it is killed.

import type { JournalDisk, OpenFile } from '@callgate/gateway/journalDisk'
import type { MemoryLine } from '@callgate/simulator/memoryLine'
import type { FakeWorld } from '@callgate/world/fake'
import type { World } from '@callgate/world/world'
import type { Machine } from './machine.ts'

export interface Life {
  readonly name: string
  readonly machine: Machine
  /** The process's own world: its timers never fire and its log is closed once it is dead. */
  readonly world: World
  isDead(): boolean
  /** Asked before every effect; false: the process is dead, and the effect must not happen. */
  step(): boolean
  /** An event from outside: at once, when the process goes on, or never. */
  enter(event: () => void): void
  /** Stops it where it is (SIGSTOP): events wait, and all come when it goes on. */
  pause(): void
  goOn(): void
  isPaused(): boolean
  /** Dies just before the effect that comes after `steps` more of them. */
  dieAfter(steps: number): void
  /** `how` and the faults `met` are what the log says of it. */
  kill(how?: string, met?: readonly string[]): void
  /** Carried out when it dies. */
  onDeath(then: () => void): void
}

/** More timers than any life needs: whoever sets one without end must not hang the run. */
const mostTimers = 100_000

/** A life on a machine, whose clocks are all that it knows of time. */
export function createLife(world: FakeWorld, name: string, machine: Machine): Life {
  const [kind] = name.split(' ')
  const mourners: (() => void)[] = []
  let isDead = false
  let stepsLeft = Number.POSITIVE_INFINITY
  let timers = 0
  let isPaused = false
  let waiting: (() => void)[] = []

  function kill(how = 'killed', met: readonly string[] = []) {
    if (isDead) return
    isDead = true
    world.log.info(how, { who: name, met })
    for (const then of mourners) then()
  }

  function step(): boolean {
    if (!isDead) machine.step()
    if (stepsLeft-- <= 0) kill('killed before its next effect', [`${kind} killed`])
    return !isDead
  }

  function enter(event: () => void) {
    if (machine.isStanding()) machine.enter(() => enter(event))
    else if (isPaused) waiting.push(event)
    else if (step()) event()
  }

  const logged =
    (level: keyof World['log']): World['log']['info'] =>
    (message, fields = {}) => {
      if (!isDead) world.log[level](message, { who: name, ...fields })
    }

  return {
    name,
    machine,
    world: {
      nowMs: machine.clock.nowMs,
      monotonicMs: machine.clock.monotonicMs,
      sinceBootMs: machine.clock.sinceBootMs,
      turn: world.turn,
      randomBytes: world.randomBytes,
      after: (delayMs, then) =>
        isDead
          ? { cancel() {} }
          : machine.clock.after(delayMs, () => {
              timers += 1
              if (timers > mostTimers) throw new Error(`seed ${world.seed}: ${name} does not come to rest`)
              enter(then)
            }),
      log: { debug: logged('debug'), info: logged('info'), warn: logged('warn'), error: logged('error') },
    },
    isDead: () => isDead,
    step,
    enter,
    pause() {
      isPaused = true
      if (!isDead) world.log.info('stopped', { who: name })
    },
    goOn() {
      isPaused = false
      const met = waiting.length > 0 ? [`${kind} stopped`] : []
      world.log.info('goes on', { who: name, met, events: waiting.length })
      // One after the other, as the event loop takes them.
      for (const event of waiting) world.after(0, () => enter(event))
      waiting = []
    },
    isPaused: () => isPaused && !isDead,
    dieAfter(steps) {
      stepsLeft = steps
    },
    kill,
    onDeath: then => void mourners.push(then),
  }
}

/** What a dead process waits for. */
export const never = () => new Promise<never>(() => {})

/** The work, unless the process is dead; its end is never heard of when the process dies meanwhile. */
async function alive<T>(life: Life, work: () => Promise<T>): Promise<T> {
  if (!life.step()) return never()
  const done = await work()
  return new Promise(resolve => life.enter(() => resolve(done)))
}

function fileOf(life: Life, file: OpenFile, stall: () => Promise<void>): OpenFile {
  return {
    append: bytes => alive(life, () => file.append(bytes)),
    sync: () => alive(life, () => stall().then(() => file.sync())),
    close: () => alive(life, () => file.close()),
  }
}

/** The disk as the process sees it; each fsync begins with `stall`. */
export function diskOf(life: Life, disk: JournalDisk, stall: () => Promise<void>): JournalDisk {
  return {
    place: disk.place,
    size: name => alive(life, () => disk.size(name)),
    read: name => alive(life, () => disk.read(name)),
    async open(name) {
      const opened = await alive(life, () => disk.open(name))
      return opened.ok ? { ok: true, value: fileOf(life, opened.value, stall) } : opened
    },
    rename: (from, to) => alive(life, () => disk.rename(from, to)),
    remove: name => alive(life, () => disk.remove(name)),
    syncFolder: () => alive(life, () => disk.syncFolder()),
  }
}

/** The serial line as the process sees it; what was written before its death stays written. */
export function lineOf(life: Life, line: MemoryLine): MemoryLine {
  return {
    write(bytes) {
      if (life.step()) line.write(bytes)
    },
    writeNow: bytes => (life.step() ? line.writeNow(bytes) : 'refused'),
    flush() {
      if (life.step()) line.flush()
    },
    onBytes: listener => line.onBytes(bytes => life.enter(() => listener(bytes))),
    onClose: listener => line.onClose(reason => life.enter(() => listener(reason))),
    close: () => alive(life, () => line.close()),
  }
}
