import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import { runCommand } from '../cli/terminal.kit.ts'
import { type Database, databaseTrouble, openDatabase } from '../database/database.ts'
import { fillEveryTable } from '../database/everyTable.kit.ts'
import { migrate } from '../database/migrate.ts'
import { knownSchema } from '../database/migrations/schemaState.ts'
import { moveStateOf, noteRun, progressOf } from '../database/moveMarks.ts'
import { emptyPostgres, migratedPostgres } from '../database/postgres.kit.ts'
import { openPostgres } from '../database/postgres.ts'
import { freshSchema, readSchema } from '../database/schema.ts'
import { fillFolder } from '../database/tables.kit.ts'
import { keptAnswers } from '../http/keptAnswers.ts'
import { said } from '../opening/exchange.kit.ts'
import { createExchange } from '../opening/exchange.ts'
import type { Seal } from '../secrets/sealing.ts'
import { newSpace } from '../space/space.kit.ts'
import { copyTables } from './copy.ts'
import { mark, rowsOf, signedReport, stoppedCloud, stoppingAfterSeal, tablesOf } from './move.kit.ts'
import { type MoveSide, moveData } from './move.ts'
import { continueNumbers, loosen, movedTables, tighten } from './tables.ts'
import { claimTarget } from './target.ts'

const world = realWorld({ logLevel: 'silent' })
let folder = ''
const closing: (() => Promise<void>)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-move-'))
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  rmSync(folder, { recursive: true })
})

const at = (name: string) => join(folder, name)
const data = () => at('data')

async function opened(url: string): Promise<Database> {
  const database = url.startsWith('postgres') ? await openPostgres({ url }) : await openDatabase({ url })
  closing.push(() => database.close())
  return database
}

const sideOf = (database: Database, name = ''): MoveSide => ({ database, url: name, name })

/** Moves the file, without the command. */
async function moveAll(source: Database, target: Database, seal: Seal, file: string) {
  const sides = { source: sideOf(source, file), target: sideOf(target, 'postgres://server/name') }
  await claimTarget(sides.source, sides.target, world)
  return moveData({ ...sides, seal, world, tell: () => {} })
}

/** The operator's command with the data in the folder, or in another database. */
const callgate = (args: readonly string[], databaseUrl?: string) =>
  runCommand({ CALLGATE_DATA: data(), ...(databaseUrl && { DATABASE_URL: databaseUrl }) }, args)

/** Writes the address into a file, as an operator does. */
function addressFile(url: string): string {
  writeFileSync(at('address'), `${url}\n`, { mode: 0o600 })
  return at('address')
}
const moveTo = (url: string) => callgate(['move', '--to-file', addressFile(url)])

/** Copies all rows, without the checks of a move: the rows of every table make no sense together. */
async function copied(source: Database, target: Database): Promise<void> {
  expect(await claimTarget(sideOf(source), sideOf(target), world)).toBeUndefined()
  await target.write(tx => noteRun(tx, { moveId: 'move_1', source: '' }))
  const right = await freshSchema(target)
  await source.write(async tx => {
    await loosen(target)
    const tables = await movedTables(tx, target.knex)
    await copyTables({ from: tx, to: target, moveId: 'move_1', onRows: () => {} }, tables)
    await continueNumbers(tx, target)
    await tighten(target, right)
  })
}

it('copies every row of every table, and lets its numbers go on, there and back', async () => {
  await fillFolder(data())
  const source = await opened(at('data/callgate.sqlite'))
  await source.write(async tx => {
    for (const table of ['plans', 'servedTime']) await tx(table).delete()
    await fillEveryTable(tx)
    // The last number of a table was given to a row that is gone.
    await tx('restores').insert({ id: 5_000, takenAt: 'a', restoredAt: 'b', holdsNumbers: false })
    await tx('restores').where({ id: 5_000 }).delete()
  })
  const target = await opened(await emptyPostgres())
  await copied(source, target)
  const right = await freshSchema(target)
  const names = await tablesOf(target)
  expect(names.length).toBeGreaterThan(50)
  const rows = await rowsOf(target.knex, names)
  expect(rows).toEqual(await rowsOf(source.knex, names))
  expect(Object.entries(rows).filter(([, { length }]) => length === 0)).toEqual([])
  expect(await readSchema(target.knex)).toEqual(right)
  const restore = { takenAt: 'a', restoredAt: 'b', holdsNumbers: false }
  expect(await target.knex('restores').insert(restore).returning('id')).toEqual([{ id: 5_001 }])

  const back = await opened(at('back.sqlite'))
  await target.write(tx => tx('restores').where({ id: 5_001 }).delete())
  await copied(target, back)
  expect(await rowsOf(back.knex, names)).toEqual(rows)
  expect(await readSchema(back.knex)).toEqual(await freshSchema(back))
  expect(await back.knex('restores').insert(restore).returning('id')).toEqual([{ id: 5_002 }])
})

