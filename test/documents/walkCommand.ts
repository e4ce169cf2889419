// The command `pnpm walk`: people walk through the documents word by word, on clean Debians.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fail, readOptions } from '../commandLine.ts'
import { releases } from './cleanRoot.ts'
import { makeFolder, removeAtEnd, removeEarlierWalks } from './leftovers.ts'
import { startMachines } from './machine.ts'
import { makeNetwork, type Network } from './network.ts'
import { walkPages } from './pagesWay.ts'
import { startPeople } from './people.ts'
import { substitutes } from './steps.ts'
import { makeAuthority, makeRelease, serveRepository, unpackSimulator } from './supplies.ts'
import { say } from './typing.ts'
import { browsersOf, type Share, walkWay } from './walker.ts'
import { second } from './ways/second.ts'
import { town } from './ways/town.ts'
import { upgrade } from './ways/upgrade.ts'
import type { Stage, Walk } from './ways/way.ts'

const walks: readonly Walk[] = [town, second, upgrade]
const names = [...walks.flatMap(({ ways }) => ways.map(({ name }) => name)), 'pages']

const help = `Usage: pnpm walk [--debian <numbers>] [--only <ways>]

People walk through the documents on clean Debians, which debootstrap makes and systemd-nspawn starts: they type the commands of
the blocks in the pages, and press what the dashboard shows in a browser. Each machine is in a network of its own. Prints each
command with its seconds, and at the end minutes, commands and presses of each person. A way ends at the first step that fails,
with its line in the page.

  cloud     from the package on an empty machine to an owner who signs in
  gateway   from the line of "Add gateway" on another machine to a gateway that is connected
  gate      the first gate, and its first opening
  guest     the first member, the magic link, an opening by it
  second    Postgres and Mosquitto on a third machine, a cloud, and a second one that joins and serves alone
  upgrade   cloud and gateway of commit cea78e9b, with data, to the packages of today
  pages     every block of the pages of cloud, broker and gateway, one after the other, in one Debian that is the checkout as well

A way begins where the one before it in the first group (cloud to guest) has ended, so these are walked, too.

What stands in for a modem, public authorities and answers of people is in test/documents: steps.ts and ways.
It wants root, debootstrap and systemd-container of Debian, Git with the history, the mirror of Debian and npm's registry. Fresh
systems and the programs of the earlier commit are kept in the folder for temporary files. Everything else is removed at the end,
also at Ctrl-C or SIGTERM; what a walk that was killed has left is removed by the next one.

  --debian <numbers>  ${Object.keys(releases).join(' and ')}, with a comma (12,13)
  --only <ways>       some of the ways, with commas; else all
  --release <folder>  the release that they install, as pnpm release has made it; else one of the last commit is made
  --help              prints this

Exit codes: 0 every step ended well; 1 one failed, or something is missing.
`
const options = readOptions(help, {
  debian: { type: 'string', default: Object.keys(releases).join(',') },
  only: { type: 'string', default: names.join(',') },
  release: { type: 'string' },
})
const debians = options.debian.split(',')
const only = options.only.split(',')
for (const number of debians)
  if (releases[number] === undefined) fail(`--debian must be of ${Object.keys(releases)}, not ${number}.`)
for (const name of only) if (!names.includes(name)) fail(`--only must be of ${names}, not ${name}.`)
if (process.getuid?.() !== 0) fail('pnpm walk makes Debians with debootstrap, which only root can do.')
for (const program of ['debootstrap', 'systemd-nspawn', 'nsenter', 'ip', 'openssl'])
  if (spawnSync('which', [program]).status !== 0)
    fail(`${program} is missing: apt install debootstrap systemd-container iproute2 openssl`)

/** What a person needs to read, find and type, beside the time of the machine: seconds for each command and each press. */
const pace = { command: 20, press: 5 }
const top = process.cwd()
removeEarlierWalks()
removeAtEnd()
const folder = makeFolder('files')
const authority = makeAuthority(folder)
let release = ''
let simulator = ''

interface Row extends Share {
  readonly debian: string
  readonly way: string
}
const rows: Row[] = []
const failures: string[] = []

const minutesOf = (seconds: number) => (seconds / 60).toFixed(1)
const withPerson = ({ commands, presses, seconds }: Share) =>
  seconds + commands * pace.command + presses * pace.press

