import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCloud } from '../app.ts'
import { runCommand } from '../cli/terminal.kit.ts'
import { readConfig } from '../config.ts'
import { databaseTrouble } from './database.ts'
import { migrate } from './migrate.ts'
import { emptyPostgres } from './postgres.kit.ts'
import { openPostgres } from './postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'callgate-on-postgres-'))
const world = realWorld({ logLevel: 'silent' })
let url = ''
beforeAll(async () => {
  url = await emptyPostgres()
})
afterAll(() => rmSync(folder, { recursive: true }))

const environment = (databaseUrl: string) => ({ CALLGATE_DATA: folder, DATABASE_URL: databaseUrl })
const callgate = (databaseUrl: string, ...args: string[]) => runCommand(environment(databaseUrl), args)

/** Ends every connection to the database but its own, as a stopping server does. */
async function cutAll(): Promise<void> {
  const other = await openPostgres({ url })
  const own = other.knex.raw('pg_backend_pid()')
  const sessions = other.knex('pg_stat_activity').whereRaw('datname = current_database() and pid <> ?', [own])
  await sessions.select(other.knex.raw('pg_terminate_backend(pid)'))
  await other.close()
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise<void>(resolve => world.after(20, resolve))
}

it('names the fault of a server, a login or a name, without the password', async () => {
  const wrong: [string, RegExp][] = [
    [url.replace('for-tests', 'wrong-word'), /refuses the user, the password/],
    [url.replace(/\/test\d+\?/, '/nothere?'), /There is no database postgres:\/\/\/nothere\. Make it/],
    [
      'postgres://nobody:wrong-word@127.0.0.1:1/x',
      /server of postgres:\/\/127\.0\.0\.1:1\/x does not answer/,
    ],
    ['postgres://nobody:wrong/word@host/x', /must be postgres:\/\/USER:PASSWORD@HOST:5432\/NAME/],
    ['mysql://nobody:wrong-word@host/x', /begins with mysql:/],
  ]
  for (const [address, message] of wrong) {
    const { code, err, out } = await callgate(address, 'space', 'list')
    expect([code, err]).toEqual([1, expect.stringMatching(message)])
    expect(err + out).not.toMatch(/for-tests|wrong.word/)
  }
})

it('serves the commands of an operator, and says what to use instead of backup and restore', async () => {
  const args = ['space', 'create', '--name', 'Casa', '--plan', 'pro', '--json']
  expect((await callgate(url, ...args)).code).toBe(0)
  expect((await callgate(url, 'space', 'list')).out).toContain('Casa')
  const refused = [
    await callgate(url, 'backup', join(folder, 'backup'), '--without-keys'),
    await callgate(url, 'restore', join(folder, 'backup')),
  ]
  for (const { code, err } of refused) expect([code, err]).toEqual([1, expect.stringContaining('pg_dump')])
})

it('works again after the server has ended its connections, and loses no commit that was answered', async () => {
  const database = await openPostgres({ url, world })
  await migrate(database)
  const rename = (name: string) =>
    database.write(async tx => void (await tx('spaces').update({ name })), { spaceId: null })
  await rename('before')
  // In the middle of a transaction, of which nothing is kept.
  const cut = database.write(async tx => {
    await tx('spaces').update({ name: 'during' })
    await cutAll()
    await tx('spaces').update({ name: 'during' })
  })
  const error = await cut.catch((thrown: unknown) => thrown)
  expect(databaseTrouble(error)).toBe('unreachable')
  expect(await database.knex('spaces').pluck('name')).toEqual(['before'])
  await rename('after')
  expect(await database.knex('spaces').pluck('name')).toEqual(['after'])
  await database.close()
})

it('does not claim that nothing was done where a commit had no answer', async () => {
  const database = await openPostgres({ url })
  const cut = database.write(async tx => {
    await tx('spaces').update({ name: 'unknown' })
    await cutAll()
  })
  const error = await cut.catch((thrown: unknown) => thrown)
  expect(String(error)).toContain('whether it was committed is unknown')
  expect(databaseTrouble(error)).toBeUndefined()
  await database.close()
})

it('lets one cloud with a broker of its own serve, which takes its lock again after an outage', async () => {
  const retries: (() => void)[] = []
  const after = (_ms: number, then: () => void) => {
    retries.push(then)
    return { cancel() {} }
  }
  const one = await openPostgres({ url, world: { ...world, after } })
  const two = await openPostgres({ url, world })
  /** Whether anybody holds the lock. Asked on a new connection, because the others may be cut. */
  const isHeld = async () => {
    const asking = await openPostgres({ url })
    const place = { locktype: 'advisory', objid: 2, objsubid: 1, granted: true }
    const row = await asking.knex('pg_locks').where(place).first()
    await asking.close()
    return row !== undefined
  }
  const lock = await one.lock()
  for (const how of ['alone', 'shared'] as const) expect(await two.lock(how)).toBeUndefined()
  await cutAll()
  await until(async () => retries.length === 1)
  retries.pop()?.()
  await until(isHeld)
  expect(await two.lock()).toBeUndefined()

  // After the next outage, the second cloud takes the lock first.
  const isLost = new Promise<void>(resolve => lock?.onLost(resolve))
  await cutAll()
  await until(async () => retries.length === 1)
  const taken = await two.lock()
  expect(taken).toBeDefined()
  retries.pop()?.()
  await isLost
  await taken?.release()
  await lock?.release()
  await until(async () => !(await isHeld()))

  const shared = [await one.lock('shared'), await two.lock('shared')]
  for (const each of shared) expect(each).toBeDefined()
  expect(await one.lock()).toBeUndefined()
  for (const each of shared) await each?.release()
  await Promise.all([one.close(), two.close()])
})

it('answers requests, is ready, refuses a second cloud, and leaves no note of its stop', async () => {
  const database = await openPostgres({ url, world, serverTime: world })
  await migrate(database)
  const read = readConfig({ ...environment(url), HOST: '127.0.0.1' })
  if (!read.ok) throw new Error(read.message)
  const config = { ...read.config, port: 0, mqttPort: 0 }
  const cloud = createCloud({ world, config, database })
  const started = await cloud.start()
  if (!started.ok) throw new Error(started.message)
  expect(started.quietForMs).toBe(0)
  const ready = await fetch(`http://127.0.0.1:${started.port}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([200, expect.objectContaining({ status: 'ready' })])
  const second = createCloud({ world, config, database })
  const refused = await second.start()
  expect(refused).toMatchObject({ ok: false, code: 'data_in_use' })
  expect(JSON.stringify(refused)).not.toContain('for-tests')
  await cloud.stop()
  const again = createCloud({ world, config, database })
  expect(await again.start()).toMatchObject({ ok: true, quietForMs: 0 })
  await again.stop()
  await database.close()
})
