// The doctor on a real Postgres: every possible fault of a server, a login or a database, with advice.

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, TLSSocket } from 'node:tls'
import { expired, renewed, selfSigned } from '@callgate/mqtt/certificate.kit'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../cli/terminal.kit.ts'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { emptyPostgres } from '../database/postgres.kit.ts'
import { openPostgres } from '../database/postgres.ts'
import type { Check } from './check.ts'

const folder = mkdtempSync(join(tmpdir(), 'callgate-doctor-'))
let url = ''
let database: Database
const ends: (() => unknown)[] = []
beforeAll(async () => {
  url = await emptyPostgres()
  database = await openPostgres({ url })
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

/** The doctor's checks by name. */
async function examined(databaseUrl = url): Promise<Readonly<Record<string, Check>>> {
  const environment = { CALLGATE_DATA: folder, PORT: '1', MQTT_PORT: '1', DATABASE_URL: databaseUrl }
  const { code, err, out } = await runCommand(environment, ['doctor', '--json', '--backups', folder])
  expect(err + out).not.toMatch(/for-tests|wr0ng-w0rd/)
  const { checks, ok } = JSON.parse(out) as { readonly ok: boolean; readonly checks: readonly Check[] }
  expect(code).toBe(ok ? 0 : 1)
  return Object.fromEntries(checks.map(check => [check.name, check]))
}

const found = (state: string, says: RegExp, advice: RegExp) => ({
  state,
  says: expect.stringMatching(says),
  advice: expect.stringMatching(advice),
})

it('tells an empty database from one with the newest tables', async () => {
  const empty = await examined()
  expect(empty['database']).toMatchObject(
    found('warning', /older version of Callgate, or there are none/, /callgate migrate/),
  )
  for (const name of ['reports', 'signing key', 'alerts'])
    expect(empty[name], name).toMatchObject(found('unknown', /older version of Callgate/, /callgate migrate/))
  await migrate(database)
  const checks = await examined()
  expect(checks).toMatchObject({
    database: { state: 'ok', says: 'Postgres answers, with the newest tables' },
    disk: { state: 'ok', says: expect.stringContaining('Postgres has its own disk') },
    'signing key': { state: 'unknown' },
    backups: found('unknown', /Backups of Postgres/, /pg_dump/),
  })
})

it('finds tables of a newer version', async () => {
  await migrate(database)
  await database.write(async tx => {
    await tx('migrations').insert({ name: '9999-later' })
    await tx('schemas').update({ readableFrom: '9999-later' })
  })
  expect((await examined())['database']).toMatchObject(found('wrong', /newer version/, /Run that version/))
  await database.write(async tx => {
    await tx('migrations').where({ name: '9999-later' }).delete()
    await tx('schemas').update({ readableFrom: '0020-replicas' })
  })
})

it('says what is wrong with the address, the login and the name', async () => {
  const wrong: readonly (readonly [string, RegExp, RegExp])[] = [
    [url.replace('for-tests', 'wr0ng-w0rd'), /refuses the user, the password/, /pg_hba\.conf/],
    [
      url.replace(/\/test\d+\?/, '/nothere?'),
      /There is no database/,
      /create database NAME template template0/,
    ],
    [
      'postgres://callgate:wr0ng-w0rd@127.0.0.1:1/x',
      /does not answer/,
      /the host and the port in DATABASE_URL/,
    ],
  ]
  for (const [address, says, advice] of wrong)
    expect((await examined(address))['database']).toMatchObject(found('wrong', says, advice))
})

/** A user of the server with a password, and the address with which it connects. */
async function newRole(name: string): Promise<string> {
  await database.knex.raw(`create role ${name} login password 'for-tests'`)
  ends.push(() => database.knex.raw(`drop owned by ${name} cascade; drop role ${name}`))
  return url.replace('postgres:for-tests', `${name}:for-tests`)
}

it('finds a user who may not read or write the tables, or does not own them', async () => {
  await migrate(database)
  const own = await newRole('reader')
  const missing = found('wrong', /The user reader may not read and write all tables/, /reassign owned/)
  expect((await examined(own))['database']).toMatchObject(missing)
  await database.knex.raw('grant select on all tables in schema public to reader')
  expect((await examined(own))['database']).toMatchObject(missing)
  await database.knex.raw('grant all on all tables in schema public to reader')
  expect((await examined(own))['database']).toMatchObject(
    found('warning', /belong to another user than reader/, /reassign owned/),
  )
})

it('finds a database that is set to read only', async () => {
  await migrate(database)
  const own = await newRole('quiet')
  await database.knex.raw('alter role quiet set default_transaction_read_only = on')
  expect((await examined(own))['database']).toMatchObject(
    found('wrong', /set to read only/, /primary server/),
  )
})

it('finds a server that is too old', async () => {
  // A function in front of the system's own reports another version.
  const own = await newRole('elder')
  await database.knex.raw(`create schema elder authorization elder;
    create function elder.current_setting(text) returns text language sql as
    $$ select case $1 when 'server_version_num' then '130011' else pg_catalog.current_setting($1) end $$;
    alter role elder set search_path = elder, pg_catalog`)
  expect((await examined(own))['database']).toMatchObject(
    found('wrong', /is Postgres 13; Callgate needs 14 or newer/, /Update/),
  )
})

it("tells whether the server's log is archived, which is all that it can see of backups", async () => {
  // Names in front of the system's own report a server that archives.
  const own = await newRole('archivist')
  await database.knex.raw(`create schema archivist authorization archivist;
    create function archivist.current_setting(text) returns text language sql as
    $$ select case $1 when 'archive_mode' then 'on' else pg_catalog.current_setting($1) end $$;
    create table archivist.pg_stat_archiver (failed_count int, last_archived_time timestamptz, last_failed_time timestamptz);
    insert into archivist.pg_stat_archiver values (0, null, null);
    grant all on all tables in schema archivist to archivist;
    alter role archivist set search_path = archivist, pg_catalog`)
  const says = async () => (await examined(own))['backups']
  expect(await says()).toMatchObject(found('unknown', /has archived nothing yet/, /pgbackrest info/))
  await database.knex.raw(
    `update archivist.pg_stat_archiver set last_archived_time = now() - interval '7 minutes'`,
  )
  expect(await says()).toMatchObject(found('unknown', /the last piece 7 min ago/, /copy the keys/))
  await database.knex.raw('update archivist.pg_stat_archiver set failed_count = 3, last_failed_time = now()')
  expect(await says()).toMatchObject(found('warning', /3 attempts failed/, /archive_command/))
})

it('finds a database that does not sort texts by their bytes, or has another encoding', async () => {
  const other = (name: string) => url.replace(/\/test\d+\?/, `/${name}?`)
  await database.knex.raw(
    `create database sorted template template0 encoding 'UTF8' locale_provider icu icu_locale 'de' locale 'C'`,
  )
  await database.knex.raw(`create database latin template template0 encoding 'LATIN1' locale 'C'`)
  const sorted = await examined(other('sorted'))
  const latin = await examined(other('latin'))
  await database.knex.raw('drop database sorted')
  await database.knex.raw('drop database latin')
  const remade = /Make another one: create database NAME template template0 encoding 'UTF8' locale 'C'/
  expect(sorted['database']).toMatchObject(found('wrong', /sorts texts by the rules of de of ICU/, remade))
  expect(latin['database']).toMatchObject(found('wrong', /has the encoding LATIN1/, remade))
})

/** A server that accepts the request for TLS like Postgres, and shows this certificate. */
async function withCertificate(pair: typeof selfSigned): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('S')
      new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(pair) }).on(
        'error',
        () => {},
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

it('finds a server whose certificate is of another authority, for another host or expired', async () => {
  const ca = (pair: typeof selfSigned) => {
    const file = join(folder, 'ca.pem')
    writeFileSync(file, pair.cert)
    return file
  }
  const tried: readonly (readonly [string, typeof selfSigned, typeof selfSigned])[] = [
    ['localhost', selfSigned, renewed],
    ['127.0.0.1', selfSigned, selfSigned],
    ['localhost', expired, expired],
  ]
  for (const [host, shown, trusted] of tried) {
    const port = await withCertificate(shown)
    const address = `postgres://callgate:wr0ng-w0rd@${host}:${port}/x?sslmode=verify-full&sslrootcert=${ca(trusted)}`
    expect((await examined(address))['database']).toMatchObject(
      found('wrong', /The certificate of the server of postgres:\/\/\S+ is not trusted/, /sslrootcert=FILE/),
    )
  }
})

it('names an unreadable file of a certificate authority', async () => {
  const file = join(folder, 'none.pem')
  const address = `postgres://callgate:wr0ng-w0rd@localhost:5432/x?sslmode=verify-full&sslrootcert=${file}`
  expect((await examined(address))['database']).toMatchObject(
    found('wrong', new RegExp(`names the file ${file}, which cannot be read: ENOENT`), /DATABASE_URL/),
  )
})
