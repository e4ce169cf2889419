// The content of the cloud's Debian package: the bundle, a Node, and the files that the system needs to run it.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { knownSchema } from '../../packages/cloud/src/database/migrations/schemaState.ts'
import { debOf, filesBelow, type PackageFile, readScripts } from '../pi/deb.ts'
import { type NodeBinary, npmFiles } from '../pi/nodeBinaries.ts'
import { debianVersion } from '../version.ts'

const top = join(import.meta.dirname, '../..')

export const cloudArchitectures = ['amd64', 'arm64'] as const
export type CloudArchitecture = (typeof cloudArchitectures)[number]

/** Where the package installs the program. */
const programPlace = 'usr/lib/callgate/'
const modules = `${programPlace}node_modules/`

/** The processor in the names of native parts. */
const processors = { amd64: 'x64', arm64: 'arm64' } as const

/** The bundle of the cloud as files of the package, for the machine that makes it. */
export async function bundledCloud(): Promise<readonly PackageFile[]> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-package-'))
  try {
    const program = ['--import', 'tsx', join(top, 'deploy/bundle.ts'), '--to', folder, 'cloud']
    await promisify(execFile)(process.execPath, program, { cwd: top })
    return await filesBelow(join(folder, 'cloud'), programPlace)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The package of npm with the hash of passwords for a processor. */
export const argon2 = (architecture: CloudArchitecture) =>
  `@node-rs/argon2-linux-${processors[architecture]}-gnu`

/** The hash of passwords has one package for each processor. That of another one comes from npm. */
async function passwordHash(architecture: CloudArchitecture, bundle: readonly PackageFile[]) {
  const name = argon2(architecture)
  const own = bundle.filter(({ path }) => path.startsWith(`${modules}${name}/`))
  if (own.length > 0) return own
  const files = await npmFiles(name)
  return [...files].map(([path, content]) => ({
    path: `${modules}${name}/${path}`,
    content,
    isProgram: false,
  }))
}

/** The libraries of the bundle, with the native part of this processor. */
function sbomFor(architecture: CloudArchitecture, { content, ...file }: PackageFile): PackageFile {
  const other = /@node-rs\/argon2-linux-(x64|arm64)-gnu|%40node-rs\/argon2-linux-(x64|arm64)-gnu/g
  const text = content
    .toString()
    .replace(other, found => found.replace(/-(x64|arm64)-/, `-${processors[architecture]}-`))
  return { ...file, content: Buffer.from(text) }
}

/** The bundle for one processor: native parts for another one, and for the C library musl, are left out. */
async function programFiles(
  architecture: CloudArchitecture,
  bundle: readonly PackageFile[],
): Promise<PackageFile[]> {
  const sqlite = `/better-sqlite3/prebuilds/linux-${processors[architecture]}.node`
  const shared = bundle.filter(
    ({ path }) =>
      !path.startsWith(`${modules}@node-rs/argon2-`) &&
      (!path.includes('/better-sqlite3/prebuilds/') || path.endsWith(sqlite)),
  )
  return [
    ...shared.map(file => (file.path === `${programPlace}sbom.json` ? sbomFor(architecture, file) : file)),
    ...(await passwordHash(architecture, bundle)),
  ]
}

const unitPlace = 'usr/lib/systemd/system/'

/** The unit for several clouds on one machine: that of the one cloud, with a name in each of its places. */
function templateOf({ content, ...unit }: PackageFile): PackageFile {
  const text = content
    .toString()
    .replace('Description=Callgate cloud', '$& %i')
    .replaceAll('/etc/callgate/cloud.env', '/etc/callgate/cloud@%i.env')
    .replace('StateDirectory=callgate', 'StateDirectory=callgate-clouds/%i')
    .replace('CALLGATE_DATA=/var/lib/callgate', 'CALLGATE_DATA=/var/lib/callgate-clouds/%i')
  return { ...unit, path: `${unitPlace}callgate-cloud@.service`, content: Buffer.from(text) }
}

/** The same for all processors: the command, the units, and what the operator can take over. */
async function systemFiles(): Promise<readonly PackageFile[]> {
  const folder = import.meta.dirname
  const files = await filesBelow(join(folder, 'root'), '', name => /^usr\/(bin|lib\/callgate)\//.test(name))
  const unit = files.find(({ path }) => path === `${unitPlace}callgate-cloud.service`)
  if (!unit) throw new Error('the folder root has no unit of the cloud')
  const examples = ['alerts.yml', 'grafana-dashboard.json', '../broker/mosquitto.conf']
  const shared = examples.map(async name => ({
    path: `usr/share/callgate/${basename(name)}`,
    content: await readFile(join(folder, name)),
    isProgram: false,
  }))
  return [...files, templateOf(unit), ...(await Promise.all(shared))]
}

export interface CloudPackageOptions {
  readonly architecture: CloudArchitecture
  readonly bundle: readonly PackageFile[]
  readonly node: NodeBinary
  readonly seconds: number
  /** The level of compression: 1 is fast, 9 is small. */
  readonly level: number
}

export const cloudPackageName = (architecture: CloudArchitecture) =>
  `callgate-cloud_${debianVersion}_${architecture}.deb`

/** The package for one processor, as bytes. */
export async function cloudPackage(options: CloudPackageOptions): Promise<Buffer> {
  const { architecture, bundle, level, node, seconds } = options
  const scripts = await readScripts(join(import.meta.dirname, 'scripts'))
  const filled = Object.entries(scripts).map(([name, text]) => [
    name,
    text.replaceAll('@VERSION@', debianVersion).replaceAll('@SCHEMA@', knownSchema),
  ])
  return debOf({
    control: {
      Package: 'callgate-cloud',
      Version: debianVersion,
      Architecture: architecture,
      Maintainer: 'Callgate <cloud@callgate.invalid>',
      Depends: 'libc6 (>= 2.28), libstdc++6 (>= 10), systemd (>= 249), util-linux',
      Recommends: 'ca-certificates',
      Suggests: 'caddy | httpd, postgresql, mosquitto (>= 2.0.22), prometheus',
      Section: 'net',
      Priority: 'optional',
      Description:
        'lets people and programs open gates that open when their number is called\n The REST API, the pages and the MQTT broker of Callgate. It brings its own Node.',
    },
    scripts: Object.fromEntries(filled),
    files: [
      ...(await programFiles(architecture, bundle)),
      ...(await systemFiles()),
      { path: `${programPlace}node`, content: node.program, isProgram: true },
      { path: 'usr/share/doc/callgate-cloud/node-license', content: node.license, isProgram: false },
    ],
    seconds,
    level,
  })
}
