// The content of the gateway's Debian package: the bundle, a Node, and the files that the system needs to run it.

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { debianVersion } from '../version.ts'
import { debOf, filesBelow, type PackageFile, readScripts } from './deb.ts'
import type { Architecture, NodeBinary } from './nodeBinaries.ts'

const top = join(import.meta.dirname, '../..')

/** The folder of serialport's native parts, by its name there. */
const prebuilds = { amd64: 'linux-x64', arm64: 'linux-arm64', armhf: 'linux-arm' } as const

/** The bundle of the gateway as files of the package, for all architectures. */
export async function bundledGateway(): Promise<readonly PackageFile[]> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-package-'))
  try {
    const program = ['--import', 'tsx', join(top, 'deploy/bundle.ts'), '--to', folder, 'gateway']
    await promisify(execFile)(process.execPath, program, { cwd: top })
    return await filesBelow(join(folder, 'gateway'), programPlace)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Where the package installs the program. */
const programPlace = 'usr/lib/callgate-gateway/'

/** Native parts for another architecture, for the C library musl, and for ARMv6 are left out. */
const isFor = (architecture: Architecture) => {
  const own = `/prebuilds/${prebuilds[architecture]}/`
  return ({ path }: PackageFile) =>
    !path.includes('/prebuilds/') || (path.includes(own) && !/musl|armv6/.test(path))
}

/** The same on all architectures: the units, the rules, the template of the configuration. */
const systemFiles = () =>
  filesBelow(join(import.meta.dirname, 'root'), '', name => name.startsWith('usr/bin/'))

/** The time of every file: SOURCE_DATE_EPOCH, https://reproducible-builds.org/specs/source-date-epoch/, else 1 January 2026. */
export function secondsOf(environment: Readonly<Record<string, string | undefined>>): number {
  const given = environment['SOURCE_DATE_EPOCH'] ?? ''
  return /^\d{1,11}$/.test(given) ? Number(given) : 1_767_225_600
}

/** The bundle for one architecture, as it is in the folder of the program. */
export function programFiles(architecture: Architecture, bundle: readonly PackageFile[]): PackageFile[] {
  return bundle
    .filter(isFor(architecture))
    .map(file => ({ ...file, path: file.path.slice(programPlace.length) }))
}

export interface PackageOptions {
  readonly architecture: Architecture
  readonly bundle: readonly PackageFile[]
  readonly node: NodeBinary
  /** The public keys that may sign releases, one a line. Without any, the gateway accepts updates only as a package. */
  readonly releaseKeys?: string
  readonly seconds: number
  /** The level of compression: 1 is fast, 9 is small. */
  readonly level: number
}

export const nameOf = (architecture: Architecture) => `callgate-gateway_${debianVersion}_${architecture}.deb`

/** The package for one architecture, as bytes. */
export async function gatewayPackage(options: PackageOptions): Promise<Buffer> {
  const { architecture, bundle, level, node, releaseKeys = '', seconds } = options
  const control = {
    Package: 'callgate-gateway',
    Version: debianVersion,
    Architecture: architecture,
    Maintainer: 'Callgate <gateway@callgate.invalid>',
    // Node needs libatomic1 on ARMv7, and glibc 2.28 everywhere. systemd-notify comes with systemd.
    Depends: 'libatomic1, libc6 (>= 2.28), libstdc++6 (>= 10), systemd (>= 249), udev',
    Section: 'net',
    Priority: 'optional',
    Description:
      'opens gates by calling them, for a cloud of Callgate\n A daemon with a GSM modem at the gate. It brings its own Node.',
  }
  return debOf({
    control,
    scripts: await readScripts(join(import.meta.dirname, 'scripts')),
    files: [
      ...bundle.filter(isFor(architecture)),
      ...(await systemFiles()),
      { path: `${programPlace}release-keys`, content: Buffer.from(releaseKeys), isProgram: false },
      { path: `${programPlace}node`, content: node.program, isProgram: true },
      { path: 'usr/share/doc/callgate-gateway/node-license', content: node.license, isProgram: false },
    ],
    seconds,
    level,
  })
}
