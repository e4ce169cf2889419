// Carries out a plan in a house, ends all faults, waits until everything must have ended, and summarises the result.

import type { Notes } from './actionRunner.ts'
import { logMeetings } from './backgroundMet.ts'
import { check } from './checks.ts'
import type { House } from './house.ts'
import type { Plan } from './plan.ts'
import { faultsIn, storyOf } from './trace.ts'
import { type SeedRecord, truthOf, unreportedBy } from './truth.ts'
import { fractionsIn } from './wholeNumbers.ts'

export interface SeedRun {
  /** Readable texts, each with its seed; empty when all promises were kept. */
  readonly violations: readonly string[]
  readonly openings: number
  readonly calls: number
  /** How often each fault had an effect. */
  readonly faults: Readonly<Record<string, number>>
  /** How often the state machines changed from one state to another. */
  readonly moves: Readonly<Record<string, number>>
  /** The number of openings by their end: `status reason`. */
  readonly endings: Readonly<Record<string, number>>
  /** All events, one per line, oldest first. */
  story(): readonly string[]
}

/** The way in which a plan is carried out. */
interface Way<Action> {
  readonly house: House
  readonly plan: Pick<Plan, 'faults' | 'healedAtMs'> & {
    readonly actions: readonly (Action & { readonly atMs: number })[]
  }
  readonly carryOut: (action: Action) => Promise<void> | void
  /** No actor has unfinished work that an action began. */
  readonly isOver: () => boolean
  /** Ends all faults of the clouds. */
  readonly healClouds: () => void
  /** Time for a beat of each gateway, and for the messages that the wire held back. */
  readonly leastQuietMs: number
  /** 270 s for open tasks, 90 s for open openings, and the time that a start of a modem needs. */
  readonly quietMs: number
}

/** Nothing is open, nothing is unreported, and every gateway could dial. */
async function isAtRest({ gateways, rows }: House): Promise<boolean> {
  const [open] = await rows(
    `select 1 from openings where status in ('initiated', 'connected')
     union all select 1 from tasks where "endedAt" is null limit 1`,
  )
  return (
    open === undefined && gateways.every(gateway => gateway.isReady() && unreportedBy(gateway).length === 0)
  )
}

/** Carries out the plan, and waits for the end of everything that it began. */
export async function live<Action>(way: Way<Action>): Promise<void> {
  const { carryOut, healClouds, house, isOver, leastQuietMs, plan, quietMs } = way
  const { broker, gateways, world } = house
  const beganMs = world.monotonicMs()
  const until = (atMs: number) => world.advance(Math.max(0, beganMs + atMs - world.monotonicMs()))
  broker.setFaults(plan.faults)
  for (const action of plan.actions) {
    await until(action.atMs)
    await carryOut(action)
  }
  await until(plan.healedAtMs)
  broker.heal()
  healClouds()
  for (const gateway of gateways) gateway.heal()
  world.log.info('healed', { who: 'house' })
  while (!isOver()) await world.advance(1_000)
  const endMs = world.monotonicMs() + quietMs
  await world.advance(leastQuietMs)
  while (world.monotonicMs() < endMs && !(await isAtRest(house))) await world.advance(1_000)
  world.log.info('over', { who: 'house' })
}

/** The checks need the end of every press, so none may come when the house closes. */
function pressedTooLate({ world }: House): string[] {
  const over = world.lines.findIndex(({ message }) => message === 'over')
  const late = over < 0 ? [] : world.lines.slice(over).filter(({ message }) => message === 'press')
  return late.map(({ atMs }) => `house: a press came at ${atMs} ms, and the run was over`)
}

/** The data of a house never goes back, so a program that suspects this is wrong. */
function falseAlarms({ world }: House): string[] {
  const alarms = world.lines.filter(({ message }) => message.includes('has the data gone back?'))
  return alarms.map(({ atMs, message }) => `house: told at ${atMs} ms: ${message}`)
}

export const nothingNoted = (): Notes => ({
  presses: 0,
  accepted: [],
  forbidden: [],
  prepared: [],
  away: [],
  clockSetMs: [],
  databaseSetBackMs: [],
  drift: 0,
  databaseSlow: [],
  keyed: [],
})

/** The result of a run; `more` are the violations of promises that only this kind of house has. */
export async function summaryOf(
  house: House,
  record: SeedRecord,
  seed: string,
  more: readonly string[] = [],
): Promise<SeedRun> {
  const truth = await truthOf(house, record)
  logMeetings(house, truth)
  const fractions = await fractionsIn(house)
  const endings: Record<string, number> = {}
  for (const { reason, status } of truth.rows) {
    const how = `${status} ${reason}`
    endings[how] = (endings[how] ?? 0) + 1
  }
  return {
    violations: [...check(truth), ...fractions, ...pressedTooLate(house), ...falseAlarms(house), ...more].map(
      violation => `${seed}: ${violation}`,
    ),
    openings: truth.rows.length,
    calls: truth.calls.length,
    faults: faultsIn(house.world),
    moves: house.moves(),
    endings,
    story: () => storyOf(house),
  }
}
