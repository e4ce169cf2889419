// Carries out what a seed has planned, and writes down what the judges must know of it.

import { carryOutChange } from './changes.ts'
import { wasLocked } from './foreignLock.ts'
import type { House } from './house.ts'
import type { Act } from './plan.ts'
import type { SeedRecord } from './truth.ts'

type Writable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] }

export type Notes = Writable<Omit<SeedRecord, 'caps'>>

/** From a start that failed to the next. */
const supervisorPauseMs = 1_000

type Carrier = { readonly [Kind in Act['kind']]: (act: Extract<Act, { kind: Kind }>) => Promise<void> | void }

/** What carries out the acts in `house` and notes them. */
export function carrierOf(house: House, notes: Notes): (act: Act) => Promise<void> | void {
  const { gateways, world } = house
  let awaySinceMs: number | undefined
  let lockedSinceMs = 0
  let lastPressMs = Number.NEGATIVE_INFINITY
  /** By how much the cloud's wall clock was set since its last start. */
  let clockSetByMs = 0

  const machineOf = (gateway: number | undefined) =>
    gateway === undefined ? house.cloudMachine : gateways[gateway]?.machine

  function isBack() {
    const nowMs = world.monotonicMs()
    notes.away.push({ fromMs: awaySinceMs ?? nowMs, toMs: nowMs })
    awaySinceMs = undefined
  }

  function press({ gate, guest }: Extract<Act, { kind: 'press' }>) {
    const { life } = house.cloud()
    const isAgain = lastPressMs === world.monotonicMs() && !life.isDead()
    lastPressMs = world.monotonicMs()
    const who = guest === undefined ? 'key' : `guest ${guest + 1}`
    world.log.info('press', { who, met: isAgain ? ['several at once'] : [], gate: gate + 1 })
    life.enter(() => {
      const pressedMs = world.monotonicMs()
      notes.presses += 1
      void house.press(gate, guest).then(
        openingId => {
          world.log.info('accepted', { who: 'client', openingId })
          notes.accepted.push({ openingId, pressedMs })
        },
        error => {
          if (!wasLocked(error)) throw error
          // Refused before anything was accepted, so that there must be no record of it.
          world.log.info('refused', { who: 'client' })
          notes.presses -= 1
        },
      )
    })
  }

  /** A start that meets a locked database fails, and is tried again. */
  async function startCloud() {
    await house.restartCloud(() => {
      awaySinceMs ??= world.monotonicMs()
      world.after(supervisorPauseMs, () => {
        if (house.cloud().life.isDead()) void startCloud()
      })
    })
    isBack()
  }

  const carrier: Carrier = {
    press,
    'kill gateway'({ gateway, steps }) {
      gateways[gateway]?.life().dieAfter(steps)
    },
    'start gateway': ({ gateway, leftover }) => gateways[gateway]?.start(leftover),
    'kill cloud'({ steps }) {
      const { life } = house.cloud()
      life.onDeath(() => {
        awaySinceMs ??= world.monotonicMs()
      })
      life.dieAfter(steps)
    },
    async 'start cloud'() {
      house.cloud().life.kill('killed', ['cloud killed at its restart'])
      const way = clockSetByMs > 0 ? 'forward' : 'back'
      world.log.info('starts', { who: 'cloud', met: clockSetByMs === 0 ? [] : [`restart, clock ${way}`] })
      clockSetByMs = 0
      await startCloud()
    },
    'stand still': ({ gateway, steps }) => machineOf(gateway)?.standStillAfter(steps),
    wake: ({ gateway, suspended }) => machineOf(gateway)?.goOn(suspended),
    'set cloud clock'({ byMs }) {
      house.cloudMachine.setWallClock(byMs)
      clockSetByMs += byMs
      notes.clockSetMs.push(world.monotonicMs())
      const met = house.cloud().life.isDead() ? [] : [`cloud clock ${byMs > 0 ? 'forward' : 'back'}`]
      world.log.info('its clock is set', { who: 'cloud', met, byMs })
    },
    'lock database'() {
      lockedSinceMs = world.monotonicMs()
      house.databaseLock.hold()
    },
    'release database'() {
      house.databaseLock.release()
      notes.away.push({ fromMs: lockedSinceMs, toMs: world.monotonicMs() })
    },
    'broker restart': () => house.broker.restart(),
    'restart gateway': ({ gateway }) => gateways[gateway]?.restart(),
    'unknown boot'({ gateway, says }) {
      house.hearUnknownBoot(gateway, says, notes.accepted.at(-1)?.openingId)
    },
    'cut off': ({ gateway }) => house.broker.cutOff(gateways[gateway]?.life().name ?? '', true),
    'reach again': ({ gateway }) => house.broker.cutOff(gateways[gateway]?.life().name ?? '', false),
    'stop gateway': ({ gateway }) => gateways[gateway]?.pause(),
    'go on, gateway': ({ gateway }) => gateways[gateway]?.goOn(),
    'stop cloud'() {
      awaySinceMs ??= world.monotonicMs()
      house.cloud().life.pause()
    },
    'go on, cloud'() {
      const { life } = house.cloud()
      if (!life.isPaused()) return
      life.goOn()
      isBack()
    },
    'clock jump': ({ gateway }) => gateways[gateway]?.jumpClock(),
    chip: ({ gateway, trouble }) => gateways[gateway]?.sufferChip(trouble),
    disk: ({ gateway, trouble }) => gateways[gateway]?.sufferDisk(trouble),
    change(act) {
      if (house.cloud().life.isDead() || house.cloudMachine.isStanding()) return
      const { change, gate, guest } = act
      world.log.info(change, { who: 'owner', met: [change], gate: gate + 1, guest: guest + 1 })
      notes.forbidden.push(carryOutChange(house, act))
    },
  }

  return act => {
    const carry = carrier[act.kind] as (act: Act) => Promise<void> | void
    return carry(act)
  }
}
