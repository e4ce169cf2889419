// Carries out the actions of a plan, and records what the checks need to know about them.

import { carryOutChange } from './changes.ts'
import { wasRefused } from './databaseWay.ts'
import type { House } from './house.ts'
import { createInstallers, type Installers } from './installer.ts'
import type { Action } from './plan.ts'
import { stillRunning } from './presser.ts'
import type { SimCardAction } from './simCardPlan.ts'
import type { SeedRecord } from './truth.ts'

type Writable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] }

export type Notes = Writable<Omit<SeedRecord, 'caps'>>

/** The pause before a failed start is tried again. */
const supervisorPauseMs = 1_000

/** How each action of a kind is carried out. */
export type Runner<All extends { readonly kind: string }, One extends All['kind'] = All['kind']> = {
  readonly [K in One]: (action: Extract<All, { kind: K }>) => Promise<void> | void
}
type Kind = Action['kind']
type RunnerOf<One extends Kind> = Runner<Action, One>

function pressRunner(house: House, notes: Notes): RunnerOf<'press'> {
  const { world } = house
  let lastPressMs = Number.NEGATIVE_INFINITY
  return {
    press({ gate, guest, key }) {
      const { life } = house.cloud()
      const isSimultaneous = lastPressMs === world.monotonicMs() && !life.isDead()
      lastPressMs = world.monotonicMs()
      const who = guest === undefined ? 'key' : typeof guest === 'string' ? guest : `guest ${guest + 1}`
      const isRepeated = notes.keyed.some(one => one.key === key)
      const met = [
        ...(isSimultaneous ? ['several at once'] : []),
        ...(isRepeated ? ['Idempotency-Key repeated'] : []),
        ...(guest === 'other Space' ? ['press of another Space'] : []),
      ]
      world.log.info('press', { who, met, gate: gate + 1, ...(key && { key }) })
      life.enter(() => {
        const pressedMs = world.monotonicMs()
        notes.presses += 1
        let isNew = key === undefined
        const made = (openingId: string) => {
          isNew = true
          notes.keyed.push({ key: key ?? '', openingId })
        }
        void house.press(gate, guest, key === undefined ? undefined : { key, made }).then(
          openingId => {
            world.log.info('accepted', { who: 'client', openingId })
            if (isNew) notes.accepted.push({ openingId, pressedMs })
          },
          error => {
            if (!wasRefused(error) && error !== stillRunning) throw error
            world.log.info('refused', { who: 'client' })
            if (house.isRefusalSure) notes.presses -= 1
          },
        )
      })
    },
  }
}

/** Operations on the cloud's process: kills, starts, stops. */
type CloudProcessKind = 'kill cloud' | 'start cloud' | 'stop cloud' | 'go on, cloud' | 'set cloud clock'

function cloudProcessRunner(house: House, notes: Notes): RunnerOf<CloudProcessKind> {
  const { world } = house
  let awaySinceMs: number | undefined
  /** By how much the cloud's wall clock was set since its last start. */
  let clockSetByMs = 0

  function noteAway() {
    awaySinceMs ??= world.monotonicMs()
  }

  function noteBack() {
    const nowMs = world.monotonicMs()
    notes.away.push({ fromMs: awaySinceMs ?? nowMs, toMs: nowMs })
    awaySinceMs = undefined
  }

  /** A start that meets a locked database fails, and is tried again. */
  async function start() {
    await house.restartCloud(() => {
      noteAway()
      world.after(supervisorPauseMs, () => {
        if (house.cloud().life.isDead()) void start()
      })
    })
    noteBack()
  }

  return {
    'kill cloud'({ steps }) {
      const { life } = house.cloud()
      life.onDeath(noteAway)
      life.dieAfter(steps)
    },
    async 'start cloud'() {
      house.cloud().life.kill('killed', ['cloud killed at its restart'])
      const way = clockSetByMs > 0 ? 'forward' : 'back'
      world.log.info('starts', { who: 'cloud', met: clockSetByMs === 0 ? [] : [`restart, clock ${way}`] })
      clockSetByMs = 0
      await start()
    },
    'stop cloud'() {
      noteAway()
      house.cloud().life.pause()
    },
    'go on, cloud'() {
      const { life } = house.cloud()
      if (!life.isPaused()) return
      life.goOn()
      noteBack()
    },
    'set cloud clock'({ byMs }) {
      house.cloudMachine.setWallClock(byMs)
      clockSetByMs += byMs
      notes.clockSetMs.push(world.monotonicMs())
      const met = house.cloud().life.isDead() ? [] : [`cloud clock ${byMs > 0 ? 'forward' : 'back'}`]
      world.log.info('its clock is set', { who: 'cloud', met, byMs })
    },
  }
}

