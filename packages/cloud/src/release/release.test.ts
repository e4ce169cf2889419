import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ReleaseManifest, releaseHeader } from '@callgate/contract/release/release'
import { mostReleases } from '@callgate/contract/release/releaseList'
import { signingKey } from '@callgate/contract/wire/signature'
import { fakeWorld } from '@callgate/world/fake'
import { Router } from '@koa/router'
import Koa from 'koa'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../cli/terminal.kit.ts'
import { openDatabase } from '../database/database.ts'
import { limitsInMemory } from '../limit/limits.ts'
import { serveReleases } from './releasePages.ts'
import { releaseFolder } from './releaseShelf.ts'

const key = signingKey(new Uint8Array(32).fill(1))
const archive = Buffer.from('the archive of a release')
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-releases-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const callgate = (...args: string[]) => runCommand({ CALLGATE_DATA: folder }, ['release', ...args])

function releaseFile(version = '0.2.0', bytes = archive): string {
  const manifest: ReleaseManifest = {
    product: 'callgate-gateway',
    version,
    architecture: 'arm64',
    archiveBytes: archive.length,
    archiveSha256: createHash('sha256').update(archive).digest('hex'),
    unpackedBytes: 100,
    nodeSha256: '0'.repeat(64),
    hasNode: false,
    journal: { reads: 1, writes: 1 },
    replaces: '0.1.0',
  }
  const path = join(folder, 'given.release')
  writeFileSync(path, Buffer.concat([Buffer.from(releaseHeader(key, manifest)), bytes]))
  return path
}

