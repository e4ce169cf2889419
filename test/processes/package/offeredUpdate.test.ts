// Updates that the cloud requests: a real cloud, its broker, the unpacked package with its daemon, and a test in place of the
// path unit.

import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addRelease, archivesOf, releaseFolder } from '@callgate/cloud/release/releaseShelf'
import { insertTask } from '@callgate/cloud/task/taskRows'
import { readStages, writeStage } from '@callgate/cloud/update/stageRows'
import { saveUpdate, toUpdateView, updateOf } from '@callgate/cloud/update/updateRows'
import { realWorld } from '@callgate/world/real'
import { version as packaged } from '@callgate/world/version'
import { isoTime } from '@callgate/world/world'
import { afterAll, beforeAll, expect, it, type TestContext, vi } from 'vitest'
import { bundledGateway } from '../../../deploy/pi/gatewayPackage.ts'
import { releaseFile, runningGateway, stranger } from './installedGateway.ts'

const world = realWorld({ logLevel: 'silent' })

let folder = ''
let bundle: Awaited<ReturnType<typeof bundledGateway>> = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-offered-'))
  execFileSync('chmod', ['755', folder])
  bundle = await bundledGateway()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Replaces `callgate-gateway-offer.path`: whenever a request file is there, the helper is started, one at a time. Returns a
 * function that ends it.
 */
function pathUnit(store: string, update: (...from: string[]) => Promise<unknown>): () => Promise<void> {
  let isStopped = false
  let running: Promise<unknown> = Promise.resolve()
  const check = () => {
    if (isStopped) return
    running = existsSync(join(store, 'inbox/wish')) ? update('--offered') : Promise.resolve()
    void running.then(() => world.after(100, check))
  }
  check()
  return async () => {
    isStopped = true
    await running
  }
}

/** A gateway with its cloud, and the actions of a test on them. */
async function offeredGateway({ onTestFinished }: TestContext) {
  const given = { folder: mkdtempSync(join(folder, 'one-')), bundle, onTestFinished }
  execFileSync('chmod', ['755', given.folder])
  const { database, gatewayId, press, spaceId, store, update, versionNow } = await runningGateway(given)
  onTestFinished(pathUnit(store, update))
  const shelf = releaseFolder(given.folder)
  const place = { spaceId, gatewayId }
  const view = async () => {
    const row = await updateOf(database.knex, place)
    return row && toUpdateView(row, await readStages(database.knex), world.nowMs())
  }
  const soon = { timeout: 150_000, interval: 500 }
  const ends = (last: object) =>
    vi.waitFor(async () => expect((await view())?.last).toMatchObject(last), soon)
  const canUpdate = () =>
    vi.waitFor(async () => expect(await view()).toMatchObject({ canUpdate: true }), soon)
  const opens = () =>
    vi.waitFor(async () => expect(await press()).toMatchObject({ status: 200, body: { opened: true } }), {
      timeout: 90_000,
      interval: 1_000,
    })
  const stage = async (version: string) => {
    const archives = await archivesOf(shelf, version)
    await database.write(tx =>
      writeStage(tx, world, { version, archives, notes: null, percent: 100, spaces: [] }),
    )
  }
  const allow = (version: string) =>
    database.write(tx =>
      saveUpdate(tx, place, { allowedVersion: version, allowedAt: isoTime(world.nowMs()) }),
    )
  /** A cloud that is not ours, or was taken over, requests an update that nobody has offered. */
  const ask = async (version: string) => {
    const archives = await archivesOf(shelf, version)
    const task = { ...place, kind: 'update', details: { version, archives } } as const
    expect(await database.write(tx => insertTask(tx, world, task))).toBeDefined()
  }
  const endsInActivity = async () => {
    const actions = await database
      .knex('activity')
      .where('action', 'like', 'gateway.update_%')
      .pluck('details')
    return actions.map(text => JSON.parse(text).state).filter(Boolean)
  }
  return {
    allow,
    ask,
    canUpdate,
    database,
    ends,
    endsInActivity,
    gatewayId,
    given,
    opens,
    shelf,
    stage,
    store,
    soon,
    versionNow,
    view,
  }
}

// Each waits in real time: a new version is tried for 30 s, and the daemon checks every 30 s how an update has ended.
const notHere = (skip: TestContext['skip']) =>
  skip(process.arch !== 'x64', 'the package for amd64 does not run here')

it.concurrent('G5: installs what an owner allows, and rolls back a version that does not work', async context => {
  notHere(context.skip)
  const gateway = await offeredGateway(context)
  const { allow, canUpdate, database, ends, endsInActivity, gatewayId, given, opens } = gateway
  const { shelf, soon, stage, store, versionNow, view } = gateway
  await addRelease(shelf, createReadStream(await releaseFile(given, '1.2.0')))
  await stage('1.2.0')
  await opens()
  await canUpdate()
  expect(await view()).toMatchObject({
    version: packaged,
    offered: { version: '1.2.0' },
    last: null,
  })
  await allow('1.2.0')
  await ends({ version: '1.2.0', state: 'installed', why: null })
  expect(versionNow()).toBe('1.2.0')
  await vi.waitFor(async () => expect(await view()).toMatchObject({ version: '1.2.0', offered: null }), soon)
  await opens()

  const crashes = "if (process.argv.includes('run')) process.exit(70)"
  await addRelease(shelf, createReadStream(await releaseFile(given, '1.4.0', { first: crashes })))
  await stage('1.4.0')
  await allow('1.4.0')
  await ends({ version: '1.4.0', state: 'taken_back', why: expect.stringContaining('ended by itself') })
  expect(versionNow()).toBe('1.2.0')
  expect((await readStages(database.knex)).find(({ version }) => version === '1.4.0')?.halted).toMatchObject({
    by: gatewayId,
  })
  await opens()
  expect(await endsInActivity()).toEqual(['installed', 'taken_back'])
  expect(readFileSync(join(store, 'failed'), 'utf8')).toContain('1.4.0')
})

it.concurrent('G5: refuses a release that is unsigned, incomplete or not newer, and reports the reason to the cloud', async context => {
  notHere(context.skip)
  const gateway = await offeredGateway(context)
  const { ask, canUpdate, ends, endsInActivity, given, shelf, versionNow } = gateway
  await canUpdate()
  mkdirSync(shelf, { recursive: true })
  const broken = (bytes: Buffer) =>
    Buffer.from(bytes.map((byte, at) => (at === bytes.length - 9 ? byte ^ 1 : byte)))
  for (const [version, path, words] of [
    ['1.3.0', await releaseFile(given, '1.3.0', { by: stranger }), 'not signed by a release key'],
    ['1.3.1', await releaseFile(given, '1.3.1', { alter: broken }), 'not the one that was signed'],
    ['0.0.5', await releaseFile(given, '0.0.5'), `0.0.5 is not newer than ${packaged}`],
  ] as const) {
    // Bypasses `callgate release add`, which would check it.
    copyFileSync(path, join(shelf, `callgate-gateway_${version}_amd64.release`))
    await ask(version)
    await ends({ version, state: 'refused', why: expect.stringContaining(words) })
    expect(versionNow()).toBe(packaged)
  }
  expect(await endsInActivity()).toEqual(['refused', 'refused', 'refused'])
})
