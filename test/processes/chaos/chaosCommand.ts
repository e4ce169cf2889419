// The command `pnpm chaos`: fault injection into real processes at named points, checked by the simulator's own log.

import { parseArgs } from 'node:util'
import { whyNoPostgres } from '../../postgres/postgresBinaries.ts'
import { withoutMosquitto } from '../broker/mosquitto.ts'
import { cloudPoints } from './cloudPoints.ts'
import type { ChaosGate } from './furnish.ts'
import { gatewayPoints } from './gatewayPoints.ts'
import type { HouseKind } from './layout.ts'
import { movesClock, needsBrokerApart, type Point, points } from './points.ts'
import { lags, promotes, tryLag, tryPromotion } from './promotionTrial.ts'
import { type Queue, trialQueue } from './queue.ts'
import { chaosBundles, eventually, type RealHouse, startRealHouse } from './realHouse.ts'
import { checkWhole, type Trial, tryPoint } from './trial.ts'
import { summarise } from './trialTable.ts'
import { fakeTimeLibrary } from './wallClock.ts'

const help = `Usage: pnpm chaos [--clouds 2] [--times N] [--only NAME] [--houses N] [--list] [--help]

Fault injection into real processes: cloud, broker, gateway and simulator. A point is a fault at a named moment of an opening,
such as gateway-killed-intent. Each trial presses a gate, injects the fault of one point, ends the fault, waits for recovery,
and compares the records of the cloud with the simulator's own log.

With --clouds 2 two clouds serve on one Postgres and one Mosquitto. At every moment each cloud is killed, stopped, cut off
from database or broker, and drained; both are killed; broker and Postgres are restarted. The wall clock of one is set by a
day or more; a standby of Postgres takes over, which has every commit, or lacks the last.

With --gateways 2 two gateways, each with a modem of its own, may call every gate. At every moment the one that is asked first
is killed, stopped, cut off from the broker, silenced, or its modem falls silent. The other one dials within 5 s of the press
while nothing is granted, and afterwards never.

Options:
  --clouds 2    two clouds (1)
  --gateways 2  two gateways (1)
  --times N     how often each point must be hit (1); a moment can be missed, so there are up to three times as many trials
  --only NAME   only points whose name contains NAME; may be repeated
  --houses N    how many sets of processes run at the same time (2)
  --list        prints the names of the points
  --help        prints this

Exit codes: 0 no violation, and every point was hit often enough; 1 otherwise, or a wrong command line; 130 interrupted.`

const say = (line: string) => void process.stdout.write(`${line}\n`)

function wholeNumber(name: string, given: string | undefined, otherwise: number): number {
  if (given === undefined) return otherwise
  if (!/^[1-9]\d{0,4}$/.test(given)) throw new Error(`--${name} must be a whole number from 1.`)
  return Number(given)
}

