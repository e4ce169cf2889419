// The searches of `pnpm hunt`: the work of each in one portion, and how to replay its findings.

import { points } from '../../processes/chaos/points.ts'

/** One portion of a search, as a process. */
export interface Portion {
  /** The arguments of Node. */
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** The command that runs the same portion again. */
  readonly replay: string
}

export interface Search {
  readonly name: string
  /** Its share of the time, relative to the shares of the others. */
  readonly share: number
  /** The portion of a `seed`, a whole number from 1 to 99,999,999. */
  readonly portion: (seed: number) => Portion
}

const command = (file: string, ...options: readonly string[]) => ['--import', 'tsx', file, ...options]

/** A command of package.json with its options. */
function byCommand(name: string, file: string, ...options: readonly string[]): Portion {
  return { args: command(file, ...options), replay: `pnpm ${name} ${options.join(' ')}` }
}

/** A test that takes its seed and its size from the environment. */
function byTest(folder: string, name: string, seed: number, count: number): Portion {
  const environment = { [name]: `${seed}:${count}` }
  const vitest = ['run', '--config', 'test/vitest.config.ts', folder]
  return {
    args: ['node_modules/vitest/vitest.mjs', ...vitest],
    environment,
    replay: `${name}=${seed}:${count} npx vitest ${vitest.join(' ')}`,
  }
}

/** How many points of chaos one portion has; each takes some seconds. */
const pointsInPortion = 6

export const searches: readonly Search[] = [
  {
    name: 'house',
    share: 8,
    portion: seed =>
      byCommand(
        'house',
        'test/simulation/house/houseCommand.ts',
        ...['--processes', '1', '--from', `${seed}`, '--seeds', '200'],
      ),
  },
  {
    name: 'chaos',
    share: 4,
    portion(seed) {
      const chosen = Array.from({ length: pointsInPortion }, (_, place) => {
        const point = points[(seed + place * 7) % points.length]
        return ['--only', point?.name ?? '']
      })
      return byCommand('chaos', 'test/processes/chaos/chaosCommand.ts', '--houses', '1', ...chosen.flat())
    },
  },
  { name: 'requests', share: 3, portion: seed => byTest('test/api/fuzz', 'FUZZ', seed, 25_000) },
  { name: 'sequences', share: 3, portion: seed => byTest('test/api/sequences', 'SEQUENCES', seed, 2_500) },
  {
    name: 'attack',
    share: 2,
    portion: seed =>
      byCommand(
        'attack',
        'test/processes/attack/attackCommand.ts',
        ...['--requests', '20000', '--resets', '1000', '--seed', `${seed}`],
      ),
  },
  {
    name: 'truth',
    share: 2,
    portion: seed =>
      byCommand(
        'truth',
        'test/modem/truth/truthCommand.ts',
        ...['--from', `${seed % 1_000_000}`, '--seeds', '2'],
      ),
  },
  {
    name: 'parser',
    share: 1,
    portion: seed =>
      byCommand('parser', 'test/modem/parser/parserCommand.ts', ...['--bytes', '1e8', '--seed', `${seed}`]),
  },
]
