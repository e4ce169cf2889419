// One run of a simulated process: all handles that it holds stop working together when it is killed.

import type { JournalDisk, OpenFile } from '@callgate/gateway/journalDisk'
import type { MemoryLine } from '@callgate/simulator/memoryLine'
import type { FakeWorld } from '@callgate/world/fake'
import type { World } from '@callgate/world/world'
import type { Machine } from './machine.ts'

export interface Life {
  readonly name: string
  readonly machine: Machine
  /** The process's own world. Once the process is dead, its timers never fire and it logs nothing. */
  readonly world: World
  isDead(): boolean
  /** Called before every effect. False: the process is dead, and the effect must not happen. */
  step(): boolean
  /** An event from outside. It happens at once, or when the process continues, or never. */
  enter(event: () => void): void
  /** Stops it at its current step, as SIGSTOP does: events wait until it continues. */
  pause(): void
  goOn(): void
  isPaused(): boolean
  /** Kills it after `steps` more effects, just before the next one. */
  dieAfter(steps: number): void
  /** Cancels a planned kill after a number of effects. */
  spare(): void
  /** `how` is the line of the log; `met` are the faults that this kill counts as. */
  kill(how?: string, met?: readonly string[]): void
  /** Adds a listener that is called when it dies. */
  onDeath(then: () => void): void
}

/** More timers than any run of a process needs: a process that sets timers without end must not hang the simulation. */
const mostTimers = 100_000

/** The world as the process sees it: the clocks of its machine, and its own log. */
function worldOf(world: FakeWorld, life: Pick<Life, 'name' | 'machine' | 'isDead' | 'enter'>): World {
  const { clock } = life.machine
  let timers = 0
  const logged =
    (level: keyof World['log']): World['log']['info'] =>
    (message, fields = {}) => {
      if (!life.isDead()) world.log[level](message, { who: life.name, ...fields })
    }
  return {
    nowMs: clock.nowMs,
    monotonicMs: clock.monotonicMs,
    sinceBootMs: clock.sinceBootMs,
    turn: world.turn,
    randomBytes: world.randomBytes,
    after: (delayMs, then) =>
      life.isDead()
        ? { cancel() {} }
        : clock.after(delayMs, () => {
            timers += 1
            if (timers > mostTimers) throw new Error(`seed ${world.seed}: ${life.name} does not come to rest`)
            life.enter(then)
          }),
    log: { debug: logged('debug'), info: logged('info'), warn: logged('warn'), error: logged('error') },
  }
}

/** A process that begins to run on a machine. */
export function createLife(world: FakeWorld, name: string, machine: Machine): Life {
  const [kind] = name.split(' ')
  const deathListeners: (() => void)[] = []
  let isDead = false
  let stepsLeft = Number.POSITIVE_INFINITY
  let isPaused = false
  let waiting: (() => void)[] = []

  function kill(how = 'killed', met: readonly string[] = []) {
    if (isDead) return
    isDead = true
    world.log.info(how, { who: name, met })
    for (const listener of deathListeners) listener()
  }

  function step(): boolean {
    if (!isDead) machine.step()
    if (stepsLeft-- <= 0) kill('killed before its next effect', [`${kind} killed`])
    return !isDead
  }

  function enter(event: () => void) {
    if (machine.isStalled()) machine.enter(() => enter(event))
    else if (isPaused) waiting.push(event)
    else if (step()) event()
  }

  const own = { name, machine, isDead: () => isDead, step, enter, kill }
  return {
    ...own,
    world: worldOf(world, own),
    pause() {
      isPaused = true
      if (!isDead) world.log.info('stopped', { who: name })
    },
    goOn() {
      isPaused = false
      const met = waiting.length > 0 ? [`${kind} stopped`] : []
      world.log.info('goes on', { who: name, met, events: waiting.length })
      // One after the other, as the event loop handles them.
      for (const event of waiting) world.after(0, () => enter(event))
      waiting = []
    },
    isPaused: () => isPaused && !isDead,
    dieAfter(steps) {
      stepsLeft = steps
    },
    spare() {
      stepsLeft = Number.POSITIVE_INFINITY
    },
    onDeath: listener => void deathListeners.push(listener),
  }
}

/** A promise that never resolves: a dead process gets no answer. */
export const never = () => new Promise<never>(() => {})

/** Does the work unless the process is dead. Never resolves when the process dies before the end. */
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

/** The serial line as the process sees it; what it wrote before its death stays written. */
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
