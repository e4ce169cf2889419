// Carries out what a seed has planned, and writes down what the judges must know of it.

import { carryOutChange } from './changes.ts'
import type { House } from './house.ts'
import type { Act } from './plan.ts'
import type { SeedRecord } from './truth.ts'

type Writable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] }

export interface Notes extends Writable<Omit<SeedRecord, 'caps'>> {
  /** How often each fault was met. */
  readonly met: Record<string, number>
}

type Carrier = { readonly [Kind in Act['kind']]: (act: Extract<Act, { kind: Kind }>) => Promise<void> | void }

/** What carries out the acts in `house` and notes them. */
export function carrierOf(house: House, notes: Notes): (act: Act) => Promise<void> | void {
  const { gateways, world } = house
  const meet = (fault: string) => {
    notes.met[fault] = (notes.met[fault] ?? 0) + 1
  }
  let awaySinceMs: number | undefined
  let lastPressMs = Number.NEGATIVE_INFINITY

  function isBack() {
    const nowMs = world.monotonicMs()
    notes.away.push({ fromMs: awaySinceMs ?? nowMs, toMs: nowMs })
    awaySinceMs = undefined
  }

  function press({ gate, guest }: Extract<Act, { kind: 'press' }>) {
    if (lastPressMs === world.monotonicMs()) meet('several at once')
    lastPressMs = world.monotonicMs()
    world.log.info('press', { who: guest === undefined ? 'key' : `guest ${guest + 1}`, gate })
    house.cloud().life.enter(() => {
      const pressedMs = world.monotonicMs()
      notes.presses += 1
      void house.press(gate, guest).then(openingId => {
        world.log.info('accepted', { who: 'client', openingId })
        notes.accepted.push({ openingId, pressedMs })
      })
    })
  }

  function suffer(what: string, gateway: number, trouble: string | undefined) {
    if (trouble !== undefined) meet(`${what}: ${trouble}`)
    world.log.info(trouble ?? 'well again', { who: `${what} ${gateway + 1}` })
  }

  const carrier: Carrier = {
    press,
    'kill gateway'({ gateway, steps }) {
      gateways[gateway]?.life().dieAfter(steps)
    },
    'start gateway'({ gateway, leftover }) {
      meet(`gateway killed, journal ${leftover}`)
      gateways[gateway]?.start(leftover)
    },
    'kill cloud'({ steps }) {
      const { life } = house.cloud()
      life.onDeath(() => {
        awaySinceMs ??= world.monotonicMs()
      })
      life.dieAfter(steps)
    },
    async 'start cloud'() {
      meet('cloud killed')
      await house.restartCloud()
      isBack()
    },
    'broker restart'() {
      meet('broker restart')
      house.broker.restart()
    },
    'restart gateway'({ gateway }) {
      meet('gateway restarted')
      gateways[gateway]?.restart()
    },
    'cut off'({ gateway }) {
      meet('gateway cut off')
      house.broker.cutOff(gateways[gateway]?.life().name ?? '', true)
    },
    'reach again': ({ gateway }) => house.broker.cutOff(gateways[gateway]?.life().name ?? '', false),
    'stop gateway'({ gateway }) {
      meet('gateway stopped')
      gateways[gateway]?.pause()
    },
    'go on, gateway': ({ gateway }) => gateways[gateway]?.goOn(),
    'stop cloud'() {
      meet('cloud stopped')
      awaySinceMs ??= world.monotonicMs()
      house.cloud().life.pause()
    },
    'go on, cloud'() {
      const { life } = house.cloud()
      if (!life.isPaused()) return
      life.goOn()
      isBack()
    },
    'clock jump'({ gateway }) {
      meet('clock jump')
      gateways[gateway]?.jumpClock()
    },
    chip({ gateway, trouble }) {
      suffer('chip', gateway, trouble)
      gateways[gateway]?.sufferChip(trouble)
    },
    disk({ gateway, trouble }) {
      suffer('disk', gateway, trouble)
      gateways[gateway]?.sufferDisk(trouble)
    },
    change(act) {
      if (house.cloud().life.isDead()) return
      meet(act.change)
      world.log.info(act.change, { who: 'owner', gate: act.gate, guest: act.guest })
      notes.forbidden.push(carryOutChange(house, act))
    },
  }

  return act => {
    const carry = carrier[act.kind] as (act: Act) => Promise<void> | void
    return carry(act)
  }
}
