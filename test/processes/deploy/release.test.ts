// The release: when it is refused, its repository for apt, its signatures, and the same bytes twice.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { signingKey } from '@callgate/contract/wire/signature'
import { version } from '@callgate/world/version'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { debOf } from '../../../deploy/pi/deb.ts'
import {
  detachedSignature,
  fingerprintOf,
  publicKeyBlock,
  signedText,
} from '../../../deploy/release/openpgp.ts'
import { whyNoRelease } from '../../../deploy/release/readiness.ts'
import {
  addChecksums,
  makeAptLists,
  makeBundles,
  packBundles,
  type Release,
} from '../../../deploy/release/releaseParts.ts'
import { pythonVersion } from '../../../deploy/version.ts'

const top = fileURLToPath(new URL('../../..', import.meta.url))
const key = signingKey(new Uint8Array(32).fill(7))
const stranger = signingKey(new Uint8Array(32).fill(8))
const seconds = 1_790_000_000
const hasGpg = spawnSync('gpgv', ['--version']).status === 0

const folder = mkdtempSync(join(tmpdir(), 'callgate-release-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A package with no more than its control file. */
const deb = (name: string, architecture: string) =>
  debOf({
    control: { Package: name, Version: '1.0.0', Architecture: architecture, Description: 'of a test' },
    scripts: {},
    files: [],
    seconds,
    level: 1,
  })

/** The parts that take seconds, made into a folder of this name. */
async function make(name: string): Promise<Release> {
  const release = { top, folder: join(folder, name), scratch: join(folder, `${name}.scratch`), key }
  const whole = { ...release, releaseKeys: `${key.publicKey}\n`, architectures: [], seconds }
  mkdirSync(join(whole.folder, 'apt'), { recursive: true })
  await makeBundles(whole)
  await packBundles(whole)
  for (const architecture of ['arm64', 'amd64'])
    writeFileSync(join(whole.folder, `apt/a_1.0.0_${architecture}.deb`), await deb('a', architecture))
  await makeAptLists(whole)
  await addChecksums(whole)
  return whole
}

describe('a release', () => {
  let first: Release
  beforeAll(async () => {
    first = await make('first')
  })
  const read = (name: string) => readFileSync(join(first.folder, name), 'utf8')

  it('has the same bytes twice', async () => {
    const second = await make('second')
    const namesOf = (made: Release) => readdirSync(made.folder, { recursive: true }).sort()
    expect(namesOf(second)).toEqual(namesOf(first))
    expect(namesOf(first)).toEqual(
      expect.arrayContaining([
        `callgate-client-${version}.tgz`,
        `callgate-cloud-${version}.cdx.json`,
        `callgate-${pythonVersion}-py3-none-any.whl`,
        'apt/InRelease',
      ]),
    )
    expect(readFileSync(join(second.folder, 'SHA256SUMS'), 'utf8')).toBe(read('SHA256SUMS'))
    expect(readFileSync(join(second.folder, 'SHA256SUMS.asc'), 'utf8')).toBe(read('SHA256SUMS.asc'))
  })

  it('has checksums of every file, which sha256sum checks', () => {
    execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: first.folder })
    const unlisted = ['SHA256SUMS', 'SHA256SUMS.asc', 'release-key.asc']
    const files = readdirSync(first.folder, { recursive: true, withFileTypes: true }).filter(one =>
      one.isFile(),
    )
    expect(read('SHA256SUMS').trim().split('\n').length).toBe(files.length - unlisted.length)
  })

  it('lists each package for apt with its size and its hash', () => {
    const [amd64, arm64] = read('apt/Packages').split('\n\n')
    expect(amd64).toMatch(/^Package: a\nVersion: 1\.0\.0\nArchitecture: amd64\n/)
    expect(amd64).toMatch(/\nFilename: a_1\.0\.0_amd64\.deb\nSize: \d+\nSHA256: [0-9a-f]{64}$/)
    expect(arm64).toContain('Architecture: arm64\n')
    expect(read('apt/Release')).toMatch(/^Date: \w{3}, \d\d \w{3} 2026 \d\d:\d\d:\d\d UTC$/m)
    expect(read('apt/InRelease')).toContain(read('apt/Release').trim())
  })

  it('installs its client with npm', () => {
    const place = join(folder, 'npm')
    mkdirSync(place)
    writeFileSync(join(place, 'package.json'), '{}')
    const file = join(first.folder, `callgate-client-${version}.tgz`)
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', file], {
      cwd: place,
      stdio: 'pipe',
    })
    const program = "import('callgate-client').then(({ createClient }) => console.log(typeof createClient))"
    expect(execFileSync(process.execPath, ['-e', program], { cwd: place, encoding: 'utf8' })).toBe(
      'function\n',
    )
  })
})

