import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UpdateCause } from '@callgate/contract/releaseWords'
import type { TaskOf } from '@callgate/contract/wire/tasks'
import { realWorld } from '@callgate/world/real'
import type { World } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { beginTrial } from '../core/updatePlan.ts'
import { Offers } from './offers.ts'
import { hastyWorld, releaseKey } from './update.kit.ts'
import { updateCommand } from './updateCommand.ts'
import { readOutcome, VersionStore } from './versionStore.ts'
import { isUntaken, leaveWish, showCarryingOut, takeWish, type Wish } from './wish.ts'

let store = ''
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'callgate-offers-'))
  mkdirSync(join(store, 'inbox'))
  writeFileSync(join(store, 'release-keys'), `${releaseKey.publicKey}\n`)
})
afterEach(() => rmSync(store, { recursive: true, force: true }))

const taskId = 'task_01kdhx3m8e2w7q5v9z4r6t8y0a'
const archives: Wish['archives'] = [{ architecture: 'amd64', sha256: '0'.repeat(64) }]
const task: TaskOf<'update'> = { taskId, kind: 'update', version: '9.2.0', archives }
const wish: Wish = {
  taskId,
  version: '9.2.0',
  archives,
  cloudUrl: 'http://127.0.0.1:1',
  ca: null,
}

const offersIn = (folder = store, world: World = hastyWorld()) =>
  Offers.open({
    world,
    store: folder,
    package: store,
    architecture: 'x64',
    cloudUrl: 'https://gates.example.com',
    ca: undefined,
  })
async function opened(world = hastyWorld()) {
  const offers = await offersIn(store, world)
  if (!offers) throw new Error('there is no folder for wishes')
  return offers
}
const never = new Promise<void>(() => {})
const ends = { cancelled: never, stopped: never }
/** Simulates root's program: takes the wish as soon as it is there. */
async function taken(): Promise<Wish | undefined> {
  while (!(await isUntaken(store))) await new Promise(resolve => setImmediate(resolve))
  return takeWish(store)
}

it("passes the request of the cloud on, with the cloud's address from the configuration", async () => {
  // Its minute never ends, because the disk may be slow.
  const offers = await opened({ ...hastyWorld(), monotonicMs: () => 0 })
  const [outcome, took] = await Promise.all([offers.run(task, ends), taken()])
  expect(outcome).toEqual({ state: 'done' })
  expect(took).toEqual({ ...wish, cloudUrl: 'https://gates.example.com' })
})

it('reports where no program takes the wish, where another update runs, and where another wish waits', async () => {
  const offers = await opened()
  const detail = 'callgate-gateway-offer.path does not run'
  expect(await offers.run(task, ends)).toEqual({ state: 'not_done', reason: 'refused', detail })
  expect(await isUntaken(store)).toBe(false)
  await leaveWish(store, wish)
  await takeWish(store)
  const other = await showCarryingOut(store)
  expect(await offers.run(task, ends)).toEqual({ state: 'not_done', reason: 'busy' })
  expect(await isUntaken(store)).toBe(false)
  if (other.ok) other.release()
  await leaveWish(store, wish)
  expect(await offers.run(task, ends)).toEqual({ state: 'not_done', reason: 'busy' })
})

it('accepts none where the folder for it is missing, or the package pins no release key', async () => {
  expect(await offersIn(join(store, 'none'))).toBeUndefined()
  for (const keys of ['', '# no key\nno key either\n']) {
    writeFileSync(join(store, 'release-keys'), keys)
    expect(await offersIn()).toBeUndefined()
  }
})

it('tells beats how the last update has ended, and tells the daemon when that changes', async () => {
  const versions = new VersionStore(store)
  const offers = await opened()
  expect(offers.inBeat()).toEqual({ architecture: 'amd64' })
  await versions.noteAsked(task)
  const cause = 'not_connected'
  const end = { version: '9.2.0', state: 'taken_back', cause } as const
  await versions.make({ type: 'noteEnd', ended: { ...end, why: 'no modem' } })
  const changed = await new Promise<boolean>(resolve => offers.follow(() => resolve(true)))
  const last = { taskId, ...end, why: 'no modem' }
  expect([changed, offers.inBeat().last]).toEqual([true, last])
  // The other program that follows the trial reports it in other words.
  await versions.make({ type: 'noteEnd', ended: { ...end, why: 'other' } })
  expect(await readOutcome(store)).toEqual(last)
  // This version was installed by hand.
  await versions.make({
    type: 'noteEnd',
    ended: { version: '9.3.0', state: 'installed', why: null, cause: null },
  })
  expect(await readOutcome(store)).toMatchObject({ taskId: null, version: '9.3.0' })
})