function readArguments(args: readonly string[]) {
  const { values } = parseArgs({
    args: args[0] === '--' ? args.slice(1) : [...args],
    options: {
      clouds: { type: 'string' },
      gateways: { type: 'string' },
      times: { type: 'string' },
      only: { type: 'string', multiple: true },
      houses: { type: 'string' },
      list: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const only = values.only ?? ['']
  const clouds = wholeNumber('clouds', values.clouds, 1)
  const gateways = wholeNumber('gateways', values.gateways, 1)
  if (clouds > 2) throw new Error('--clouds must be 1 or 2.')
  if (gateways > 2) throw new Error('--gateways must be 1 or 2.')
  if (clouds + gateways > 3) throw new Error('Give --clouds 2 or --gateways 2, not both.')
  const all = clouds === 2 ? cloudPoints : gateways === 2 ? gatewayPoints : points
  const chosen = all.filter(({ name }) => only.some(part => name.includes(part)))
  if (chosen.length === 0) throw new Error('No point has such a name; see pnpm chaos --list.')
  return {
    chosen,
    kind: clouds === 2 ? ('clouds' as const) : gateways === 2 ? ('gateways' as const) : undefined,
    times: wholeNumber('times', values.times, 1),
    houses: wholeNumber('houses', values.houses, 2),
    shows: values.help ? help : values.list ? chosen.map(({ name }) => name).join('\n') : undefined,
  }
}

interface Work {
  readonly kind: HouseKind
  readonly queue: Queue
  readonly trials: Trial[]
  /** Including the houses that are still starting. */
  readonly open: Set<Promise<RealHouse>>
  readonly stop: AbortSignal
}

/** Enough gates although some numbers are locked for 100 s, and enough actors to meet no rate limit. */
const size = { gates: 50, actors: 8 } as const
/** Longer than a number is locked. */
const gateWithinMs = 120_000

/** When the last trial of each gate was over, by the gate's id; wall clock, milliseconds. */
type LastTrials = Map<string, number>

/** Two free gates whose last trials are longest ago. A press there joins no earlier call. */
function freeGates({ gates, isFree }: RealHouse, lastTrials: LastTrials) {
  const overMs = ({ id }: ChaosGate) => lastTrials.get(id) ?? 0
  return eventually('two gates are free', gateWithinMs, async () => {
    const found: ChaosGate[] = []
    for (const gate of gates.toSorted((one, other) => overMs(one) - overMs(other))) {
      if (await isFree(gate, overMs(gate))) found.push(gate)
      const [gateOfTrial, bystander] = found
      if (gateOfTrial && bystander) return { gate: gateOfTrial, bystander }
    }
    return undefined
  })
}

async function tryIn(house: RealHouse, point: Point, lastTrials: LastTrials, turn: number): Promise<Trial> {
  const { actors } = house
  const actor = actors[turn % actors.length]
  const other = actors[(turn + actors.length / 2) % actors.length]
  if (!actor || !other) throw new Error('the house has too few actors')
  const free = await freeGates(house, lastTrials)
  const run = lags(point) ? tryLag : promotes(point) ? tryPromotion : tryPoint
  const trial = await run(house, point, { ...free, actors: [actor, other] })
  for (const { id } of Object.values(free)) lastTrials.set(id, Date.now())
  return trial
}

function tell(place: number, { dials, failOversMs, isHit, point, reason, violations }: Trial) {
  const how = violations.length > 0 ? violations.join('; ') : isHit ? 'fine' : 'not hit'
  const second = (failOversMs ?? []).map(ms => `, the second gateway dialled after ${ms} ms`).join('')
  say(`${place} ${point.padEnd(48)} ${reason.padEnd(22)} ${dials} ATD  ${how}${second}`)
}

const nothing = { isHit: true, reason: '', dials: 0, recoveryMs: Number.NaN } as const
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Runs points from the queue in one house. A house that does not recover is replaced. */
async function workThrough(work: Work, place: number, bundles: Parameters<typeof startRealHouse>[0]) {
  const { kind, open, queue, stop, trials } = work
  let opening: Promise<RealHouse> | undefined
  const lastTrials: LastTrials = new Map()
  const closeHouse = async () => {
    if (!opening || !open.delete(opening)) return
    const house = await opening.catch(() => undefined)
    opening = undefined
    if (!house) return
    const violations = stop.aborted ? [] : await checkWhole(house)
    if (violations.length > 0)
      trials.push({ ...nothing, isHit: false, point: 'the whole life of a house', violations })
    await house.close()
  }
  for (let turn = 0; !stop.aborted; turn++) {
    const point = queue.next()
    if (!point) break
    let trial: Trial
    try {
      opening ??= startRealHouse(bundles, { ...size, kind })
      open.add(opening)
      trial = await tryIn(await opening, point, lastTrials, turn)
    } catch (error) {
      if (stop.aborted) break
      trial = { ...nothing, point: point.name, violations: [`not recovered: ${messageOf(error)}`] }
      await closeHouse()
    }
    trials.push(trial)
    queue.done(point, trial.isHit)
    tell(place, trial)
  }
  await closeHouse()
}

/** The points that can run on this machine, by the kind of house that they need. */
function sorted(
  chosen: readonly Point[],
  kind: 'clouds' | 'gateways' | undefined,
): ReadonlyMap<HouseKind, readonly Point[]> {
  if (kind === 'gateways') return new Map([[kind, chosen]])
  if (kind === 'clouds') {
    const why = whyNoPostgres()
    if (why !== undefined) throw new Error(`${why}, so there is no house of two clouds.`)
    if (withoutMosquitto) say(`${withoutMosquitto}: the broker lets everybody in, without TLS`)
    return new Map([[kind, chosen]])
  }
  const possible = fakeTimeLibrary() === undefined ? chosen.filter(point => !movesClock(point)) : chosen
  const skipped = chosen.length - possible.length
  if (skipped > 0)
    say(`skipped: ${skipped} points that move the wall clock, since libfaketime is not installed`)
  const isApart = (point: Point) => movesClock(point) || needsBrokerApart(point)
  return new Map([
    ['plain', possible.filter(point => !isApart(point))],
    ['apart', possible.filter(isApart)],
  ])
}

async function run(): Promise<number> {
  const { chosen, houses, kind, shows, times } = readArguments(process.argv.slice(2))
  if (shows !== undefined) {
    say(shows)
    return 0
  }
  const stop = new AbortController()
  const open = new Set<Promise<RealHouse>>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stop.abort()
      // Trials that are still waiting end with the process.
      void Promise.allSettled([...open].map(async house => (await house).close())).then(() =>
        process.exit(130),
      )
    })
  const startedMs = performance.now()
  const bundles = await chaosBundles(say)
  const byKind = sorted(chosen, kind)
  const trials: Trial[] = []
  for (const [kind, ofKind] of byKind) {
    const work = { kind, queue: trialQueue(ofKind, times), trials, open, stop: stop.signal }
    await Promise.all(Array.from({ length: houses }, (_, place) => workThrough(work, place + 1, bundles)))
  }
  const { isWell, lines } = summarise(
    [...byKind.values()].flat().map(({ name }) => name),
    trials,
    times,
  )
  for (const line of lines) say(line)
  say(`${((performance.now() - startedMs) / 60_000).toFixed(1)} minutes with ${houses} houses side by side`)
  return isWell && !stop.signal.aborted ? 0 : 1
}

try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
