// `pnpm release`: makes everything of a version into one folder, signed by the release key.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { readKeyFile } from '../../packages/gateway/src/keyFile.ts'
import { version } from '../../packages/world/src/version.ts'
import { commandLine } from '../pi/commandLine.ts'
import { secondsOf } from '../pi/gatewayPackage.ts'
import { type Architecture, architectures } from '../pi/nodeBinaries.ts'
import { readReleaseKeys } from '../pi/releaseKeys.ts'
import { fingerprintOf } from './openpgp.ts'
import { whyNoRelease } from './readiness.ts'
import {
  addChecksums,
  installScript,
  makeAptLists,
  makeBundles,
  makeClouds,
  makeGateways,
  packBundles,
  type Release,
} from './releaseParts.ts'

const usage = `Usage: release --key FILE [--to FOLDER] [--architectures LIST] [--release-keys FILE]

Makes a release of the version in package.json: the packages of the gateway and the cloud, a repository for apt, the clients for
TypeScript and Python, bundles, lists of libraries and signed checksums. The sources must be committed, and deploy/CHANGELOG.md must have an entry
for the version.

  --key FILE             the private release key, as "release:pi keygen" makes it
  --to FOLDER            where to, replacing its content; else release, at the top of the checkout
  --architectures LIST   of the gateway; else ${architectures.join(',')}
  --release-keys FILE    the public keys that packages pin, one or two, a line each; else that of --key
`

const top = join(import.meta.dirname, '../..')
const { positionals, values } = commandLine(
  {
    key: { type: 'string' },
    to: { type: 'string', default: join(top, 'release') },
    architectures: { type: 'string', default: architectures.join(',') },
    'release-keys': { type: 'string' },
  },
  usage,
)
const say = (line: string) => process.stdout.write(`${line}\n`)

const git = async (...args: string[]) => (await promisify(execFile)('git', args, { cwd: top })).stdout.trim()

function named(list: string): readonly Architecture[] {
  const names = list.split(',')
  const unknown = names.find(name => !architectures.some(one => one === name))
  if (unknown !== undefined)
    throw new Error(`there is no gateway for ${unknown}: ${architectures.join(', ')}`)
  return architectures.filter(one => names.includes(one))
}

/** Reads everything that is given, before minutes are spent. */
async function prepare(keyFile: string): Promise<Omit<Release, 'folder' | 'scratch'>> {
  const own = await readKeyFile(keyFile)
  if (!own.ok) throw new Error(own.message)
  const { key } = own
  const keysFile = values['release-keys']
  const releaseKeys = keysFile === undefined ? `${key.publicKey}\n` : await readReleaseKeys(keysFile)
  if (!releaseKeys.split('\n').includes(key.publicKey))
    throw new Error(`the public half of ${keyFile} is not in ${keysFile}: gateways would refuse this release`)
  const changes = await git('status', '--porcelain').catch(() => {
    throw new Error('this is no checkout of git, so nobody could tell what the release was made of')
  })
  const changelog = await readFile(join(top, 'deploy/CHANGELOG.md'), 'utf8')
  const why = whyNoRelease({ version, changelog, changes })
  if (why !== undefined) throw new Error(why)
  const committedAt = await git('log', '-1', '--format=%ct')
  const seconds = secondsOf({ SOURCE_DATE_EPOCH: committedAt, ...process.env })
  return { top, key, releaseKeys, architectures: named(values.architectures), seconds }
}

/** Makes the release beside its place, and moves it there once it is whole. */
async function make(keyFile: string, to: string): Promise<void> {
  const given = await prepare(keyFile)
  const scratch = await mkdtemp(join(tmpdir(), 'callgate-release-'))
  const folder = `${to}.${process.pid}`
  const release = { ...given, folder, scratch }
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['bundles of the cloud, the simulator and the clients', () => makeBundles(release)],
    ['their archives', () => packBundles(release)],
    [`packages of the gateway: ${release.architectures.join(', ')}`, () => makeGateways(release)],
    ['packages of the cloud', () => makeClouds(release)],
    ['the repository for apt', () => makeAptLists(release)],
    ['the changelog', () => cp(join(top, 'deploy/CHANGELOG.md'), join(folder, 'CHANGELOG.md'))],
    ['checksums', () => addChecksums(release)],
  ]
  try {
    await mkdir(folder, { recursive: true })
    for (const [place, [name, work]] of steps.entries()) {
      say(`${place + 1}/${steps.length} ${name}`)
      await work()
    }
    await rm(to, { recursive: true, force: true })
    await rename(folder, to)
  } finally {
    await rm(scratch, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  }
  const script = createHash('sha256').update(await installScript(release.key))
  say(`Callgate ${version} is in ${to}. To publish where the files do not come from:`)
  say(`  the fingerprint of the release key: ${fingerprintOf(release.key)}`)
  say(`  the SHA-256 of apt/install.sh:      ${script.digest('hex')}`)
}

if (values.key === undefined || positionals.length > 0) {
  process.stderr.write(usage)
  process.exitCode = 1
} else
  await make(values.key, resolve(values.to)).catch((error: unknown) => {
    process.stderr.write(`No release: ${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  })
