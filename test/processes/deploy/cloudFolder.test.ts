// The folder deploy/cloud for operators: it names only existing variables, files and metrics.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { variables } from '@callgate/cloud/configVariables'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const top = fileURLToPath(new URL('../../..', import.meta.url))
const folder = join(top, 'deploy/cloud')
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
  const units = readdirSync(join(folder, 'systemd')).map(name => read(`systemd/${name}`))
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

/** Runs the operator's command with an environment file; in place of the cloud, a program prints what it was given. */
function runCommand(environment: string, args: readonly string[] = []) {
  const place = mkdtempSync(join(tmpdir(), 'callgate-command-'))
  const file = join(place, 'cloud.env')
  writeFileSync(file, environment)
  const print = `console.log(JSON.stringify({ env: process.env, args: process.argv.slice(1) }))`
  const command = read('systemd/callgate')
    .replace('/etc/callgate/cloud.env', file)
    .replace(/^exec setpriv .* \/usr\/bin\/node \S+/m, () => `exec '${process.execPath}' -e '${print}' --`)
  const { status, stderr, stdout } = spawnSync('sh', ['-c', command, 'callgate', ...args], {
    encoding: 'utf8',
  })
  rmSync(place, { recursive: true })
  return { status, stderr: stderr.replaceAll(file, 'FILE'), given: stdout && JSON.parse(stdout) }
}

it('gives the operator’s command the environment as systemd gives it to the service', () => {
  const lines = [
    '# SECRET=none',
    '; SECRET=none',
    '',
    'APP_URL=https://gates.example.com',
    '  SMTP_URL=smtp://a:p$HOME`id`$(id)@mail.example.com  ',
    'SMTP_FROM=Lake view <gates@example.com>',
    `SECURITY_CONTACT="it's $HOME"`,
    `TRUST_PROXY='loopback'`,
    'MQTT_HOST=',
    'MQTT_PORT=8883#1',
  ]
  const { given, status } = runCommand(lines.join('\n'), ['space', 'list', '--name', 'a b'])
  expect(status).toBe(0)
  expect(given.args).toEqual(['space', 'list', '--name', 'a b'])
  expect(given.env).toMatchObject({
    APP_URL: 'https://gates.example.com',
    SMTP_URL: 'smtp://a:p$HOME`id`$(id)@mail.example.com',
    SMTP_FROM: 'Lake view <gates@example.com>',
    SECURITY_CONTACT: "it's $HOME",
    TRUST_PROXY: 'loopback',
    MQTT_HOST: '',
    MQTT_PORT: '8883#1',
    NODE_ENV: 'production',
    CALLGATE_DATA: '/var/lib/callgate',
  })
  expect(given.env).not.toHaveProperty('SECRET')
})

it.each([
  ['APP_URL', 'a line is NAME=VALUE.'],
  ['export APP_URL=a', 'a name has letters, digits and _ alone, and no space before the =.'],
  ['SMTP_URL=a\\b', 'SMTP_URL: write the value without a backslash.'],
  ['SMTP_URL="a" b', 'SMTP_URL: quotes stand around the whole value, or nowhere.'],
])('refuses %s in the environment, which systemd may read differently', (line, why) => {
  const { given, status, stderr } = runCommand(`# Ours\n${line}\n`)
  expect([status, stderr, given]).toEqual([78, `FILE, line 2: ${why}\n`, ''])
})
