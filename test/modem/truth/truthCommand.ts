// The command `pnpm truth`: runs the truth matrix over as many seeds as wanted, and says what was reported falsely.

import { writeFileSync } from 'node:fs'
import { fail, readOptions } from '../../commandLine.ts'
import { truthMatrix } from './calls.ts'
import { falseReports, toldApart } from './judgement.ts'
import { pageFile, pageSeeds, truthPage } from './truthPage.ts'

const help = `Usage: pnpm truth [--seeds <number>] [--page] [--write]

Calls every far end of the simulator in every call mode on every family of modems, in fake time, and compares what the
relay did with what was reported. Exits with 1 if an opening was reported that was not, or none that was: for certain
in any mode, likely in mode ring and in the mode that fits the far end.

  --seeds <number>  so many seeds, from 1 (${pageSeeds}); some 2 s each
  --page            print the whole matrix, as Markdown
  --write           write it to packages/simulator/docs/truth-matrix.md, which has ${pageSeeds} seeds
  --help            this

Example: pnpm truth --seeds 20
`

const options = readOptions(help, {
  seeds: { type: 'string', default: String(pageSeeds) },
  page: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
})
if (!/^[1-9]\d{0,3}$/.test(options.seeds)) fail('--seeds must be a whole number from 1 to 9999.')
const seeds = Number(options.seeds)
if (options.write && seeds !== pageSeeds)
  fail(`The page has ${pageSeeds} seeds: --write goes without --seeds.`)
const calls = await truthMatrix(seeds)
const wrong = falseReports(calls)
const { distinct, missed, told } = toldApart(calls)
if (options.write) writeFileSync(pageFile, truthPage(calls))
if (options.page) process.stdout.write(truthPage(calls))
else {
  const lines = [
    ...wrong.map(
      ({ family, farEnd, hasMoved, mode, seed, verdict }) =>
        `FALSE  ${family} ${farEnd} ${mode}, seed ${seed}: the relay ${hasMoved ? 'moved' : 'did not move'}, reported ${verdict.status}, ${verdict.confidence} (${verdict.reason})`,
    ),
    ...missed.map(name => `missed ${name}`),
    `${calls.length} calls, ${wrong.length} reported falsely; ${told} of ${distinct} far ends with traces of their own told apart, ${((100 * told) / distinct).toFixed(1)} %`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
if (wrong.length > 0) process.exitCode = 1