/** Says why, and goes on with the next walk. */
function note(debian: string, what: string, error: unknown): void {
  const causes = error instanceof Error && error.cause !== undefined ? `\n${error.cause}` : ''
  const why = `Debian ${debian}, ${what}: ${error instanceof Error ? error.message : error}${causes}`
  say(`FAILED  ${why}`)
  failures.push(why.split('\n')[0] ?? why)
}

/** Walks the ways of one walk as far as they are wanted. */
async function walkOn(network: Network, debian: string, { machines, ways }: Walk): Promise<void> {
  const wanted = ways.slice(
    0,
    1 + Math.max(...ways.map(({ name }, place) => (only.includes(name) ? place : -1))),
  )
  if (wanted.length === 0) return
  const around = { network, authority: authority.certificate, hostNames: ['packages.example.com'] }
  const started = await startMachines({ ...around, debian: releases[debian] ?? '' }, machines)
  const { addresses } = started
  const people = await startPeople({ 'gates.example.com': addresses['gates'] ?? '' })
  const { roots } = started
  const browser = browsersOf(people)
  const stage: Stage = {
    top,
    authority,
    addresses,
    people,
    roots,
    browser,
    notes: new Map(),
    simulator,
    release,
  }
  let place = ''
  try {
    for (const way of wanted) {
      place = way.name
      say(`\nDebian ${debian}: ${way.name}`)
      for (const share of await walkWay(stage, way)) rows.push({ ...share, debian, way: way.name })
    }
  } catch (error) {
    note(debian, place, error)
  } finally {
    await people.close()
    await started.remove()
  }
}

async function walkPagesOn(network: Network, debian: string): Promise<void> {
  const around = { network, authority: authority.certificate, hostNames: [], debian: releases[debian] ?? '' }
  const started = await startMachines(around, { one: ['gates.example.com', 'broker.example.com'] })
  try {
    say(`\nDebian ${debian}: pages`)
    for (const { path, seconds } of await walkPages(started.roots.one, { proxy: network.proxy, top }))
      say(`${path} on Debian ${debian}: ${minutesOf(seconds)} minutes`)
  } catch (error) {
    note(debian, 'pages', error)
  } finally {
    await started.remove()
  }
}

function tell(): void {
  say('\nDebian  way      person     commands  presses  minutes of the machine  with the person')
  for (const row of rows) {
    const cells = [
      row.debian.padEnd(7),
      row.way.padEnd(8),
      row.who.padEnd(10),
      String(row.commands).padStart(8),
    ]
    say(
      [
        ...cells,
        String(row.presses).padStart(8),
        minutesOf(row.seconds).padStart(23),
        minutesOf(withPerson(row)).padStart(16),
      ].join(' '),
    )
  }
  say(
    `A person takes ${pace.command} s for each command and ${pace.press} s for each press, to read, find and type.`,
  )
  for (const debian of debians) {
    const first = rows.filter(row => row.debian === debian && ['cloud', 'gateway', 'gate'].includes(row.way))
    if (!first.some(({ way }) => way === 'gate')) continue
    const sum = (of: (share: Share) => number) =>
      minutesOf(first.map(of).reduce((one, other) => one + other, 0))
    say(
      `Debian ${debian}: from empty machines to an opened gate ${sum(withPerson)} minutes, ${sum(({ seconds }) => seconds)} of them the machine's.`,
    )
  }
  for (const failure of failures) say(`FAILED  ${failure}`)
}

for (const { text, by, why } of substitutes) say(`"${text.trim()}" is typed as "${by.trim()}": ${why}.`)
const network = await makeNetwork()
let endRepository = () => {}
try {
  if (only.some(name => name !== 'pages')) {
    if (options.release === undefined) say('Making the release of the last commit …')
    release = options.release ?? (await makeRelease(top, folder))
    simulator = await unpackSimulator(release, folder)
    endRepository = await serveRepository(folder, network.host, join(release, 'apt'))
  }
  for (const debian of debians) {
    for (const walk of walks) await walkOn(network, debian, walk)
    if (only.includes('pages')) await walkPagesOn(network, debian)
  }
  tell()
} catch (error) {
  note(options.debian, 'the walk', error)
} finally {
  endRepository()
  network.close()
}
if (failures.length > 0) process.exitCode = 1
