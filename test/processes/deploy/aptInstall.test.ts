// The script that installs the gateway from the repository, with the real apt: whoever serves the repository, nothing is installed
// that the release key has not signed.

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signingKey } from '@callgate/contract/wire/signature'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { debOf } from '../../../deploy/pi/deb.ts'
import { aptLists } from '../../../deploy/release/aptRepository.ts'
import { installScript } from '../../../deploy/release/releaseParts.ts'

const key = signingKey(new Uint8Array(32).fill(7))
const stranger = signingKey(new Uint8Array(32).fill(8))
const seconds = 1_790_000_000
const folder = mkdtempSync(join(tmpdir(), 'callgate-apt-'))
const hasApt = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0

/** What the server answers, by path. It is that of a cloud that wants its own program on gateways. */
let served = new Map<string, Buffer>()
let server: Server
let address: string

beforeAll(async () => {
  server = createServer((request, response) => {
    const content = served.get(decodeURIComponent(request.url ?? '').replace(/^\//, ''))
    response.writeHead(content ? 200 : 404).end(content)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const place = server.address()
  address = `http://127.0.0.1:${typeof place === 'object' ? place?.port : ''}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

const packageOf = (description: string) =>
  debOf({
    control: {
      Package: 'callgate-gateway',
      Version: '1.0.0',
      Architecture: 'all',
      Maintainer: 'A test <test@callgate.invalid>',
      Description: description,
    },
    scripts: {},
    files: [],
    seconds,
    level: 1,
  })

/** A repository with one package, signed by this key. */
async function repositoryBy(signer: typeof key, description = 'of the release') {
  const deb = { name: 'callgate-gateway_1.0.0_all.deb', content: await packageOf(description) }
  const files = [deb, ...(await aptLists(signer, [deb], seconds))]
  return new Map(files.map(({ content, name }) => [name, content]))
}

/** Runs the script with an apt that has folders of its own, and a dpkg that notes what it is asked to unpack. */
async function install() {
  const place = mkdtempSync(join(folder, 'machine-'))
  const at = (...names: string[]) => join(place, ...names)
  for (const name of [
    'etc/apt.conf.d',
    'etc/preferences.d',
    'etc/sources.list.d',
    'state/lists/partial',
    'cache/archives/partial',
    'log',
    'tools',
  ])
    mkdirSync(at(name), { recursive: true })
  writeFileSync(at('state/status'), '')
  const tool = (name: string, text: string) =>
    writeFileSync(at('tools', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  tool('dpkg', `case $* in *--print* | --assert*) ;; *) echo "$@" >> ${at('unpacked')} ;; esac`)
  tool('callgate-gateway', `echo "$@" >> ${at('enrolled')}`)
  writeFileSync(
    at('apt.conf'),
    [
      `Dir::Etc "${at('etc')}"; Dir::State "${at('state')}"; Dir::State::status "${at('state/status')}";`,
      `Dir::Cache "${at('cache')}"; Dir::Log "${at('log')}"; Dir::Bin::dpkg "${at('tools/dpkg')}";`,
      'APT::Sandbox::User "root"; DPkg::Post-Invoke {}; APT::Update::Post-Invoke {}; Acquire::Retries "0";',
    ].join('\n'),
  )
  writeFileSync(at('install.sh'), await installScript(key))
  const env = {
    ...process.env,
    APT_CONFIG: at('apt.conf'),
    PATH: `${at('tools')}:${process.env['PATH']}`,
    LC_ALL: 'C',
  }
  const args = [at('install.sh'), address, 'CODE', '--cloud', 'https://gates.example.com']
  const child = spawn('sh', args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += chunk
    })
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  const read = (name: string) => spawnSync('cat', [at(name)], { encoding: 'utf8' }).stdout
  return {
    code,
    output,
    unpacked: read('unpacked'),
    enrolled: read('enrolled'),
    sources: readdirSync(at('etc/sources.list.d')),
  }
}

it('installs what the release key has signed, enrols, and leaves no source behind', async ({ skip }) => {
  if (!hasApt) return skip('apt is not here, or this is not root')
  served = await repositoryBy(key)
  const { code, enrolled, output, sources, unpacked } = await install()
  // The dpkg of this test reports nothing to apt.
  expect(output).not.toMatch(/^W: (?!APT had planned)/m)
  expect(code, output).toBe(0)
  expect(unpacked).toContain('--unpack')
  expect(unpacked).toContain('callgate-gateway_1.0.0_all.deb')
  expect(enrolled).toBe('enrol CODE --cloud https://gates.example.com\n')
  expect(sources).toEqual([])
})

const altered = (bytes: Buffer | undefined, from: string, to: string) =>
  Buffer.from((bytes ?? Buffer.from('')).toString('latin1').replace(from, to), 'latin1')

it.each<[string, () => Promise<Map<string, Buffer>>]>([
  ['by another key', () => repositoryBy(stranger, 'of a thief')],
  [
    'nothing, as its lists have no signature',
    async () => {
      const files = await repositoryBy(stranger, 'of a thief')
      for (const name of ['InRelease', 'Release.gpg']) files.delete(name)
      return files
    },
  ],
  [
    'another package than the one that is there',
    async () => {
      const files = await repositoryBy(key)
      return files.set('callgate-gateway_1.0.0_all.deb', await packageOf('of a thief'))
    },
  ],
  [
    'other lists than those that are there',
    async () => {
      const [files, other] = [await repositoryBy(key), await repositoryBy(stranger, 'of a thief')]
      for (const name of ['Packages', 'Packages.gz', 'callgate-gateway_1.0.0_all.deb'])
        files.set(name, other.get(name) ?? Buffer.alloc(0))
      return files
    },
  ],
  [
    'other words in its lists',
    async () => {
      const files = await repositoryBy(key)
      return files.set('InRelease', altered(files.get('InRelease'), 'Suite: /', 'Suite: .'))
    },
  ],
])('G5: installs nothing and enrols nowhere where the repository is signed %s', async (_what, make) => {
  if (!hasApt) return
  served = await make()
  const { code, enrolled, output, unpacked } = await install()
  expect(code, output).not.toBe(0)
  expect([unpacked, enrolled]).toEqual(['', ''])
})

it('holds the key of the release and no address', async () => {
  const script = await installScript(key)
  expect(script).toContain('\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n ')
  expect(script).not.toMatch(/https?:\/\/|@release-key@/)
  expect(script).not.toBe(await installScript(stranger))
  execFileSync('sh', ['-n'], { input: script })
  expect(readFileSync(new URL('../../../deploy/release/install.sh', import.meta.url), 'utf8')).toContain(
    'set -eu',
  )
})
