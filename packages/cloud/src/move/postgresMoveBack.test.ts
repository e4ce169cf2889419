import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import { runCommand } from '../cli/terminal.kit.ts'
import { noteStop } from '../database/cleanStop.ts'
import { type Database, databaseTrouble, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { emptyPostgres } from '../database/postgres.kit.ts'
import { openPostgres } from '../database/postgres.ts'
import { said } from '../opening/exchange.kit.ts'
import { createExchange } from '../opening/exchange.ts'
import { newSpace } from '../space/space.kit.ts'
import { noteServing } from '../status/servingClouds.ts'
import { rowsOf, signedReport, stoppedCloud, stoppingAfterSeal, tablesOf } from './move.kit.ts'
import { moveData } from './move.ts'
import { claimTarget } from './target.ts'

const world = realWorld({ logLevel: 'silent' })
let folder = ''
const closing: (() => Promise<void>)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-move-back-'))
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  rmSync(folder, { recursive: true })
})

const at = (name: string) => join(folder, name)
const file = () => at('data/callgate.sqlite')

async function opened(url: string): Promise<Database> {
  const database = url.startsWith('postgres')
    ? await openPostgres({ url, world })
    : await openDatabase({ url })
  closing.push(() => database.close())
  return database
}

const callgate = (args: readonly string[], databaseUrl?: string) =>
  runCommand({ CALLGATE_DATA: at('data'), ...(databaseUrl && { DATABASE_URL: databaseUrl }) }, args)

/** The data of a cloud that has stopped, moved to Postgres; the sealed file was moved away. */
async function onPostgres() {
  const stopped = await stoppedCloud(at('data'))
  const url = await emptyPostgres()
  writeFileSync(at('address'), url, { mode: 0o600 })
  const moved = await callgate(['move', '--to-file', at('address')])
  expect([moved.code, moved.err]).toEqual([0, expect.any(String)])
  renameSync(file(), at('sealed.sqlite'))
  return { ...stopped, url }
}

const moveBack = (url: string, to = file()) => callgate(['move', '--to', to], url)

it('moves back into a new file with the same rows, and seals the Postgres for good', async () => {
  const { url } = await onPostgres()
  const cloud = await opened(url)
  const sealed = await opened(at('sealed.sqlite'))
  // When an earlier file of that name was last served.
  noteStop(file(), world)
  const { code, err, out } = await moveBack(url)
  expect([code, out]).toEqual([0, expect.stringContaining('Remove DATABASE_URL and DATABASE_URL_FILE')])
  expect(err).toMatch(/Copying [\d,]+ rows of \d+ tables to .+callgate.sqlite/)
  expect(out + err).not.toContain('for-tests')
  const back = await opened(file())
  const names = await tablesOf(cloud)
  const rows = await rowsOf(back.knex, names)
  expect(rows).toEqual(await rowsOf(cloud.knex, names))
  expect(rows).toEqual(await rowsOf(sealed.knex, names))
  expect((await callgate(['verify'])).out).toContain('as it must be')
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(['.moving-from', '-stopped'].map(end => existsSync(`${file()}${end}`))).toEqual([false, false])

  for (const args of [['serve'], ['space', 'list'], ['verify'], ['restored', '--yes'], ['migrate']]) {
    const refused = await callgate(args, url)
    const why = expect.stringMatching(/was moved to .+callgate.sqlite on .+sealed for good/)
    expect([refused.code, refused.err]).toEqual([1, why])
  }
  expect((await callgate(['doctor'], url)).out).toMatch(/WRONG +database +The data was moved to /)
  // A cloud that has had it open all the time.
  const late = await newSpace({ world, database: cloud }).catch((error: unknown) => error)
  expect(databaseTrouble(late)).toBe('moved')
  expect(
    databaseTrouble(
      await cloud
        .knex('spaces')
        .delete()
        .catch((error: unknown) => error),
    ),
  ).toBe('moved')
  // One that could not reach it meanwhile asks for its lock again, and stops.
  expect(await cloud.lock('shared')).toBeUndefined()
  // Nothing goes into a database that was left.
  writeFileSync(at('address'), url, { mode: 0o600 })
  const there = await callgate(['move', '--to-file', at('address')])
  expect([there.code, there.err]).toEqual([1, expect.stringContaining('is sealed for good')])
})