describe('a signature', () => {
  /** Whether gpg takes the file for one that this key has signed. */
  function isSigned(block: string, signature: string, content?: string): boolean {
    const place = mkdtempSync(join(folder, 'gpg-'))
    const path = (name: string) => join(place, name)
    writeFileSync(path('key.asc'), block)
    execFileSync('gpg', [
      '--homedir',
      place,
      '--batch',
      '--quiet',
      '--dearmor',
      '--output',
      path('key.gpg'),
      path('key.asc'),
    ])
    writeFileSync(path('signature'), signature)
    const files = [path('signature')]
    if (content !== undefined) {
      writeFileSync(path('content'), content)
      files.push(path('content'))
    }
    return spawnSync('gpgv', ['--keyring', path('key.gpg'), ...files]).status === 0
  }
  const block = publicKeyBlock(key)

  it('is taken by gpg from the release key alone, and for the same bytes alone', ({ skip }) => {
    if (!hasGpg) return skip('gpg is not installed')
    const text = 'Origin: Callgate\nSHA256:\n 0 1 Packages\n'
    const detached = detachedSignature(key, Buffer.from(text), seconds)
    expect(isSigned(block, detached, text)).toBe(true)
    expect(isSigned(block, detached, text.replace('0 1', '0 2'))).toBe(false)
    expect(isSigned(publicKeyBlock(stranger), detached, text)).toBe(false)
    const whole = signedText(key, text, seconds)
    expect(isSigned(block, whole)).toBe(true)
    expect(isSigned(block, whole.replace('0 1', '0 2'))).toBe(false)
  })

  it('is taken from any key, also where its numbers begin with zeros', ({ skip }) => {
    if (!hasGpg) return skip('gpg is not installed')
    for (let seed = 0; seed < 40; seed++) {
      const one = signingKey(new Uint8Array(32).fill(seed))
      const text = `${seed}\n`
      expect(isSigned(publicKeyBlock(one), detachedSignature(one, Buffer.from(text), seconds), text)).toBe(
        true,
      )
    }
  })

  it('shows the fingerprint that gpg shows', ({ skip }) => {
    if (!hasGpg) return skip('gpg is not installed')
    const home = mkdtempSync(join(folder, 'gpg-'))
    const args = ['--homedir', home, '--batch', '--show-keys', '--with-colons']
    const shown = execFileSync('gpg', args, { input: block, encoding: 'utf8' })
    expect(shown).toContain(`fpr:::::::::${fingerprintOf(key).replaceAll(' ', '')}:`)
  })

  it('refuses a text that would have to be changed', () => {
    for (const text of ['- a\n', 'a \nb\n', 'a\r\n'])
      expect(() => signedText(key, text, seconds)).toThrow('changed')
  })
})

describe('whyNoRelease', () => {
  const changelog = `# Changelog\n\n## [${version}] - 2026-11-27\n\n### Upgrading\n\n- Nothing.\n\n## [0.9.0] - 2026-01-01\n`
  const right = { version, changelog, changes: '' }

  it('allows a clean version with an entry', () => {
    expect(whyNoRelease(right)).toBeUndefined()
  })

  it.each([
    ['a version in another form', { version: '1.0.0-beta' }, 'must be like'],
    ['something that is not committed', { changes: ' M README.md' }, 'not committed'],
    ['no entry', { version: '1.0.1' }, 'no entry'],
    ['an entry without a date', { changelog: changelog.replace(' - 2026-11-27', '') }, 'no entry'],
    [
      'an entry without what an operator does',
      { changelog: changelog.replace('- Nothing.', '') },
      'Upgrading',
    ],
    ['an entry of another version', { version: '0.9.0' }, 'Upgrading'],
  ])('refuses %s', (_what, more, why) => {
    expect(whyNoRelease({ ...right, ...more })).toContain(why)
  })

  it('allows the version of this repository', () => {
    expect(
      whyNoRelease({ ...right, changelog: readFileSync(join(top, 'deploy/CHANGELOG.md'), 'utf8') }),
    ).toBeUndefined()
  })
})
