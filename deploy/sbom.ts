// Lists the libraries in a bundle (an SBOM) in the format of CycloneDX, version 1.6.

import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

interface Component {
  readonly type: 'library'
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses?: readonly [{ readonly expression: string }]
}

/** An address that names a package of npm: https://github.com/package-url/purl-spec */
const purlOf = ({ name, version }: Manifest) => `pkg:npm/${name.replace('@', '%40')}@${version}`

function componentOf(manifest: Manifest): Component {
  const { license, name, version } = manifest
  const purl = purlOf(manifest)
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license !== undefined && { licenses: [{ expression: license }] }),
  }
}

/** The content of a package.json; undefined where it names no package, as the small ones within packages do. */
async function readManifest(path: string): Promise<Manifest | undefined> {
  const { license, name, version } = JSON.parse(await readFile(path, 'utf8'))
  if (typeof name !== 'string' || typeof version !== 'string') return undefined
  return { name, version, ...(typeof license === 'string' && { license }) }
}

/** The manifest of the package to which the library file `path` belongs. */
async function manifestOf(path: string): Promise<Manifest> {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    if (folder === dirname(folder)) throw new Error(`no package has the file ${path}`)
    const place = join(folder, 'package.json')
    const manifest = existsSync(place) ? await readManifest(place) : undefined
    if (manifest) return manifest
  }
}

async function readComponents(path: string): Promise<readonly Component[]> {
  return JSON.parse(await readFile(path, 'utf8')).components
}

/**
 * Writes `sbom.json` into the folder of a bundle: the libraries whose files the bundler has read, and those copied beside the
 * bundle, with their `package.json` or a list of their own. The same sources give the same file: it contains no time and no
 * serial number. The format: https://cyclonedx.org/docs/1.6/json/
 */
export async function addSbom(
  folder: string,
  { name, read }: { readonly name: string; readonly read: readonly string[] },
): Promise<void> {
  const beside = await readdir(folder, { recursive: true })
  const copied = beside.filter(path => /(^|[\\/.])package\.json$/.test(path)).map(path => join(folder, path))
  const libraries = read.filter(path => /[\\/]node_modules[\\/]/.test(path))
  const found = [
    ...(await Promise.all(libraries.map(manifestOf))),
    ...(await Promise.all(copied.map(readManifest))).filter(manifest => manifest !== undefined),
  ].map(componentOf)
  const carried = beside
    .filter(path => basename(path) === 'sbom.json')
    .map(path => readComponents(join(folder, path)))
  const all = [...found, ...(await Promise.all(carried)).flat()]
  const components = new Map(all.map(component => [component.purl, component]))
  const sorted = [...components].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, component]) => component)
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': name, name } },
    components: sorted,
  }
  await writeFile(join(folder, 'sbom.json'), `${JSON.stringify(bom, null, 2)}\n`)
}
