// The command `pnpm nodes`: runs the test command with other versions of Node, each in a fresh clone.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fail, readOptions } from '../../commandLine.ts'

const help = `Usage: pnpm nodes [--only <version>]

Runs the README's test command with Node 22, 24 and 26. For each it clones the last commit into a temporary folder, takes that
Node from the npm registry, and names it by CALLGATE_NODE. The tests print the version of Node that they run on, and fail if
it is another. It takes some 4 minutes for each version on two cores. It runs on Linux, on x64 and arm64.

  --only <version>  only this one, as npm understands versions: 22, or 26.10.0; may be repeated
  --help            prints this

Exit codes: 0 all tests passed on each version; 1 some failed, or the command line is wrong.
`

const { only } = readOptions(help, { only: { type: 'string', multiple: true, default: [] } })
const wrong = only.find(version => !/^\d+(\.\d+){0,2}$/.test(version))
if (wrong !== undefined) fail(`--only must be a version such as 22 or 26.10.0, not ${wrong}.`)
const versions = only.length > 0 ? only : ['22', '24', '26']
const say = (line: string) => process.stdout.write(`${line}\n`)

/** The environment outside of a script. pnpm's additions to it would prevent the clone from installing its own packages. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:npm|pnpm)_/i.test(name))
  const places = (process.env['PATH'] ?? '').split(delimiter)
  const path = places.filter(place => !place.includes('node_modules')).join(delimiter)
  return { ...Object.fromEntries(own), PATH: path }
}
const environment = plainEnvironment()

/** Gets Node of that version from the npm registry; returns the path of its program. */
function fetchNode(version: string, folder: string): string {
  const name = `node-linux-${process.arch}@${version}`
  const packed = execFileSync('npm', ['pack', '--silent', name, '--pack-destination', folder], {
    encoding: 'utf8',
    env: environment,
  })
  // A range has several versions; npm packs them in order.
  const file = packed.trim().split('\n').at(-1) ?? ''
  execFileSync('tar', ['-xzf', join(folder, file), '-C', folder])
  return join(folder, 'package/bin/node')
}

let failed = 0
for (const version of versions) {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-node-'))
  try {
    const node = fetchNode(version, folder)
    const clone = join(folder, 'callgate')
    execFileSync('git', ['clone', '--quiet', process.cwd(), clone])
    const startMs = performance.now()
    const { status } = spawnSync('npx', ['-y', 'pnpm@10.34.9', 'test'], {
      cwd: clone,
      env: { ...environment, CALLGATE_NODE: node },
      stdio: 'inherit',
    })
    const seconds = Math.round((performance.now() - startMs) / 1_000)
    const told = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
    say(`Node ${told}: ${status === 0 ? 'all tests passed' : 'FAILED'}, ${seconds} s with the installation`)
    if (status !== 0) failed++
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
process.exitCode = failed === 0 ? 0 : 1
