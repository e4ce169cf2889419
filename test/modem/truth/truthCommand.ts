// The command `pnpm truth`: runs the truth matrix over any number of seeds, and prints all false reports.

import { writeFileSync } from 'node:fs'
import { type ModelName, modelNames } from '@callgate/simulator/core/model'
import { fail, readOptions } from '../../commandLine.ts'
import { recordCalls, recordedFile } from '../sandbox/recordedCalls.ts'
import { pageModels, truthMatrix } from './calls.ts'
import { distinguish, falseReports } from './criteria.ts'
import { pageFile, pageSeeds, truthPage } from './truthPage.ts'

const help = `Usage: pnpm truth [--seeds <number>] [--from <seed>] [--model <name>]... [--faults] [--page] [--write]

Calls every far end of the simulator in every call mode on models of modems, in simulated time, and compares what the gate's
relay did with what the driver reports. A report is false when it says that a gate opened that did not, or that a gate did
not open that did. A wrong "certain" counts in every call mode, a wrong "likely" in mode ring and in the mode that fits the
far end.

  --seeds <number>  how many seeds (${pageSeeds}); some 2 s each
  --from <seed>     the first seed (1)
  --model <name>    a model, or all; may be repeated (${pageModels.join(', ')})
  --faults          with each fault that a model has of its own, in place of a healthy modem
  --page            prints the whole matrix as Markdown
  --write           writes it to packages/simulator/docs/truth-matrix.md, always with ${pageSeeds} seeds; and the calls that a
                    sandbox plays to packages/cloud/src/sandbox/core/recordedCalls.json
  --help            prints this

Exit codes: 0 no false report; 1 a false report, or a wrong command line.

Example: pnpm truth --seeds 20
`

const options = readOptions(help, {
  seeds: { type: 'string', default: String(pageSeeds) },
  from: { type: 'string', default: '1' },
  model: { type: 'string', multiple: true, default: [...pageModels] },
  faults: { type: 'boolean', default: false },
  page: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
})
if (!/^[1-9]\d{0,3}$/.test(options.seeds)) fail('--seeds must be a whole number from 1 to 9999.')
if (!/^[1-9]\d{0,8}$/.test(options.from)) fail('--from must be a whole number from 1.')
const seeds = Number(options.seeds)
const from = Number(options.from)
if (options.write && (seeds !== pageSeeds || from !== 1))
  fail(`The page has ${pageSeeds} seeds from 1: --write goes without --seeds and --from.`)
const isModelName = (name: string): name is ModelName => modelNames.some(known => known === name)
const wanted = options.model.includes('all') ? modelNames.filter(name => name !== 'listless') : options.model
const models = wanted.filter(isModelName)
if (models.length < wanted.length) fail(`--model must be all, or one of ${modelNames.join(', ')}.`)
if (models.includes('listless')) fail('The model listless lists no calls, so the driver never calls with it.')
const isOfPage = models.join() === pageModels.join() && !options.faults
if ((options.write || options.page) && !isOfPage)
  fail('The page has its own models, healthy: --page and --write go without --model and --faults.')
const calls = await truthMatrix({ seeds, from, models, withFaults: options.faults })
const wrong = falseReports(calls)
const { distinct, missed, right } = distinguish(calls)
if (options.write) {
  writeFileSync(pageFile, truthPage(calls))
  writeFileSync(recordedFile, `${JSON.stringify(await recordCalls(), undefined, 2)}\n`)
}
if (options.page) process.stdout.write(truthPage(calls))
else {
  const lines = [
    ...wrong.map(
      ({ model, faults, farEnd, hasMoved, mode, seed, verdict }) =>
        `FALSE  ${[model, ...faults].join(' ')} ${farEnd} ${mode}, seed ${seed}: the relay ${hasMoved ? 'moved' : 'did not move'}, reported ${verdict.status}, ${verdict.confidence} (${verdict.reason})`,
    ),
    ...missed.map(name => `missed ${name}`),
    `${calls.length} calls, ${wrong.length} reported falsely; ${right} of ${distinct} far ends with distinct traces distinguished, ${((100 * right) / distinct).toFixed(1)} %`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
if (wrong.length > 0) process.exitCode = 1
