// One seed of the house: built, pressed, broken and healed by its plan, and judged.

import { type FakeWorld, fakeWorld, type LogLine } from '@callgate/world/fake'
import { carrierOf, type Notes } from './acts.ts'
import { check } from './checks.ts'
import type { GatewaySide } from './gatewaySide.ts'
import { createHouse, type House } from './house.ts'
import { type Plan, planOf } from './plan.ts'
import { digestKeys } from './signingKeys.ts'
import { leftToReport, truthOf } from './truth.ts'

export interface SeedRun {
  /** Readable, each with its seed; empty when all that was promised held. */
  readonly violations: readonly string[]
  readonly openings: number
  readonly calls: number
  /** How often each fault was met. */
  readonly faults: Readonly<Record<string, number>>
  /** How often the state machines went from one state to another. */
  readonly moves: Readonly<Record<string, number>>
  /** How many openings ended how: `status reason`. */
  readonly endings: Readonly<Record<string, number>>
  /** What happened, a line each, oldest first. */
  story(): readonly string[]
}

/** 90 s for what is open, and what a start of a modem takes. */
const quietMs = 110_000
/** A beat of each gateway, and whatever the wire had held back. */
const leastQuietMs = 15_000

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
  const carryOut = carrierOf(house, notes)
  broker.setFaults(plan.faults)
  for (const act of plan.acts) {
    await until(act.atMs)
    await carryOut(act)
  }
  await until(plan.healedAtMs)
  broker.heal()
  house.cloudMachine.goOn()
  for (const gateway of gateways) {
    gateway.machine.goOn()
    gateway.goOn()
    gateway.sufferChip(undefined)
    gateway.sufferDisk(undefined)
    if (gateway.life().isDead()) gateway.start('kept')
  }
  world.log.info('healed', { who: 'house' })
  const endMs = world.monotonicMs() + quietMs
  await world.advance(leastQuietMs)
  while (world.monotonicMs() < endMs && !isAtRest(house)) await world.advance(1_000)
  world.log.info('over', { who: 'house' })
}

/** The faults that a line of the log says were met. */
const metIn = ({ fields: { met } }: LogLine): readonly string[] => (Array.isArray(met) ? met : [])

function faultsIn({ lines }: FakeWorld): Record<string, number> {
  const times: Record<string, number> = {}
  for (const line of lines) for (const fault of metIn(line)) times[fault] = (times[fault] ?? 0) + 1
  return times
}

/** A line of a story; of those of one millisecond, the lowest `rank` comes first. */
interface Told {
  readonly atMs: number
  readonly rank: number
  readonly text: string
}

/** A word or a message's JSON as it is, anything else as JSON. */
const shown = (value: unknown) =>
  typeof value === 'string' && /^(?:[!-~]+|\{[ -~]+)$/.test(value) ? value : JSON.stringify(value)

function told(line: LogLine): Told {
  const { met: _, who, ...fields } = line.fields
  const met = metIn(line)
  const more = Object.entries(fields).map(([key, value]) => `${key}=${shown(value)}`)
  const marks = met.length > 0 ? [`[${met.join(', ')}]`] : []
  const text = [String(who ?? '').padEnd(10), line.message, ...marks, ...more].join(' ')
  return { atMs: line.atMs, rank: 1, text }
}

/** What a modem says comes before what is made of it; what it reads, and all after that, comes after its cause. */
function toldByModem({ simulator }: GatewaySide, place: number): Told[] {
  let readAtMs = -1
  return simulator.wireLog().map(({ atMs, direction, text }) => {
    if (direction === 'toModem') readAtMs = atMs
    const arrow = direction === 'toModem' ? '<' : '>'
    const rank = readAtMs === atMs ? 2 : 0
    return { atMs, rank, text: `modem ${place + 1}    ${arrow} ${JSON.stringify(text)}` }
  })
}

function storyOf({ gateways, world }: House): string[] {
  const lines = [...world.lines.map(told), ...gateways.flatMap(toldByModem)]
  return lines
    .sort((a, b) => a.atMs - b.atMs || a.rank - b.rank)
    .map(({ atMs, text }) => `${String(atMs).padStart(7)} ${text}`)
}

/** Builds the house of the seed, lets its plan happen, waits until all must have ended, and judges. */
export async function runSeed(seed: number, keys = digestKeys): Promise<SeedRun> {
  const plan = planOf(fakeWorld(seed ^ 0x5eed))
  const { gates, gateways, guests } = plan
  const house = await createHouse(seed, gates, { gateways, guests, keys })
  const notes: Notes = { presses: 0, accepted: [], forbidden: [], away: [], clockSetMs: [] }
  try {
    await live(house, plan, notes)
    const caps = guests.map(({ maxUsage }) => maxUsage)
    const violations = check(truthOf(house, { ...notes, caps })).map(
      violation => `seed ${seed}: ${violation}`,
    )
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
      faults: faultsIn(house.world),
      moves: house.moves(),
      endings,
      story: () => storyOf(house),
    }
  } finally {
    await house.close()
  }
}
