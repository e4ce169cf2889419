// The command `pnpm docs:try`: walks the pages of `deploy` word by word in a clean Debian.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, readOptions } from '../commandLine.ts'
import { type Block, blocksOf, commandsOf } from './blocks.ts'
import { type CleanRoot, startCleanRoot } from './cleanRoot.ts'
import { asTyped, type Page, pages, type Step, type StepLocation, stepOf, substitutes } from './steps.ts'

const help = `Usage: pnpm docs:try [--release <name>]

Makes a clean Debian with debootstrap, starts it with systemd-nspawn, and types every shell command of the pages of the
cloud, the broker and the gateway in it, in their order, and the commands that their sentences name. Prints each command with its seconds, and ends at the first that
fails, with its line. The checkout is a clone of the last commit. Blocks that cannot run there, and what stands in for
names and hosts, are in test/documents/steps.ts.

It wants root, debootstrap and systemd-container of Debian, the mirror of Debian, and npm's registry. The root shares the
network of this machine: the ports 80, 443, 1883, 8080, 8883 and 9464 have to be free. The fresh system is kept in the
folder for temporary files, 350 MB for each release.

  --release <name>  bookworm or trixie (bookworm)
  --help            prints this

Exit codes: 0 every command ended well; 1 one failed, or something is missing.
`
const releases = ['bookworm', 'trixie']
const options = readOptions(help, { release: { type: 'string', default: 'bookworm' } })
if (!releases.includes(options.release))
  fail(`--release must be ${releases.join(' or ')}, not ${options.release}.`)
if (process.getuid?.() !== 0) fail('pnpm docs:try makes a Debian with debootstrap, which only root can do.')
for (const program of ['debootstrap', 'systemd-nspawn', 'nsenter'])
  if (spawnSync('which', [program]).status !== 0)
    fail(`${program} is missing: apt install debootstrap systemd-container`)

const say = (text: string) => process.stdout.write(`${text}\n`)
const top = process.cwd()
const searched = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const own = '/opt/try/bin'
const authorities = '/opt/try/authorities.pem'
const homes: Record<StepLocation, string> = { checkout: '$HOME/callgate', machine: '$HOME' }

/** A copy within the root replaces the one over the network. */
const scp = `#!/bin/sh
more=
[ "$1" = -r ] && { shift; more=-r; }
from=\${1#root@*:}
case $2 in root@*:) to=~/ ;; *) to=\${2#root@*:} ;; esac
exec cp $more "$from" "$to"
`

/** The root is also the builder's machine: it gets a clone, this Node, and npm from its registry. */
function prepare({ folder, run }: CleanRoot) {
  execFileSync('git', ['clone', '--quiet', top, join(folder, 'root/callgate')])
  const place = join(folder, own)
  mkdirSync(place, { recursive: true })
  execFileSync('cp', [process.execPath, join(place, 'node')])
  const packed = execFileSync('npm', ['pack', '--silent', 'npm@11', '--pack-destination', place], {
    encoding: 'utf8',
  })
  execFileSync('tar', ['-xzf', join(place, packed.trim()), '-C', place])
  for (const name of ['npm', 'npx'])
    execFileSync('ln', ['-s', `../bin/package/bin/${name}-cli.js`, join(place, name)])
  // Where this machine has an authority of its own between itself and the registry, the checkout trusts that as well.
  const trusted = process.env['NODE_EXTRA_CA_CERTS']
  writeFileSync(join(folder, authorities), trusted === undefined ? '' : readFileSync(trusted))
  mkdirSync(join(folder, 'opt/try/network'))
  writeFileSync(join(folder, 'opt/try/network/scp'), scp, { mode: 0o755 })
  run('echo "127.0.0.1 $(hostname) gates.example.com broker.example.com" >> /etc/hosts')
}

/** Types one text, in the folder where the one before ended. */
function type(root: CleanRoot, place: StepLocation, text: string) {
  const at = `/opt/try/${place}`
  const environment =
    place === 'checkout'
      ? `PATH=/opt/try/network:${own}:${searched}; export NODE_EXTRA_CA_CERTS=${authorities}`
      : `PATH=/opt/try/network:${searched}`
  return root.run(
    `${environment}\ncd "$(cat ${at} 2>/dev/null || echo ${homes[place]})" || exit\ntrap 'pwd > ${at}' EXIT\n${text}\n`,
  )
}

let sum = 0
function tryText(root: CleanRoot, place: StepLocation, where: string, text: string) {
  const startMs = performance.now()
  const { status, output } = type(root, place, text)
  const seconds = (performance.now() - startMs) / 1_000
  sum += seconds
  say(
    `${where}  ${seconds.toFixed(1).padStart(6)} s  ${status === 0 ? 'ok' : 'FAILED'}  ${text.trim().split('\n').join('\n      ')}`,
  )
  if (status === 0) return
  throw new Error(
    `${where} fails in a clean Debian ${options.release} (exit code ${status}):\n${text}\n${output.slice(-4_000)}`,
  )
}

function tryBlock(root: CleanRoot, page: Page, block: Block, step: Step | undefined) {
  const where = (line: number) => `${page.path}:${line}`
  if (step?.without !== undefined) return say(`${where(block.line)}  left out: ${step.without}`)
  const place = step?.place ?? 'machine'
  if (step?.before !== undefined) tryText(root, place, `${where(block.line)}, before`, step.before)
  if (step?.file !== undefined) {
    writeFileSync(join(root.folder, step.file), `${asTyped(block.text)}\n`)
    say(`${where(block.line)}  written to ${step.file}`)
  } else for (const { line, text } of commandsOf(block)) tryText(root, place, where(line), asTyped(text))
  if (step?.holds !== undefined) tryText(root, place, `${where(block.line)}, afterwards`, step.holds)
}

function tryPage(root: CleanRoot, page: Page) {
  sum = 0
  if (page.has !== undefined) root.run(page.has)
  for (const place of Object.keys(homes)) root.run(`rm -f /opt/try/${place}`)
  for (const block of blocksOf(readFileSync(join(top, page.path), 'utf8'))) {
    const step = stepOf(page, block)
    if (block.language === 'sh' || step !== undefined) tryBlock(root, page, block, step)
  }
  for (const { command, typed = command } of page.said ?? [])
    tryText(root, 'machine', `${page.path}, "${command}"`, typed)
  say(`${page.path} on ${options.release}: ${(sum / 60).toFixed(1)} minutes\n`)
}

for (const { text, by, why } of substitutes) say(`"${text.trim()}" is typed as "${by.trim()}": ${why}.`)
// Ctrl-C ends the running command, and the root is removed.
process.on('SIGINT', () => {})
const root = await startCleanRoot(options.release)
try {
  prepare(root)
  for (const page of pages) tryPage(root, page)
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  await root.remove()
}
