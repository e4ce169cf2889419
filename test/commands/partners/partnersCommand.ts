// The command `pnpm partners`: runs the programs of an earlier commit beside those of this checkout, and on each other's data.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { fail, readOptions } from '../../commandLine.ts'
import { startPostgres } from '../../postgres/postgresServer.ts'
import { startDemo } from '../../processes/endToEnd/demoProcess.ts'

const help = `Usage: pnpm partners --with <commit> [--on-postgres]

Builds the cloud and the gateway of the commit, and those of this checkout. Each cloud then serves each gateway, with an empty
database and with one that the earlier cloud has made, and opens a gate of the simulator. Afterwards this checkout checks the data.
It prints a line for each pair; deploy/release/README.md keeps them as a table. It takes some minutes.

  --with <commit>  the earlier commit or tag
  --on-postgres    with the data on a real Postgres from npm, and not on SQLite
  --help           prints this

Exit codes: 0 every pair has opened a gate that should; 1 one has not, or the command line is wrong.
`

const { with: commit, 'on-postgres': isOnPostgres } = readOptions(help, {
  with: { type: 'string' },
  'on-postgres': { type: 'boolean' },
})
if (commit === undefined) fail(`Name the earlier commit.\n\n${help}`)

const top = fileURLToPath(new URL('../../..', import.meta.url))
const say = (line: string) => process.stdout.write(`${line}\n`)
const folder = mkdtempSync(join(tmpdir(), 'callgate-partners-'))
/** The demo of the earlier commit runs the pairs: it knows the commands of both. */
const checkout = join(folder, 'earlier')

type Age = 'earlier' | 'today'
const parts = ['cloud', 'gateway'] as const
const builtOf = (age: Age) => join(folder, `${age}-bundles`)

/** Builds all bundles of a checkout. */
function build(place: string, age: Age): void {
  say(`Building ${age === 'today' ? 'this checkout' : commit} …`)
  const bundle = ['--import', 'tsx', 'deploy/bundle.ts', 'web', ...parts, '--to', builtOf(age)]
  execFileSync(process.execPath, bundle, { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] })
}

interface Pair {
  readonly cloud: Age
  readonly gateway: Age
  /** What the data is. */
  readonly data: string
  readonly dataFolder: string
}

/** The address of the Postgres of each data folder; none on SQLite. */
const addresses = new Map<string, string>()

/** Puts the cloud where the demo looks for it. The demo gives it no database, so a program of its own does. */
function placeCloud(age: Age, place: string, dataFolder: string): void {
  const url = addresses.get(dataFolder)
  const built = join(builtOf(age), 'cloud')
  if (url === undefined) {
    cpSync(built, place, { recursive: true })
    return
  }
  const program = pathToFileURL(join(built, 'callgate.mjs')).href
  const text = `process.env['DATABASE_URL'] = ${JSON.stringify(url)}\nawait import(${JSON.stringify(program)})\n`
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'callgate.mjs'), text)
}

/** Starts both, presses the first gate, and returns the answer, or why there was none. */
async function press({ cloud, dataFolder, gateway }: Pair): Promise<string> {
  for (const [name, age] of [
    ['cloud', cloud],
    ['gateway', gateway],
  ] as const) {
    const place = join(checkout, 'packages', name, 'dist')
    rmSync(place, { recursive: true, force: true })
    // Copied, so that they are newer than every source: otherwise the demo would build its own.
    if (name === 'cloud') placeCloud(age, place, dataFolder)
    else cpSync(join(builtOf(age), name), place, { recursive: true })
  }
  const demo = await startDemo({ checkout, dataFolder }).catch((error: unknown) => String(error))
  if (typeof demo === 'string') return demo
  try {
    const { body } = await demo.call('POST', `/api/v1/gates/${demo.ready.gates[0]?.id}/open`)
    const { gates } = await demo.truth()
    const { opened } = body as { readonly opened?: boolean }
    return opened === true ? `opened (${gates[0]?.relayCount})` : JSON.stringify(body)
  } finally {
    await demo.stop()
  }
}

/** What `callgate verify` of this checkout says of the data. */
function verify(dataFolder: string): string {
  const program = [join(builtOf('today'), 'cloud/callgate.mjs'), 'verify']
  const url = addresses.get(dataFolder)
  const env = { ...process.env, CALLGATE_DATA: dataFolder, ...(url !== undefined && { DATABASE_URL: url }) }
  const { status, stdout } = spawnSync(process.execPath, program, { env, encoding: 'utf8' })
  return status === 0 ? 'nothing wrong' : stdout.trim()
}

async function runPairs(): Promise<boolean> {
  const kept = join(folder, 'kept')
  const fresh = (name: string) => join(folder, name)
  const pairs: readonly Pair[] = [
    { cloud: 'today', gateway: 'earlier', data: 'empty', dataFolder: fresh('a') },
    { cloud: 'earlier', gateway: 'today', data: 'empty', dataFolder: fresh('b') },
    { cloud: 'earlier', gateway: 'earlier', data: 'empty', dataFolder: kept },
    { cloud: 'today', gateway: 'earlier', data: 'of the earlier cloud', dataFolder: kept },
    { cloud: 'today', gateway: 'today', data: 'of both', dataFolder: kept },
    { cloud: 'earlier', gateway: 'earlier', data: 'of this cloud, taken back', dataFolder: kept },
  ]
  const server = isOnPostgres ? await startPostgres() : undefined
  if (server)
    for (const dataFolder of new Set(pairs.map(pair => pair.dataFolder)))
      addresses.set(dataFolder, (await server.newDatabase(false)).url)
  let isRight = true
  for (const pair of pairs) {
    const answer = await press(pair)
    say(`cloud ${pair.cloud}, gateway ${pair.gateway}, data ${pair.data}: ${answer}`)
    if (pair.cloud === 'today') say(`  its data: ${verify(pair.dataFolder)}`)
    isRight &&= answer.startsWith('opened') || pair.data.endsWith('taken back')
  }
  await server?.stop()
  return isRight
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: top, stdio: 'pipe' })
try {
  git('worktree', 'add', '--detach', checkout, commit)
  say(`Installing what ${commit} needs …`)
  execFileSync('npx', ['-y', 'pnpm@10.34.9', 'install', '--frozen-lockfile'], {
    cwd: checkout,
    stdio: 'pipe',
  })
  build(checkout, 'earlier')
  build(top, 'today')
  if (!(await runPairs())) process.exitCode = 1
} finally {
  spawnSync('git', ['worktree', 'remove', '--force', checkout], { cwd: top })
  rmSync(folder, { recursive: true, force: true })
}
