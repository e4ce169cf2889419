// What a walk needs that others have made: the release of this checkout, the files of an earlier commit, a public authority.

import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A clone of the checkout at a commit, with what it needs. */
async function cloneAt(top: string, commit: string, to: string): Promise<void> {
  await run('git', ['clone', '--quiet', top, to])
  await run('git', ['checkout', '--quiet', '--detach', commit], { cwd: to })
  await run('npx', ['-y', 'pnpm@10.34.9', 'install', '--frozen-lockfile'], { cwd: to })
}

const pnpm = (cwd: string, ...args: string[]) => run('npx', ['-y', 'pnpm@10.34.9', '-s', ...args], { cwd })

/** Makes the release of the last commit, as deploy/release/README.md says, for the processor of this machine. */
export async function makeRelease(top: string, folder: string): Promise<string> {
  const clone = join(folder, 'clone')
  await cloneAt(top, execFileSync('git', ['rev-parse', 'HEAD'], { cwd: top, encoding: 'utf8' }).trim(), clone)
  const [key, release] = [join(folder, 'release.key'), join(folder, 'release')]
  await pnpm(clone, 'release:pi', 'keygen', '--out', key)
  await pnpm(clone, 'release', '--key', key, '--architectures', 'amd64', '--to', release)
  return release
}

/** Unpacks the simulator of a release. Returns its folder. */
export async function unpackSimulator(release: string, folder: string): Promise<string> {
  const simulator = readdirSync(release).find(name => /^callgate-simulator-.*\.tar\.gz$/.test(name))
  await run('tar', ['-xzf', join(release, String(simulator)), '-C', folder])
  return join(folder, 'callgate-simulator')
}

/** The commit from before the first version, with which the walk of an upgrade begins. */
export const earlierCommit = 'cea78e9b'

/** The text of a file of the earlier commit. */
export const earlierText = (top: string, path: string) =>
  execFileSync('git', ['show', `${earlierCommit}:${path}`], { cwd: top, encoding: 'utf8' })

/** The files that an operator and an installer of the earlier commit had: they are kept, since they do not change. */
export async function earlierFiles(top: string): Promise<string> {
  const kept = join(tmpdir(), 'callgate-debian', `callgate-${earlierCommit}`)
  if (existsSync(kept)) return kept
  const clone = `${kept}.${process.pid}`
  mkdirSync(join(tmpdir(), 'callgate-debian'), { recursive: true })
  try {
    await cloneAt(top, earlierCommit, clone)
    await pnpm(clone, 'bundle', 'cloud')
    await pnpm(clone, 'package:pi', 'amd64')
    for (const part of ['deploy', 'packages/cloud/dist'])
      cpSync(join(clone, part), join(`${clone}.files`, part), { recursive: true })
    renameSync(`${clone}.files`, kept)
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
  return kept
}

export interface Authority {
  /** Its certificate, PEM. */
  readonly certificate: string
  /** The file of its key. */
  readonly keyFile: string
  readonly certificateFile: string
}

const openssl = (folder: string, ...args: string[]) =>
  execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] })
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** The authority that all machines of the walk trust, in place of the public ones. */
export function makeAuthority(folder: string): Authority {
  const may = [
    '-addext',
    'basicConstraints=critical,CA:TRUE',
    '-addext',
    'keyUsage=critical,keyCertSign,cRLSign',
  ]
  const files = ['-keyout', 'authority.key', '-out', 'authority.crt']
  openssl(folder, 'req', '-x509', ...newKey, '-days', '30', '-subj', '/CN=Walk', ...may, ...files)
  const certificateFile = join(folder, 'authority.crt')
  return {
    certificate: readFileSync(certificateFile, 'utf8'),
    keyFile: join(folder, 'authority.key'),
    certificateFile,
  }
}

/** Serves the repository of the release at https://packages.example.com/callgate. Returns what ends it. */
export async function serveRepository(folder: string, host: string, repository: string): Promise<() => void> {
  const name = 'packages.example.com'
  openssl(folder, 'req', ...newKey, '-subj', `/CN=${name}`, '-keyout', 'server.key', '-out', 'server.csr')
  execFileSync('sh', ['-c', `printf 'subjectAltName=DNS:${name}\n' > server.ext`], { cwd: folder })
  const by = ['-CA', 'authority.crt', '-CAkey', 'authority.key', '-CAcreateserial', '-extfile', 'server.ext']
  openssl(folder, 'x509', '-req', '-in', 'server.csr', ...by, '-days', '30', '-out', 'server.crt')
  const read = (file: string) => readFileSync(join(folder, file))
  const server = createServer({ cert: read('server.crt'), key: read('server.key') }, (request, response) => {
    const [, file = ''] =
      /^\/callgate\/(?:\.\/)?([\w.~+-]+)$/.exec(decodeURIComponent(request.url ?? '')) ?? []
    const path = join(repository, file)
    if (file === '' || !existsSync(path)) response.writeHead(404).end()
    else response.end(readFileSync(path))
  })
  await new Promise<void>(resolve => server.listen(443, host, resolve))
  return () => {
    server.closeAllConnections()
    server.close()
  }
}

/** The setting that an operator writes, with the digest that the maker of the release has published. */
export function installerSetting(repository: string): string {
  const digest = createHash('sha256')
    .update(readFileSync(join(repository, 'install.sh')))
    .digest('hex')
  return `GATEWAY_INSTALLER="https://packages.example.com/callgate ${digest}"`
}