it('lets the work of the clouds go on in the file', async () => {
  const { ids, rig, url } = await onPostgres()
  // The owner of an opening is one of several clouds.
  const cloud = await opened(url)
  await cloud.knex('openings').where({ id: ids.granted }).update({ owner: 'cloud_1', ownerEpoch: 3 })
  await moveBack(url)
  const database = await opened(file())
  const { endpoint, gatewayId, spaceId } = rig
  const { lastSeq } = await database.knex('eventCounters').where({ spaceId }).first('lastSeq')
  const exchange = createExchange({ world: rig.world, database, endpoint, noteDrift })
  await exchange.start()
  const report = signedReport(gatewayId, ids.granted, 2, said.completed)
  expect(await exchange.report(report)).toMatchObject({ result: 'applied' })
  for (const id of [ids.granted, ids.joined])
    expect(await database.knex('openings').where({ id }).first()).toMatchObject({ status: 'completed' })
  const next = await database.knex('events').where({ spaceId }).max({ seq: 'seq' }).first()
  expect(next?.seq).toBeGreaterThan(lastSeq)
  exchange.stop()
})

it('refuses a file that it cannot fill, and while clouds serve the Postgres', async () => {
  const { url } = await onPostgres()
  const sealed = await moveBack(url, at('sealed.sqlite'))
  expect([sealed.code, sealed.err]).toEqual([
    1,
    expect.stringMatching(/is sealed for good: its data was moved/),
  ])
  await newSpace({ world, database: await migrated(at('filled.sqlite')) })
  expect((await moveBack(url, at('filled.sqlite'))).err).toMatch(/is not empty: there are rows in \w+/)
  writeFileSync(at('text'), 'no database, '.repeat(100))
  expect((await moveBack(url, at('text'))).err).toMatch(/is not a SQLite database/)

  const serving = await opened(url)
  const lock = await serving.lock('shared')
  const stop = noteServing({ database: serving, world, isListening: () => true, isAlone: false })
  await expect.poll(async () => (await serving.knex('servingClouds')).length).toBe(1)
  expect((await moveBack(url)).err).toMatch(/^A cloud serves postgres:.+ \(.+\)\. Stop it/)
  await stop()
  await lock?.release()
  expect(await migrate(serving)).toEqual([])
})

async function migrated(path: string): Promise<Database> {
  const database = await opened(path)
  await migrate(database)
  return database
}

it('is finished by the first program on the file where it was stopped after the seal, by the address beside it', async () => {
  const { seal, url } = await onPostgres()
  const [cloud, back] = [await opened(url), await opened(file())]
  const [database, stopping] = stoppingAfterSeal(cloud, back)
  const source = { database, url, name: 'postgres://server/name' }
  const target = { database: stopping, url: file(), name: file() }
  expect(await claimTarget(source, { ...target, database: back }, world)).toBeUndefined()
  await expect(moveData({ source, target, seal, world, tell: () => {} })).rejects.toThrow('stopped')
  await expect(migrate(cloud)).rejects.toThrow('was moved')
  const beside = `${file()}.moving-from`
  expect(statSync(beside).mode & 0o777).toBe(0o600)
  renameSync(beside, at('aside'))
  await expect(migrate(back)).rejects.toThrow('is not finished')
  renameSync(at('aside'), beside)
  expect((await callgate(['space', 'list'])).code).toBe(0)
  expect(existsSync(beside)).toBe(false)
  expect(await migrate(back)).toEqual([])
})
