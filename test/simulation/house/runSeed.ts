// Runs one seed of the simulation: builds it, carries out its plan, ends all faults, and checks the promises.

import { type FakeWorld, fakeWorld, type LogLine } from '@callgate/world/fake'
import { createActionRunner, type Notes } from './actionRunner.ts'
import { check } from './checks.ts'
import type { GatewaySide } from './gatewaySide.ts'
import { createHouse, type House } from './house.ts'
import { type Plan, planOf } from './plan.ts'
import { digestKeys } from './signingKeys.ts'
import { truthOf, unreportedBy } from './truth.ts'

export interface SeedRun {
  /** Readable, each with its seed; empty when all promises were kept. */
  readonly violations: readonly string[]
  readonly openings: number
  readonly calls: number
  /** How often each fault had an effect. */
  readonly faults: Readonly<Record<string, number>>
  /** How often the state machines went from one state to another. */
  readonly moves: Readonly<Record<string, number>>
  /** How many openings ended how: `status reason`. */
  readonly endings: Readonly<Record<string, number>>
  /** All events, one per line, oldest first. */
  story(): readonly string[]
}

/** 90 s for open openings, and the time that a start of a modem needs. */
const quietMs = 110_000
/** Time for a beat of each gateway, and for the messages that the wire held back. */
const leastQuietMs = 15_000

/** Nothing is open, nothing is unreported, and every gateway could dial. */
export function isAtRest({ cloud, gateways }: House): boolean {
  const [open] = cloud().database.rows(
    `select 1 from openings where status in ('initiated', 'connected') limit 1`,
  )
  return (
    open === undefined && gateways.every(gateway => gateway.isReady() && unreportedBy(gateway).length === 0)
  )
}

/** Ends all faults of the gateways, and starts those that are dead. */
export function healGateways({ gateways }: House): void {
  for (const gateway of gateways) {
    gateway.machine.goOn()
    gateway.goOn()
    gateway.setChipFault(undefined)
    gateway.setDiskFault(undefined)
    if (gateway.life().isDead()) gateway.start('kept')
  }
}

async function live(house: House, plan: Plan, notes: Notes): Promise<void> {
  const { broker, world } = house
  const beganMs = world.monotonicMs()
  const until = (atMs: number) => world.advance(Math.max(0, beganMs + atMs - world.monotonicMs()))
  const carryOut = createActionRunner(house, notes)
  broker.setFaults(plan.faults)
  for (const action of plan.actions) {
    await until(action.atMs)
    await carryOut(action)
  }
  await until(plan.healedAtMs)
  broker.heal()
  house.cloudMachine.goOn()
  healGateways(house)
  world.log.info('healed', { who: 'house' })
  const endMs = world.monotonicMs() + quietMs
  await world.advance(leastQuietMs)
  while (world.monotonicMs() < endMs && !isAtRest(house)) await world.advance(1_000)
  world.log.info('over', { who: 'house' })
}

/** The faults that had an effect, by a line of the log. */
const metIn = ({ fields: { met } }: LogLine): readonly string[] => (Array.isArray(met) ? met : [])

export function faultsIn({ lines }: FakeWorld): Record<string, number> {
  const times: Record<string, number> = {}
  for (const line of lines) for (const fault of metIn(line)) times[fault] = (times[fault] ?? 0) + 1
  return times
}

/** A line of the trace. Of lines of one millisecond, the lowest `rank` comes first. */
interface TraceLine {
  readonly atMs: number
  readonly rank: number
  readonly text: string
}

/** A word or a message's JSON as it is, anything else as JSON. */
const shown = (value: unknown) =>
  typeof value === 'string' && /^(?:[!-~]+|\{[ -~]+)$/.test(value) ? value : JSON.stringify(value)

function traceLine(line: LogLine): TraceLine {
  const { met: _, who, ...fields } = line.fields
  const met = metIn(line)
  const more = Object.entries(fields).map(([key, value]) => `${key}=${shown(value)}`)
  const marks = met.length > 0 ? [`[${met.join(', ')}]`] : []
  const text = [String(who ?? '').padEnd(10), line.message, ...marks, ...more].join(' ')
  return { atMs: line.atMs, rank: 1, text }
}

/** What a modem says stands before its consequences. What it reads, and all after that, stands after its cause. */
function modemLines({ simulator }: GatewaySide, place: number): TraceLine[] {
  let readAtMs = -1
  return simulator.wireLog().map(({ atMs, direction, text }) => {
    if (direction === 'toModem') readAtMs = atMs
    const arrow = direction === 'toModem' ? '<' : '>'
    const rank = readAtMs === atMs ? 2 : 0
    return { atMs, rank, text: `modem ${place + 1}    ${arrow} ${JSON.stringify(text)}` }
  })
}

export function storyOf({ gateways, world }: House): string[] {
  const lines = [...world.lines.map(traceLine), ...gateways.flatMap(modemLines)]
  return lines
    .sort((a, b) => a.atMs - b.atMs || a.rank - b.rank)
    .map(({ atMs, text }) => `${String(atMs).padStart(7)} ${text}`)
}

/** Builds the simulation of the seed, carries out its plan, waits until all must have ended, and checks the promises. */
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