function databaseLockRunner(
  { databaseLock, world }: House,
  notes: Notes,
): RunnerOf<'lock database' | 'release database'> {
  let lockedSinceMs = 0
  return {
    'lock database'() {
      lockedSinceMs = world.monotonicMs()
      databaseLock.hold()
    },
    'release database'() {
      databaseLock.release()
      notes.away.push({ fromMs: lockedSinceMs, toMs: world.monotonicMs() })
    },
  }
}

type GatewayKind =
  | 'kill gateway'
  | 'start gateway'
  | 'restart gateway'
  | 'stop gateway'
  | 'go on, gateway'
  | 'cut off'
  | 'reach again'
  | 'clock jump'
  | 'chip'
  | 'disk'

function gatewayRunner({ broker, gateways }: House): RunnerOf<GatewayKind> {
  const nameOf = (gateway: number) => gateways[gateway]?.life().name ?? ''
  return {
    'kill gateway': ({ gateway, steps }) => gateways[gateway]?.life().dieAfter(steps),
    'start gateway': ({ gateway, leftover }) => gateways[gateway]?.start(leftover),
    'restart gateway': ({ gateway }) => gateways[gateway]?.restart(),
    'stop gateway': ({ gateway }) => gateways[gateway]?.pause(),
    'go on, gateway': ({ gateway }) => gateways[gateway]?.goOn(),
    'cut off': ({ gateway }) => broker.cutOff(nameOf(gateway), true),
    'reach again': ({ gateway }) => broker.cutOff(nameOf(gateway), false),
    'clock jump': ({ gateway }) => gateways[gateway]?.jumpClock(),
    chip: ({ fault, gateway }) => gateways[gateway]?.setChipFault(fault),
    disk: ({ fault, gateway }) => gateways[gateway]?.setDiskFault(fault),
  }
}

type BackgroundKind = 'ask balance' | 'send message' | 'network' | 'type' | 'calibrate' | 'end calibration'

function backgroundRunner(house: House, installers: Installers): RunnerOf<BackgroundKind> {
  const { gateways, ids, world } = house
  return {
    'ask balance'({ gateway }) {
      const { desk, life } = house.cloud()
      life.enter(() => {
        desk.askBalance(ids, gateway).then(
          taskId => world.log.info('asks for a balance', { who: 'owner', taskId, gateway: gateway + 1 }),
          error => {
            if (!wasRefused(error)) throw error
          },
        )
      })
    },
    'send message'({ gate, gateway }) {
      const { desk, life } = house.cloud()
      life.enter(() => {
        desk.sendMessage(ids, gateway, gate).then(
          why =>
            world.log.info('asks for a message', { who: 'owner', gateway: gateway + 1, gate: gate + 1, why }),
          error => {
            if (!wasRefused(error)) throw error
          },
        )
      })
    },
    network: ({ answers, gateway }) => gateways[gateway]?.chip.card.setNetwork(answers),
    type: ({ gateway, line }) => gateways[gateway]?.type(line),
    calibrate: action => installers.send(action),
    'end calibration': ({ gate }) => installers.end(gate),
  }
}

