// The folder deploy/cloud for operators: it names only existing variables, files and metrics.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { variables } from '@callgate/cloud/configVariables'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const top = fileURLToPath(new URL('../../..', import.meta.url))
const folder = join(top, 'deploy/cloud')
const unitFolder = 'root/usr/lib/systemd/system'
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

interface Service {
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly secrets?: readonly string[]
  readonly networks?: readonly string[] | object
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly ports?: readonly string[]
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: object
  readonly volumes: object
  readonly networks: object
}
const compose: Compose = parse(read('compose.yaml'), { merge: true })
const clouds = ['cloud-a', 'cloud-b']

/** The variables that the cloud and Node read from the environment. */
const known = new Set([...Object.keys(variables), 'NODE_ENV'])

it('sets only variables that the cloud reads', () => {
  const units = readdirSync(join(folder, unitFolder)).map(name => read(join(unitFolder, name)))
  const set = [
    ...clouds.flatMap(name => Object.keys(compose.services[name]?.environment ?? {})),
    ...units.flatMap(unit => [...unit.matchAll(/^(?:Environment=)?([A-Z_]{4,})=/gm)].map(([, name]) => name)),
    ...[...read('README.md').matchAll(/^ +([A-Z_]{4,})=/gm)].map(([, name]) => name),
    ...[...read('Dockerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
      line.match(/[A-Z_]+(?==)/g),
    ),
  ]
  expect(set).toContain('DATABASE_URL_FILE')
  expect(set).toContain('CALLGATE_DATA')
  expect(set.filter(name => !known.has(name ?? ''))).toEqual([])
})

it('mounts only files that exist, and names only parts that compose knows', () => {
  for (const [name, { networks = [], secrets = [], volumes = [] }] of Object.entries(compose.services)) {
    for (const volume of volumes) {
      const [source = ''] = volume.split(':')
      if (source.startsWith('./secrets')) continue
      const isThere = source.startsWith('.')
        ? existsSync(join(folder, source))
        : Object.hasOwn(compose.volumes, source)
      expect(isThere, `${name}: ${volume}`).toBe(true)
    }
    expect(Object.keys(compose.secrets), name).toEqual(expect.arrayContaining([...secrets]))
    const named = Array.isArray(networks) ? networks : Object.keys(networks)
    expect(Object.keys(compose.networks), name).toEqual(expect.arrayContaining(named))
  }
})

it('lets the clouds write nothing but their data, gives them no privileges, and opens no port but those of proxy and broker', () => {
  for (const name of clouds)
    expect(compose.services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  const open = Object.values(compose.services).flatMap(({ ports = [] }) => ports)
  expect(open).toEqual(['80:80', '443:443', '8883:8883'])
})

it('makes an image that starts the bundle with a supported Node, as an unprivileged user', () => {
  const { engines } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))
  const dockerfile = read('Dockerfile')
  const nodes = [...dockerfile.matchAll(/^FROM \S*node(?:js|:)(\d+)/gm)].map(([, major]) => Number(major))
  expect([engines.node, nodes]).toEqual(['>=22.13 <27', [24, 24]])
  expect(dockerfile).toMatch(/^USER 65532:65532$/m)
  const [, entry = ''] = /"(\/opt\/callgate\/[^"]+)"/.exec(dockerfile) ?? []
  const bundle = join(top, 'packages/cloud/dist')
  expect(existsSync(entry.replace('/opt/callgate', bundle)), entry).toBe(true)
})

it('links to pages that exist', () => {
  const links = [...read('README.md').matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThan(5)
  const missing = links.filter(path => !/^https?:/.test(path) && !existsSync(join(folder, path)))
  expect(missing).toEqual([])
})

it('lists the libraries of the bundle, of the dashboard and the native ones', () => {
  const bom = JSON.parse(readFileSync(join(top, 'packages/cloud/dist/sbom.json'), 'utf8'))
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
  const components: readonly { name: string; version: string; purl: string }[] = bom.components
  const version = (of: string, name: string): string => {
    const manifest = JSON.parse(readFileSync(join(top, 'packages', of, 'package.json'), 'utf8'))
    return manifest.dependencies[name]
  }
  for (const name of ['koa', 'knex', 'better-sqlite3', '@node-rs/argon2', 'pg', '@scalar/api-reference'])
    expect(components, name).toContainEqual(
      expect.objectContaining({ name, version: version('cloud', name) }),
    )
  for (const name of ['react', '@mantine/core', '@fontsource-variable/inter'])
    expect(components, name).toContainEqual(expect.objectContaining({ name, version: version('web', name) }))
  expect(components.filter(({ name }) => name.startsWith('@callgate/'))).toEqual([])
  const purls = components.map(({ purl }) => purl)
  expect(purls).toEqual([...new Set(purls)].sort())
})