it.each<[string, () => void]>([
  ['no JSON', () => writeFileSync(join(store, 'inbox/wish'), '{')],
  ['not a wish', () => writeFileSync(join(store, 'inbox/wish'), '{"version":"../..","archives":[]}')],
  ['too large', () => writeFileSync(join(store, 'inbox/wish'), ' '.repeat(200_000))],
  ['a folder', () => mkdirSync(join(store, 'inbox/wish'), { recursive: true })],
  [
    'a link',
    () => {
      writeFileSync(join(store, 'secret'), JSON.stringify(wish))
      symlinkSync(join(store, 'secret'), join(store, 'inbox/wish'))
    },
  ],
])('removes an invalid wish as root, so that it is not read again: %s', async (_, leave) => {
  leave()
  expect(await takeWish(store)).toBeUndefined()
  expect(existsSync(join(store, 'inbox/wish'))).toBe(false)
  if (existsSync(join(store, 'secret'))) expect(readFileSync(join(store, 'secret'), 'utf8')).not.toBe('')
})

it('removes nothing below a folder of the daemon as root, where a link could replace a folder', async () => {
  mkdirSync(join(store, 'inbox/wish/full'), { recursive: true })
  writeFileSync(join(store, 'inbox/wish/full/file'), 'kept')
  await expect(takeWish(store)).rejects.toThrow('ENOTEMPTY')
  expect(readFileSync(join(store, 'inbox/wish/full/file'), 'utf8')).toBe('kept')
})

it.each<[UpdateCause, string, Partial<Wish>]>([
  ['not_fetched', 'nobody listens there', {}],
  [
    'wrong_machine',
    'there is no version 9.2.0 for amd64',
    { archives: [{ architecture: 'armhf', sha256: '0'.repeat(64) }] },
  ],
  [
    'not_fetched',
    'the address of the cloud must begin with https://',
    { cloudUrl: 'http://gates.example.com' },
  ],
  ['not_newer', '0.0.1 is not newer than', { version: '0.0.1' }],
])('records for the daemon why the wish was refused: %s, %s', async (cause, words, differs) => {
  await leaveWish(store, { ...wish, ...differs })
  const world = realWorld({ logLevel: 'silent' })
  const given = { world, print() {}, architecture: 'x64', isRoot: false }
  const options = { offered: true, dataFolder: store, package: store, store, onOverlay: true }
  expect(await updateCommand(given, undefined, options)).toBe(false)
  expect(await readOutcome(store)).toEqual({
    taskId,
    version: differs.version ?? '9.2.0',
    state: 'refused',
    why: expect.stringContaining(words),
    cause,
  })
})

it('records nothing for a wish that comes while a version is on trial', async () => {
  await leaveWish(store, wish)
  const versions = new VersionStore(store)
  mkdirSync(join(store, 'versions/9.2.0'), { recursive: true })
  for (const change of beginTrial({ current: undefined, trial: undefined, failed: [] }, '9.2.0'))
    await versions.make(change)
  const world = realWorld({ logLevel: 'silent' })
  const printed: string[] = []
  const given = {
    world,
    print: (line: string) => void printed.push(line),
    architecture: 'x64',
    isRoot: false,
  }
  const options = { offered: true, dataFolder: store, package: store, store, onOverlay: true }
  expect(await updateCommand(given, undefined, options)).toBe(false)
  expect(printed.at(-1)).toBe('Not installed: another version is on trial: wait until that has ended.')
  expect(await readOutcome(store)).toBeUndefined()
})

it('accepts no update, and lets the daemon start, where the release keys cannot be read', async () => {
  await rm(join(store, 'release-keys'))
  mkdirSync(join(store, 'release-keys'))
  const parts = { world: realWorld({ logLevel: 'silent' }), store, package: store, architecture: 'x64' }
  expect(await Offers.open({ ...parts, cloudUrl: wish.cloudUrl, ca: undefined })).toBeUndefined()
})

it('fetches for wishes at most six times a day without success, also where it continues an earlier fetch', async () => {
  const listed = { version: '9.0.0', architecture: 'amd64', bytes: 600_000 }
  let asked = 0
  const server = createServer((request, response) => {
    if (request.url !== '/releases') asked++
    response.statusCode = request.url === '/releases' ? 200 : 404
    response.end(JSON.stringify({ releases: [listed] }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const world = realWorld({ logLevel: 'silent' })
  const given = { world, print() {}, architecture: 'x64', isRoot: false }
  const options = { offered: true, dataFolder: store, package: store, store, onOverlay: true }
  const ask = async () => {
    // An update keeps its lock until the program ends. Here another file replaces the lock.
    await rm(join(store, 'lock'), { force: true })
    await leaveWish(store, { ...wish, version: '9.0.0', cloudUrl: `http://127.0.0.1:${port}` })
    await updateCommand(given, undefined, options)
    return { asked, why: (await readOutcome(store))?.why }
  }
  const why = expect.stringContaining('does not offer it any more')
  for (const times of [1, 2, 3, 4, 5, 6]) expect(await ask()).toEqual({ asked: times, why })
  for (const begun of [false, true]) {
    if (begun) writeFileSync(join(store, 'fetched-9.0.0'), 'x')
    await rm(join(store, 'outcome'))
    expect(await ask()).toEqual({ asked: 6, why: expect.stringContaining('came to nothing within a day') })
  }
})
