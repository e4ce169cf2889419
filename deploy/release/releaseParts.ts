// Makes the files of a release into a folder: packages, clients, bundles, the repository for apt, lists of libraries, checksums.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SigningKey } from '../../packages/contract/src/wire/signature.ts'
import { version } from '../../packages/world/src/version.ts'
import { cloudArchitectures } from '../cloud/cloudPackage.ts'
import { makeCloudPackages } from '../cloud/cloudPackages.ts'
import { filesBelow, tarOf } from '../pi/deb.ts'
import { bundledGateway, gatewayPackage, nameOf } from '../pi/gatewayPackage.ts'
import { gatewayRelease } from '../pi/gatewayRelease.ts'
import { type Architecture, nodeFor } from '../pi/nodeBinaries.ts'
import { isCandidate } from '../version.ts'
import { aptLists } from './aptRepository.ts'
import { detachedSignature, publicKeyBlock } from './openpgp.ts'

export interface Release {
  /** The sources. */
  readonly top: string
  /** Where the files are written. */
  readonly folder: string
  /** Where bundles are made. */
  readonly scratch: string
  readonly key: SigningKey
  /** The public keys that packages pin. */
  readonly releaseKeys: string
  /** Of the gateways. */
  readonly architectures: readonly Architecture[]
  /** The time of all files, in seconds since 1970. */
  readonly seconds: number
}

/** The folder of the repository for apt. Its packages are there alone. */
const aptFolder = 'apt'
/** The oldest version of a gateway that may update to this one. */
const replaces = '0.1.0'

/** The dashboard is named, so that it is built anew. */
const bundled = ['web', 'cloud', 'simulator', 'client', 'python']

/** Bundles the parts into the scratch folder. */
export async function makeBundles({ scratch, top }: Pick<Release, 'scratch' | 'top'>): Promise<void> {
  const args = ['--import', 'tsx', join(top, 'deploy/bundle.ts'), '--to', scratch, ...bundled]
  await promisify(execFile)(process.execPath, args, { cwd: top })
}

/** The clients as npm and pip install them, and the programs that need a Node of their own. */
export async function packBundles({ folder, scratch, seconds }: Release): Promise<void> {
  const pack = async (name: string, file: string, above: string) => {
    const files = await filesBelow(join(scratch, name), '')
    await writeFile(join(folder, file), await tarOf(files, { seconds, level: 9 }, above))
  }
  const machine = `${process.platform}-${process.arch}`
  await pack('client', `callgate-client-${version}.tgz`, 'package/')
  await pack('cloud', `callgate-cloud-${version}-${machine}.tar.gz`, 'callgate/')
  await pack('simulator', `callgate-simulator-${version}-${machine}.tar.gz`, 'callgate-simulator/')
  const python = (await readdir(join(scratch, 'python'))).filter(name => /\.(whl|tar\.gz)$/.test(name))
  if (python.length !== 2) throw new Error('the Python client needs a python3 of 3.9 or newer')
  for (const name of python) await cp(join(scratch, 'python', name), join(folder, name))
  for (const name of ['cloud', 'simulator', 'client'])
    await cp(join(scratch, name, 'sbom.json'), join(folder, `callgate-${name}-${version}.cdx.json`))
}

/** The packages of the gateway, and of a version that is no candidate the signed releases that gateways update to. */
export async function makeGateways(release: Release): Promise<void> {
  const { architectures, folder, key, releaseKeys, seconds } = release
  const bundle = await bundledGateway()
  const sbom = bundle.find(({ path }) => path.endsWith('/sbom.json'))
  if (sbom) await writeFile(join(folder, `callgate-gateway-${version}.cdx.json`), sbom.content)
  await mkdir(join(folder, aptFolder), { recursive: true })
  for (const architecture of architectures) {
    const node = await nodeFor(architecture)
    const style = { architecture, bundle, seconds, level: 9 }
    const deb = await gatewayPackage({ ...style, node, releaseKeys })
    await writeFile(join(folder, aptFolder, nameOf(architecture)), deb)
    if (isCandidate) continue
    const signed = { ...style, key, version, node: node.program, hasNode: false, replaces }
    const name = `callgate-gateway_${version}_${architecture}.release`
    await writeFile(join(folder, name), await gatewayRelease(signed))
  }
}

/** The packages of the cloud, beside those of the gateway. */
export async function makeClouds({ folder, seconds }: Release): Promise<void> {
  const place = { folder: join(folder, aptFolder), architectures: cloudArchitectures }
  await makeCloudPackages({ ...place, seconds, isChecked: false })
}

/** The script that installs the gateway from the repository, with the release key in it: as deb822 wants it, sources.list(5). */
export async function installScript(key: SigningKey): Promise<string> {
  const text = await readFile(join(import.meta.dirname, 'install.sh'), 'utf8')
  const lines = publicKeyBlock(key).trim().split('\n')
  return text.replace('@release-key@', lines.map(line => ` ${line === '' ? '.' : line}`).join('\n'))
}

/** The lists of the repository for apt, over all packages that are there, and its script. */
export async function makeAptLists({ folder, key, seconds }: Release): Promise<void> {
  const place = join(folder, aptFolder)
  const names = (await readdir(place)).filter(name => name.endsWith('.deb'))
  const packages = names.map(async name => ({ name, content: await readFile(join(place, name)) }))
  for (const { content, name } of await aptLists(key, await Promise.all(packages), seconds))
    await writeFile(join(place, name), content)
  await writeFile(join(place, 'install.sh'), await installScript(key))
}

/** The checksums of all files, signed by the release key, and its public half. */
export async function addChecksums({ folder, key, seconds }: Release): Promise<void> {
  const files = (await filesBelow(folder, '')).sort((a, b) => (a.path < b.path ? -1 : 1))
  const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')
  const sums = Buffer.from(files.map(({ content, path }) => `${sha256(content)}  ${path}\n`).join(''))
  await writeFile(join(folder, 'SHA256SUMS'), sums)
  await writeFile(join(folder, 'SHA256SUMS.asc'), detachedSignature(key, sums, seconds))
  await writeFile(join(folder, 'release-key.asc'), publicKeyBlock(key))
}
