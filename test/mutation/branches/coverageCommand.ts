// The command `pnpm coverage`: every branch of the cores, the verdict, the journal and the wires is taken, or explained.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countBranches, type FileReport, wrongLines } from './branches.ts'

const root = join(import.meta.dirname, '../../..')
const packages = join(root, 'packages')
const say = (text: string) => process.stdout.write(`${text}\n`)

const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const config = join(import.meta.dirname, 'coverage.config.ts')
const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', config], {
  cwd: root,
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)

const reports: Record<string, FileReport> = JSON.parse(
  readFileSync(join(root, 'coverage/coverage-final.json'), 'utf8'),
)
// All sources, measured or not: a marker in a file that is not measured explains nothing.
const paths = readdirSync(packages)
  .map(name => join(name, 'src'))
  .filter(folder => existsSync(join(packages, folder)))
  .flatMap(folder =>
    readdirSync(join(packages, folder), { recursive: true, encoding: 'utf8' }).map(path =>
      join(folder, path),
    ),
  )
  .filter(path => path.endsWith('.ts'))
const wrong = paths.flatMap(path => {
  const file = join(packages, path)
  return wrongLines(path, readFileSync(file, 'utf8'), reports[file])
})
for (const line of wrong) say(line)
const counts = Object.values(reports).map(countBranches)
const sum = (of: 'all' | 'taken') => counts.reduce((total, count) => total + count[of], 0)
say(`${sum('taken')} of ${sum('all')} branches taken; ${wrong.length} lines wrong`)
process.exit(wrong.length > 0 ? 1 : 0)