it('moves by command: the file is sealed for good, and Postgres has everything', async () => {
  const { file } = await stoppedCloud(data())
  const before = await opened(file)
  const url = await emptyPostgres()
  const { code, err, out } = await moveTo(url)
  expect([code, out]).toEqual([0, expect.stringContaining('sealed for good')])
  expect(err).toMatch(/Copying [\d,]+ rows of \d+ tables to postgres:/)
  expect(out + err).not.toContain('for-tests')
  const target = await opened(url)
  const names = await tablesOf(target)
  expect(await rowsOf(target.knex, names)).toEqual(await rowsOf(before.knex, names))
  expect((await callgate(['verify'], url)).out).toContain('as it must be')

  const refused = [
    ['serve'],
    ['space', 'list'],
    ['verify'],
    ['confirm-restore'],
    ['restored', '--yes'],
    ['migrate'],
  ]
  for (const args of refused) {
    const said = await callgate(args)
    expect([said.code, said.err]).toEqual([
      1,
      expect.stringMatching(/was moved to postgres:.+sealed for good. Set DATABASE_URL/),
    ])
    expect(said.err).not.toContain('for-tests')
  }
  expect((await callgate(['doctor'])).out).toMatch(/WRONG +database +The data was moved to postgres:/)
  // A program that has had it open all the time.
  const late = await newSpace({ world, database: before }).catch((error: unknown) => error)
  expect(databaseTrouble(late)).toBe('moved')

  const made = await callgate(['backup', at('b'), '--keys', at('k'), '--json'])
  expect(made.code).toBe(0)
  const { folder: copy, keysFolder } = JSON.parse(made.out)
  const restore = ['restore', copy, '--keys', keysFolder]
  const beside = await callgate([...restore, '--replace'])
  expect([beside.code, beside.err]).toEqual([1, expect.stringContaining('would call the same gates')])
  const elsewhere = await runCommand({ CALLGATE_DATA: at('elsewhere') }, restore)
  expect([elsewhere.code, elsewhere.err]).toEqual([
    1,
    expect.stringContaining('was made after its data was moved'),
  ])

  const again = await moveTo(await emptyPostgres())
  expect([again.code, again.err]).toEqual([1, expect.stringMatching(/was moved to postgres:/)])
})

it('lets the work of the cloud go on where it stopped', async () => {
  const { file, ids, rig, seal } = await stoppedCloud(data())
  const source = await opened(file)
  const target = await opened(await emptyPostgres())
  const { endpoint, gatewayId, spaceId } = rig
  const numbers = (database: Database) => database.knex('eventCounters').where({ spaceId }).first('lastSeq')
  const { lastSeq } = await numbers(source)
  await moveAll(source, target, seal, file)

  const exchange = createExchange({ world: rig.world, database: target, endpoint, noteDrift })
  await exchange.start()
  expect(await exchange.report(signedReport(gatewayId, ids.granted, 2, said.completed))).toMatchObject({
    result: 'applied',
  })
  const opening = (id: string) => target.knex('openings').where({ id }).first()
  for (const id of [ids.granted, ids.joined]) expect(await opening(id)).toMatchObject({ status: 'completed' })
  const kept = keptAnswers({ database: target, seal, world: rig.world })
  const row = await kept.find(mark)
  expect(row && kept.read(mark, row)).toMatchObject({ body: '{"opened":true}' })
  const seqs: number[] = await target.knex('events').where({ spaceId }).orderBy('seq').pluck('seq')
  expect(seqs.slice(-1)[0]).toBeGreaterThan(lastSeq)
  expect(seqs).toEqual(Array.from(seqs, (_, place) => (seqs[0] ?? 0) + place))
  exchange.stop()
})

/** A database whose writes fail once a table has so many rows there. */
function stopping(target: Database, table: string, rows: number): Database {
  const write: Database['write'] = async (work, options) => {
    const progress = await progressOf(target.knex).catch(() => undefined)
    if (progress?.get(table)?.rows === rows) throw new Error('stopped')
    return target.write(work, options)
  }
  return { ...target, write }
}

it.each(['the same', 'another'])(
  'goes on after a stop, with what it has copied where the file is %s',
  async now => {
    const { file, seal } = await stoppedCloud(data())
    const [source, target] = [await opened(file), await opened(await emptyPostgres())]
    const key = (place: number) => String(place).padStart(5, '0')
    const spent = Array.from({ length: 12_000 }, (_, place) => ({
      name: 'ticket',
      key: key(place),
      keptUntilMs: 1,
    }))
    await source.write(async tx => {
      for (let from = 0; from < spent.length; from += 200)
        await tx('spentKeys').insert(spent.slice(from, from + 200))
    })
    const stopped = moveAll(source, stopping(target, 'spentKeys', 10_000), seal, file)
    await expect(stopped).rejects.toThrow('stopped')
    const writtenBy = async () =>
      target
        .knex('spentKeys')
        .where({ key: key(0) })
        .first(target.knex.raw('xmin'))
    const before = await writtenBy()
    // Nothing can use it, and the file is as before.
    await expect(migrate(target)).rejects.toThrow('is not finished')
    if (now === 'another')
      await source.write(tx =>
        tx('spentKeys')
          .where({ key: key(7) })
          .update({ keptUntilMs: 2 }),
      )

    await moveAll(source, target, seal, file)
    expect(await migrate(target)).toEqual([])
    const names = await tablesOf(target)
    expect(await rowsOf(target.knex, names)).toEqual(await rowsOf(source.knex, names))
    if (now === 'another') expect(await writtenBy()).not.toEqual(before)
    else expect(await writtenBy()).toEqual(before)
  },
)

