// One seed of the house: built, pressed, broken and healed by its plan, and judged.

import { fakeWorld } from '@callgate/world/fake'
import { carryOutChange, type Forbidden } from './changes.ts'
import { check, leftToReport } from './checks.ts'
import { createHouse, type House } from './house.ts'
import { type Act, healedAtMs, type Plan, planOf } from './plan.ts'

export interface SeedRun {
  /** Readable, each with its seed; empty when all that was promised held. */
  readonly violations: readonly string[]
  readonly openings: number
  readonly calls: number
  /** How often each fault was met. */
  readonly faults: Readonly<Record<string, number>>
  /** How many openings ended how: `status reason`. */
  readonly endings: Readonly<Record<string, number>>
  /** What happened, a line each, oldest first. */
  story(): readonly string[]
}

/** 90 s for what is open, and what a start of a modem takes. */
const quietMs = 110_000
/** A beat of each gateway, and whatever the wire had held back. */
const leastQuietMs = 15_000

interface Notes {
  readonly accepted: string[]
  readonly forbidden: Forbidden[]
  readonly met: Record<string, number>
  downMs: number
}

type Carrier = { readonly [Kind in Act['kind']]: (act: Extract<Act, { kind: Kind }>) => Promise<void> | void }

function carrierOf(house: House, notes: Notes): Carrier {
  const { gateways, world } = house
  const meet = (fault: string) => {
    notes.met[fault] = (notes.met[fault] ?? 0) + 1
  }
  let cloudFellMs: number | undefined
  return {
    press({ gate, guest }) {
      if (house.cloud().life.isDead()) return
      world.log.info('press', { who: guest === undefined ? 'key' : `guest ${guest + 1}`, gate })
      void house.press(gate, guest).then(openingId => {
        world.log.info('accepted', { who: 'client', openingId })
        notes.accepted.push(openingId)
      })
    },
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
        cloudFellMs = world.monotonicMs()
      })
      life.dieAfter(steps)
    },
    async 'start cloud'() {
      meet('cloud killed')
      await house.restartCloud()
      notes.downMs += world.monotonicMs() - (cloudFellMs ?? world.monotonicMs())
      cloudFellMs = undefined
    },
    'broker restart'() {
      meet('broker restart')
      house.broker.restart()
    },
    change(act) {
      if (house.cloud().life.isDead()) return
      meet(act.change)
      world.log.info(act.change, { who: 'owner', gate: act.gate, guest: act.guest })
      notes.forbidden.push(carryOutChange(house, act))
    },
  }
}

function carryOut<Kind extends Act['kind']>(carrier: Carrier, act: Extract<Act, { kind: Kind }>) {
  const carry: (act: Extract<Act, { kind: Kind }>) => Promise<void> | void = carrier[act.kind]
  return carry(act)
}

/** Nothing is open, nothing is left to report, and every gateway could dial. */
function isAtRest({ cloud, gateways }: House): boolean {
  const [open] = cloud().database.rows(
    `select 1 from openings where status in ('initiated', 'connected') limit 1`,
  )
  return (
    open === undefined && gateways.every(gateway => gateway.isReady() && leftToReport(gateway).length === 0)
  )
}

async function live(house: House, plan: Plan, notes: Notes): Promise<void> {
  const { broker, gateways, world } = house
  const beganMs = world.monotonicMs()
  const until = (atMs: number) => world.advance(Math.max(0, beganMs + atMs - world.monotonicMs()))
  const carrier = carrierOf(house, notes)
  broker.setFaults(plan.faults)
  for (const act of plan.acts) {
    await until(act.atMs)
    await carryOut(carrier, act)
  }
  await until(healedAtMs)
  broker.heal()
  for (const gateway of gateways) if (gateway.life().isDead()) gateway.start('kept')
  world.log.info('healed', { who: 'house' })
  const endMs = world.monotonicMs() + quietMs
  await world.advance(leastQuietMs)
  while (world.monotonicMs() < endMs && !isAtRest(house)) await world.advance(1_000)
}

function storyOf({ broker, gateways, world }: House): string[] {
  const lines = [
    ...world.lines.map(({ atMs, fields: { who, ...fields }, message }) => {
      const more = Object.entries(fields).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      return { atMs, text: `${String(who ?? '').padEnd(10)} ${message} ${more.join(' ')}` }
    }),
    ...broker.delivered.map(({ atMs, payload, topic }) => ({ atMs, text: `wire       ${topic} ${payload}` })),
    ...gateways.flatMap(({ simulator }, place) =>
      simulator.wireLog().map(({ atMs, direction, text }) => ({
        atMs,
        text: `modem ${place + 1}    ${direction === 'toModem' ? '<' : '>'} ${JSON.stringify(text)}`,
      })),
    ),
  ]
  return lines.sort((a, b) => a.atMs - b.atMs).map(({ atMs, text }) => `${String(atMs).padStart(7)} ${text}`)
}

/** Builds the house of the seed, lets its plan happen, waits until all must have ended, and judges. */
export async function runSeed(seed: number): Promise<SeedRun> {
  const plan = planOf(fakeWorld(seed ^ 0x5eed))
  const { gates, gateways, guests } = plan
  const house = await createHouse(seed, gates, { gateways, guests })
  const notes: Notes = { accepted: [], forbidden: [], met: {}, downMs: 0 }
  try {
    await live(house, plan, notes)
    const caps = guests.map(({ maxUsage }) => maxUsage)
    const violations = check(house, { ...notes, caps }).map(violation => `seed ${seed}: ${violation}`)
    const rows = house
      .cloud()
      .database.rows<{ status: string; reason: string | null }>('select * from openings')
    const endings: Record<string, number> = {}
    for (const { reason, status } of rows) {
      const how = `${status} ${reason}`
      endings[how] = (endings[how] ?? 0) + 1
    }
    return {
      violations,
      openings: rows.length,
      calls: house.gateways.reduce((sum, { simulator }) => sum + simulator.state().calls.length, 0),
      faults: { ...house.broker.met, ...notes.met },
      endings,
      story: () => storyOf(house),
    }
  } finally {
    await house.close()
  }
}