function simCardRunner({ gateways }: House): RunnerOf<SimCardAction['kind']> {
  const cardOf = (gateway: number) => gateways[gateway]?.chip.card
  return {
    'stranger writes': ({ gateway }) => cardOf(gateway)?.strangerWrites(),
    'gate writes first': ({ gate, gateway }) => cardOf(gateway)?.gateWritesFirst(gate),
    'sent before': ({ gateway, messages }) => gateways[gateway]?.hasSent(messages),
    credit: ({ gateway, isGone }) => cardOf(gateway)?.setCredit(isGone),
    supply: ({ gateway, sags }) => cardOf(gateway)?.setSupply(sags),
  }
}

function lockDownRunner(house: House, notes: Notes): RunnerOf<'lock down' | 'end lock-down'> {
  const { ids, world } = house
  function ask(operation: 'lockDown' | 'endLockDown', done: () => void) {
    const { desk, life } = house.cloud()
    life.enter(() => {
      desk.lockDown(ids, operation).then(done, error => {
        if (!wasRefused(error)) throw error
      })
    })
  }
  /** When the end was last asked. The lock-down may be committed later, or its end may be lost. */
  let endMs = Number.NEGATIVE_INFINITY
  return {
    'lock down'() {
      const askedMs = world.monotonicMs()
      ask('lockDown', () => {
        world.log.info('locks all gates', { who: 'owner', met: ['all gates locked'] })
        const of = { spaceId: ids.spaceId }
        const until = endMs >= askedMs && { untilMs: endMs }
        notes.forbidden.push({ change: 'all gates locked', atMs: world.monotonicMs(), of, ...until })
      })
    },
    'end lock-down'() {
      endMs = world.monotonicMs()
      notes.forbidden.forEach((one, place) => {
        const goesOn = one.change === 'all gates locked' && one.untilMs === undefined
        if (goesOn) notes.forbidden[place] = { ...one, untilMs: endMs }
      })
      ask('endLockDown', () => world.log.info('unlocks all gates', { who: 'owner' }))
    },
  }
}

export interface ActionRunner {
  /** Carries out one action in the house, and records it. */
  readonly carryOut: (action: Action) => Promise<void> | void
  /** No actor has unfinished work that an action began. */
  readonly isOver: () => boolean
}

export function createActionRunner(house: House, notes: Notes): ActionRunner {
  const { broker, cloudMachine, gateways, world } = house
  const presses = pressRunner(house, notes)
  const installers = createInstallers(house, notes.prepared, (gate, guest) =>
    presses.press({ kind: 'press', gate, guest }),
  )
  const machineOf = (gateway: number | undefined) =>
    gateway === undefined ? cloudMachine : gateways[gateway]?.machine

  const runner: RunnerOf<Kind> = {
    ...presses,
    ...backgroundRunner(house, installers),
    ...simCardRunner(house),
    ...cloudProcessRunner(house, notes),
    ...databaseLockRunner(house, notes),
    ...gatewayRunner(house),
    ...lockDownRunner(house, notes),
    stall: ({ gateway, steps }) => machineOf(gateway)?.stallAfter(steps),
    wake: ({ gateway, suspended }) => machineOf(gateway)?.goOn(suspended),
    'broker restart': () => broker.restart(),
    'unknown boot'({ gateway, says }) {
      house.sendAsUnknownBoot(gateway, says, notes.accepted.at(-1)?.openingId)
    },
    async change(action) {
      if (house.isLocked()) return
      const { change, gate, guest } = action
      world.log.info(change, { who: 'owner', met: [change], gate: gate + 1, guest: guest + 1 })
      notes.forbidden.push(await carryOutChange(house, action))
    },
  }

  return {
    carryOut(action) {
      const run = runner[action.kind] as (action: Action) => Promise<void> | void
      return run(action)
    },
    isOver: installers.areDone,
  }
}