/** Moves until the file is sealed, and no further: the new database is still marked. */
async function stoppedAfterSeal() {
  const { file, seal } = await stoppedCloud(data())
  const url = await emptyPostgres()
  const [source, target] = [await opened(file), await opened(url)]
  const stopped = moveAll(...stoppingAfterSeal(source, target), seal, file)
  await expect(stopped).rejects.toThrow('stopped')
  return { file, source, target, url }
}

it('is finished by whoever opens Postgres first, where it was stopped after the seal', async () => {
  const { source, url } = await stoppedAfterSeal()
  await expect(migrate(source)).rejects.toThrow('was moved')
  // The command says that it is finished; a command on Postgres would do it as well.
  const { code, out } = await moveTo(url)
  expect([code, out]).toEqual([0, expect.stringContaining('is finished')])
  expect((await callgate(['space', 'list'], url)).code).toBe(0)
})

it('is finished from the sealed file at another place', async () => {
  const { source, url } = await stoppedAfterSeal()
  await source.close()
  renameSync(data(), at('moved'))
  const to = ['move', '--to-file', addressFile(url)]
  const { code, out } = await runCommand({ CALLGATE_DATA: at('moved') }, to)
  expect([code, out]).toEqual([0, expect.stringContaining('is finished')])
})

it('lets no other file into its database, also not one with the same path on another machine', async () => {
  const { file, source, target } = await stoppedAfterSeal()
  const name = 'the target'
  await source.close()
  renameSync(data(), at('moved'))
  const other = sideOf(await opened((await stoppedCloud(data())).file), file)
  expect(await claimTarget(other, sideOf(target, name), world)).toContain(`has all data of ${file}. Finish`)
  // A copy from while the move ran has the same rows, so it may go on.
  const { moveId } = (await moveStateOf(target.knex)) as { readonly moveId: string }
  await other.database.write(tx => noteRun(tx, { moveId, source: '' }))
  expect(await claimTarget(other, sideOf(target, name), world)).toBeUndefined()
})

it('goes on only in tables of its own version', async () => {
  const target = await opened(await emptyPostgres())
  const source = sideOf(await opened(at('callgate.sqlite')))
  const claim = () => claimTarget(source, sideOf(target), world)
  for (let times = 0; times < 2; times++) expect(await claim()).toBeUndefined()
  await target.knex('migrations').where({ name: knownSchema }).delete()
  expect(await claim()).toContain('Give a new, empty database')
})

it('refuses a database that it cannot fill, and changes neither', async () => {
  const { file } = await stoppedCloud(data())
  const filled = await migratedPostgres()
  await newSpace({ world, database: await opened(filled) })
  const newer = await migratedPostgres()
  await (await opened(newer)).knex('migrations').insert({ name: '0999-next', batch: 1 })
  const foreign = await emptyPostgres()
  await (await opened(foreign)).knex.raw('create table "mine" (a integer)')
  for (const [url, why] of [
    [filled, /is not empty: there are rows in \w+/],
    [newer, /was made by a newer version/],
    [foreign, /tables of another program/],
    [filled.replace('for-tests', 'wrong-word'), /refuses the user, the password .+ in --to-file/],
    [filled.replace(/\/test\d+\?/, '/nothere?'), /There is no database postgres/],
    [
      'postgres://nobody:wrong-word@127.0.0.1:1/x',
      /server of postgres:\/\/127\.0\.0\.1:1\/x does not answer/,
    ],
    [at('other.sqlite'), /address must hold postgres:/],
  ] as const) {
    const { code, err } = await moveTo(url)
    expect([code, err]).toEqual([1, expect.stringMatching(why)])
    expect(err).not.toMatch(/for-tests|wrong-word/)
  }
  const wrong = [
    [[], undefined, /Give --to-file and a file/],
    [['--to-file', at('nothing')], undefined, /nothing cannot be read/],
    [['--to', filled], filled, /both name a Postgres.+pg_dump/],
    [['--to', at('other.sqlite')], undefined, /both name a file.+callgate backup/],
  ] as const
  for (const [args, url, why] of wrong) {
    const { code, err } = await callgate(['move', ...args], url)
    expect([code, err]).toEqual([1, expect.stringMatching(why)])
  }
  const serving = await opened(file)
  const lock = await serving.lock()
  expect((await moveTo(await emptyPostgres())).err).toMatch(/A cloud serves .+ Stop it/)
  await lock?.release()
  expect(await migrate(serving)).toEqual([])
})