async function served(world = fakeWorld()): Promise<string> {
  const router = new Router()
  serveReleases(router, releaseFolder(folder), limitsInMemory(world))
  const server = createServer(new Koa().use(router.routes()).callback())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases`
}

it('publishes a release, lists it, and takes it back', async () => {
  expect(await callgate('list')).toMatchObject({ out: 'There are none.', code: 0 })
  const added = await callgate('add', releaseFile())
  expect(added).toMatchObject({ err: '', code: 0 })
  expect(added.out).toContain('published at /releases/callgate-gateway_0.2.0_arm64.release')
  expect(added.out).toContain(key.keyId)
  expect((await callgate('list')).out).toMatch(/0\.2\.0 +arm64/)
  expect((await callgate('add', releaseFile())).err).toContain('is published already')
  expect(await callgate('withdraw', '0.2.0')).toMatchObject({ code: 0 })
  expect(await callgate('withdraw', '0.2.0')).toMatchObject({ code: 1 })
  expect(readdirSync(releaseFolder(folder))).toEqual([])
})

it('publishes nothing but a whole release, and not too many', async () => {
  writeFileSync(join(folder, 'text'), 'hello\n')
  expect((await callgate('add', join(folder, 'text'))).err).toContain('this is no release of the gateway')
  expect((await callgate('add', join(folder, 'none'))).err).toContain('there is no such file')
  expect((await callgate('add', folder)).code).toBe(1)
  for (const bytes of [archive.subarray(1), Buffer.concat([archive, archive])])
    expect((await callgate('add', releaseFile('0.2.0', bytes))).err).toContain('the file is damaged')
  await callgate('add', releaseFile())
  for (let number = 1; number < mostReleases; number++)
    writeFileSync(join(releaseFolder(folder), `callgate-gateway_1.0.${number}_arm64.release`), '')
  expect((await callgate('add', releaseFile('0.3.0'))).err).toContain('withdraw one first')
})

it('serves the list, a release, and a range of it', async () => {
  const path = releaseFile()
  await callgate('add', path)
  const address = await served()
  const bytes = Buffer.from(
    await (await fetch(`${address}/callgate-gateway_0.2.0_arm64.release`)).arrayBuffer(),
  )
  expect(await (await fetch(address)).json()).toEqual({
    releases: [{ version: '0.2.0', architecture: 'arm64', bytes: bytes.length }],
  })
  const rangeOf = async (Range: string) => {
    const answer = await fetch(`${address}/callgate-gateway_0.2.0_arm64.release`, { headers: { Range } })
    return [answer.status, answer.headers.get('content-range'), await answer.text()]
  }
  const { length } = bytes
  expect(await rangeOf(`bytes=${length - 7}-`)).toEqual([
    206,
    `bytes ${length - 7}-${length - 1}/${length}`,
    'release',
  ])
  expect(await rangeOf(`bytes=${length - 7}-${length - 5}`)).toEqual([
    206,
    `bytes ${length - 7}-${length - 5}/${length}`,
    'rel',
  ])
  expect(await rangeOf(`bytes=${length}-`)).toEqual([416, `bytes */${length}`, 'Range Not Satisfiable'])
  // RFC 9110, section 14.2: a range that is not understood is ignored.
  expect(await rangeOf('bytes=-5')).toEqual([200, null, bytes.toString()])
})

it('serves nothing else from its folder', async () => {
  const address = await served()
  expect(await (await fetch(address)).json()).toEqual({ releases: [] })
  await callgate('add', releaseFile())
  writeFileSync(join(releaseFolder(folder), 'secret'), 'secret')
  for (const name of ['secret', '..%2fgiven.release', 'callgate-gateway_0.2.1_arm64.release', 'draft'])
    expect([name, (await fetch(`${address}/${name}`)).status]).toEqual([name, 404])
})

it('offers a version to Spaces, and says to whom', async () => {
  expect((await callgate('stage', '0.2.0', '--all')).err).toContain(
    'No release of version 0.2.0 is published',
  )
  await callgate('add', releaseFile())
  expect((await callgate('list')).out).toMatch(/0\.2\.0 .*nobody/)
  for (const [options, words] of [
    [[], 'Say to whom'],
    [['--all', '--percent', '5'], 'not both'],
    [['--percent', '101'], 'from 0 to 100'],
    [['--percent', 'half'], 'from 0 to 100'],
    [['--spaces', 'space_x'], 'There is no Space space_x'],
    [['--all', '--notes', 'x'.repeat(501)], 'at most 500'],
  ] as const)
    expect([options, (await callgate('stage', '0.2.0', ...options)).err]).toEqual([
      options,
      expect.stringContaining(words),
    ])
  const staged = await callgate('stage', '0.2.0', '--percent', '10', '--notes', 'Better.')
  expect(staged).toMatchObject({ err: '', out: expect.stringContaining('offered to 10 % of the Spaces') })
  const made = await runCommand({ CALLGATE_DATA: folder }, [
    'space',
    'create',
    '--name',
    'A',
    '--plan',
    'pro',
    '--json',
  ])
  const { spaceId } = JSON.parse(made.out)
  expect((await callgate('stage', '0.2.0', '--percent', '10', '--spaces', spaceId)).out).toContain(
    '10 % of the Spaces and 1 Space',
  )
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  await database.knex('releaseStages').update({ haltedAt: '2026-01-01T00:00:00.000Z', haltedBy: 'gw_x' })
  await database.close()
  expect((await callgate('list')).out).toContain('HALTED 2026-01-01T00:00:00.000Z: gw_x took it back')
  expect((await callgate('stage', '0.2.0', '--all')).err).toContain('--resume')
  expect((await callgate('stage', '0.2.0', '--all', '--resume')).out).toContain('offered to all Spaces')
  expect(JSON.parse((await callgate('list', '--json')).out).releases).toMatchObject([
    { percent: 100, halted: null },
  ])
  await callgate('withdraw', '0.2.0')
  await callgate('add', releaseFile())
  expect((await callgate('list')).out).toMatch(/0\.2\.0 .*nobody/)
})

it('refuses more than a fleet behind one address asks for, and lets it go on later', async () => {
  await callgate('add', releaseFile())
  const world = fakeWorld()
  const address = await served(world)
  const statuses: number[] = []
  for (let asked = 0; asked < 301; asked++) statuses.push((await fetch(address)).status)
  expect(statuses.filter(status => status !== 200)).toEqual([429])
  expect((await fetch(`${address}/callgate-gateway_0.2.0_arm64.release`)).headers.get('retry-after')).toBe(
    '60',
  )
  await world.advance(60_000)
  expect((await fetch(address)).status).toBe(200)
})
