// `pnpm chaos`: kills, stops, unplugs and cuts real processes at named points, and judges by the simulator's own log.

import { parseArgs } from 'node:util'
import { type Point, points } from './points.ts'
import { chaosBundles, type RealHouse, startRealHouse } from './realHouse.ts'
import { type Trial, tryPoint } from './trial.ts'

const help = `Usage: pnpm chaos [--times N] [--only NAME] [--houses N] [--list] [--help]

Runs houses of real processes on a fast network, and in each trial presses a gate, does one thing to one part at a named
moment, undoes it, waits for recovery, and holds the records against the simulator's own log.

Options:
  --times N     tries each point N times (1)
  --only NAME   only the points whose name contains this; may be repeated
  --houses N    so many houses side by side (2)
  --list        prints the points
  --help        shows this

Exit codes: 0 no violation and every point hit; 1 otherwise; 130 interrupted.`

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
      times: { type: 'string' },
      only: { type: 'string', multiple: true },
      houses: { type: 'string' },
      list: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const only = values.only ?? ['']
  const chosen = points.filter(({ name }) => only.some(part => name.includes(part)))
  if (chosen.length === 0) throw new Error('No point has such a name; see pnpm chaos --list.')
  return {
    chosen,
    times: wholeNumber('times', values.times, 1),
    houses: wholeNumber('houses', values.houses, 2),
    shows: values.help ? help : values.list ? chosen.map(({ name }) => name).join('\n') : undefined,
  }
}

interface Work {
  readonly queue: Point[]
  readonly trials: Trial[]
  /** Also those that are still being started. */
  readonly open: Set<Promise<RealHouse>>
  readonly stop: AbortSignal
}

/** A gate in turn whose number is not locked: after an unknown outcome a press would join for up to 100 s. */
function freeGate({ database, gates }: RealHouse, turn: number) {
  const locked = database.prepare('select 1 from "openings" where "lockedNumber" = ?')
  return gates
    .map((_, place) => gates[(turn + place) % gates.length])
    .find(gate => gate && !locked.get(gate.phoneNumber))
}

/** One house takes points from the queue; another takes its place when it does not recover. */
async function workThrough(
  { open, queue, stop, trials }: Work,
  place: number,
  bundles: Parameters<typeof startRealHouse>[0],
) {
  let opening: Promise<RealHouse> | undefined
  const closeHouse = async () => {
    if (!opening || !open.delete(opening)) return
    const house = await opening
    opening = undefined
    await house.close()
  }
  for (let turn = 0; !stop.aborted; turn++) {
    const point = queue.shift()
    if (!point) break
    opening ??= startRealHouse(bundles)
    open.add(opening)
    const house = await opening
    const gate = freeGate(house, turn)
    const apiKey = house.apiKeys[turn % house.apiKeys.length]
    if (!gate || !apiKey) throw new Error('the house has no gate or no key')
    try {
      const trial = await tryPoint(house, point, { gate, apiKey })
      trials.push(trial)
      const how = trial.violations.length > 0 ? trial.violations.join('; ') : trial.isHit ? 'fine' : 'not hit'
      say(`${place} ${point.name.padEnd(36)} ${trial.reason.padEnd(22)} ${trial.dials} ATD  ${how}`)
    } catch (error) {
      if (stop.aborted) break
      const violations = [`not recovered: ${error instanceof Error ? error.message : String(error)}`]
      trials.push({
        point: point.name,
        isHit: true,
        violations,
        reason: '',
        dials: 0,
        recoveryMs: Number.NaN,
      })
      say(`${place} ${point.name.padEnd(36)} ${violations[0]}`)
      await closeHouse()
    }
  }
  await closeHouse()
}

function tally(reasons: readonly string[]): string {
  const names = [...new Set(reasons)]
  return names.map(name => `${name} ${reasons.filter(reason => reason === name).length}`).join(', ')
}

/** The table; whether all is well. */
function summarise(chosen: readonly Point[], trials: readonly Trial[]): boolean {
  say(`\n${'point'.padEnd(36)} tried  hit  bad  slowest  outcomes`)
  let isWell = true
  for (const { name } of chosen) {
    const own = trials.filter(trial => trial.point === name)
    const hits = own.filter(trial => trial.isHit).length
    const bad = own.filter(trial => trial.violations.length > 0).length
    if (hits === 0 || bad > 0) isWell = false
    const slowestS = (Math.max(0, ...own.map(trial => trial.recoveryMs)) / 1000).toFixed(1)
    const figures = `${String(own.length).padStart(5)} ${String(hits).padStart(4)} ${String(bad).padStart(4)} ${slowestS.padStart(7)}s`
    say(`${name.padEnd(36)} ${figures}  ${tally(own.map(trial => trial.reason))}`)
  }
  const bad = trials.filter(trial => trial.violations.length > 0)
  say(`\n${trials.length} trials of ${chosen.length} points, ${bad.length} with violations`)
  for (const trial of bad) say(`  ${trial.point}: ${trial.violations.join('; ')}`)
  return isWell
}

async function run(): Promise<number> {
  const { chosen, houses, shows, times } = readArguments(process.argv.slice(2))
  if (shows !== undefined) {
    say(shows)
    return 0
  }
  const stop = new AbortController()
  const open = new Set<Promise<RealHouse>>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stop.abort()
      // Trials that wait for what will not come any more end with the process.
      void Promise.allSettled([...open].map(async house => (await house).close())).then(() =>
        process.exit(130),
      )
    })
  const queue = Array.from({ length: times }, () => chosen).flat()
  const work = { queue, trials: [], open, stop: stop.signal }
  const bundles = await chaosBundles(say)
  await Promise.all(Array.from({ length: houses }, (_, place) => workThrough(work, place + 1, bundles)))
  return summarise(chosen, work.trials) && !stop.signal.aborted ? 0 : 1
}

try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
