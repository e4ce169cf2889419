// The command `pnpm coverage`: every branch of the cores, the verdict, the journal and the wires is taken, or explained.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { countBranches, type FileReport, missingLines, unexplained } from './branches.ts'
import { explained } from './explained.ts'

const root = join(import.meta.dirname, '../../..')
const say = (text: string) => process.stdout.write(`${text}\n`)

const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const config = join(import.meta.dirname, 'coverage.config.ts')
const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', config], {
  cwd: root,
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)

const report: Record<string, FileReport> = JSON.parse(
  readFileSync(join(root, 'coverage/coverage-final.json'), 'utf8'),
)
const files = Object.values(report)
const missing = Object.fromEntries(
  files.map(file => [
    relative(join(root, 'packages'), file.path),
    missingLines(file, readFileSync(file.path, 'utf8')),
  ]),
)
const counts = files.map(countBranches)
const sum = (of: 'all' | 'taken') => counts.reduce((total, count) => total + count[of], 0)
const wrong = unexplained(missing, explained)
for (const line of wrong) say(line)
const lines = Object.values(missing).flat().length
say(
  `${sum('taken')} of ${sum('all')} branches taken; ${lines} lines with others, ${wrong.length} of them wrong`,
)
process.exit(wrong.length > 0 ? 1 : 0)
