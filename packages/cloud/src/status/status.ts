// The status: what serves, what it is connected to, and what waits, on one screen. It reads the data, and changes nothing.

import { stat } from 'node:fs/promises'
import { version } from '@callgate/world/version'
import { isoTime, type World } from '@callgate/world/world'
import { findMute, type Mute } from '../alert/mutes.ts'
import { type LastBackup, readLastBackup } from '../backup/lastBackup.ts'
import { type Config, mqttUrlOf } from '../config.ts'
import { wasOnlineUntil } from '../core/beatHistory.ts'
import { countRows, type Database, type Db, fileOf, runSql } from '../database/database.ts'
import { isServer } from '../database/databaseAddress.ts'
import { isPostgres } from '../database/dialect.ts'
import { lastHeard } from '../gateway/gatewayRows.ts'
import { oldProgramOf } from '../gateway/oldPrograms.ts'
import { lastRestore } from '../restore/restores.ts'
import { keyPaths, readKeyring } from '../secrets/keyring.ts'
import { countOpenings, type OpeningCounts } from './openingCounts.ts'
import { type ServingCloud, servingClouds } from './servingClouds.ts'

export interface Status {
  readonly at: string
  /** The version of this command. */
  readonly version: string
  readonly clouds: readonly ServingCloud[]
  readonly database: {
    readonly product: 'SQLite' | 'Postgres'
    readonly version: string
    readonly bytes: number
    readonly migrations: number
    readonly newestMigration: string
    /** Since when a restore waits for its confirmation; null where none does. */
    readonly unconfirmedRestoreAt: string | null
  }
  readonly broker: {
    readonly isEmbedded: boolean
    readonly url: string
    readonly isConnected: boolean | null
  }
  readonly gateways: {
    readonly online: number
    readonly offline: number
    readonly neverHeard: number
    /** Their programs are too old for their beats to be read. */
    readonly tooOld: number
  }
  readonly openingsOfLastHour: OpeningCounts
  readonly mails: { readonly waiting: number; readonly oldestAt: string | null }
  readonly webhooks: {
    readonly active: number
    readonly failing: number
    readonly off: number
    readonly waitingDeliveries: number
  }
  /** Null where the files cannot be read: `callgate doctor` says why. */
  readonly keys: {
    readonly signing: { readonly keyId: string; readonly since: string; readonly isRotating: boolean }
    readonly sealing: { readonly version: number; readonly since: string; readonly isRotating: boolean }
  } | null
  /** Null where none is known, as on Postgres. */
  readonly backup: LastBackup | null
  readonly alerts: { readonly goingOn: number; readonly mute: Mute | null }
}

interface StatusParts {
  readonly config: Config
  readonly database: Database
  readonly world: World
  /** Whether the time is that of the world on Postgres too, for tests that control it. */
  readonly isByWorld?: true
}

const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

const ask = async <Row>(db: Db, sql: string) => (await runSql(db, sql, []))[0] as Row

async function readDatabase({ config, database: { knex } }: StatusParts): Promise<Status['database']> {
  const sql = isPostgres(knex)
    ? `select current_setting('server_version') as "version", pg_database_size(current_database()) as "bytes"`
    : 'select sqlite_version() as "version", 0 as "bytes"'
  const own = await ask<{ version: string; bytes: number | string }>(knex, sql)
  const files = isPostgres(knex) ? [] : ['', '-wal'].map(end => sizeOf(`${fileOf(config.databaseUrl)}${end}`))
  const bytes = (await Promise.all(files)).reduce((sum, size) => sum + size, Number(own.bytes))
  const names: string[] = await knex('migrations').orderBy('name').pluck('name')
  const restore = await lastRestore(knex)
  return {
    product: isPostgres(knex) ? 'Postgres' : 'SQLite',
    // Packages add their own name after a space.
    version: own.version.split(' ')[0] ?? '',
    bytes,
    migrations: names.length,
    newestMigration: names.at(-1) ?? '',
    unconfirmedRestoreAt: restore && restore.confirmedAt === null ? restore.restoredAt : null,
  }
}

/** By their rows, which may be some minutes old. */
async function countGateways(db: Db, nowMs: number): Promise<Status['gateways']> {
  const counts = { online: 0, offline: 0, neverHeard: 0, tooOld: 0 }
  const rows = await db('gateways')
    .select('lastBeat', 'lastBeatAt', 'onlineSince', 'tooOldAt', 'tooOldVersion')
    .whereNull('revokedAt')
  for (const row of rows) {
    const heard = lastHeard(row)
    if (oldProgramOf(row, nowMs)) counts.tooOld++
    if (!heard) counts.neverHeard++
    else if (wasOnlineUntil(heard, nowMs)) counts.online++
    else counts.offline++
  }
  return counts
}

const waitingMails = (db: Db) => db('outbox').whereNull('sentAt').whereNull('givenUpAt')

async function countWebhooks(db: Db): Promise<Status['webhooks']> {
  const rows: { failingSince: string | null; stoppedAt: string | null }[] = await db('webhooks').select(
    'failingSince',
    'stoppedAt',
  )
  const going = rows.filter(({ stoppedAt }) => stoppedAt === null)
  const failing = going.filter(({ failingSince }) => failingSince !== null).length
  return {
    active: going.length - failing,
    failing,
    off: rows.length - going.length,
    waitingDeliveries: await countRows(db('webhookDeliveries').whereNotNull('nextAttemptAt')),
  }
}

/**
 * The keys, and since when each is in use. The first ones carry no time: they are as old as their files, or as the first Space where
 * a restore has written the files anew.
 */
async function readKeys({ config, database: { knex }, world }: StatusParts): Promise<Status['keys']> {
  const loaded = await readKeyring(world, config.keys)
  if (!loaded.ok) return null
  const { keys, number } = loaded.keyring.signing()
  const sealing = [...loaded.keyring.sealingKeys()].sort(([one], [other]) => other - one)
  const [newest] = sealing
  const signing = keys.at(-1)
  if (!newest || !signing) return null
  const first = await knex('spaces').min({ at: 'createdAt' }).first()
  const firstMs = first?.['at'] ? Date.parse(String(first['at'])) : Number.POSITIVE_INFINITY
  const made = await Promise.all(keyPaths(config.keys).map(({ file }) => stat(file)))
  const [signingMs = 0, sealingMs = 0] = made.map(({ mtimeMs }) => Math.min(mtimeMs, firstMs))
  const since = (ms: number, fileMs: number) => isoTime(Math.floor(ms > 0 ? ms : fileMs))
  return {
    signing: { keyId: signing.keyId, since: since(number, signingMs), isRotating: keys.length > 1 },
    sealing: {
      version: newest[0],
      since: since(newest[1].fromMs, sealingMs),
      isRotating: sealing.length > 1,
    },
  }
}

/** By the clock of the database where several clouds share one. */
async function timeOf({ database: { knex }, isByWorld, world }: StatusParts): Promise<number> {
  if (isByWorld || !isPostgres(knex)) return world.nowMs()
  const sql = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as "at"'
  return Number((await ask<{ at: number }>(knex, sql)).at)
}

export async function readStatus(parts: StatusParts): Promise<Status> {
  const { config, database } = parts
  const { knex } = database
  const nowMs = await timeOf(parts)
  const clouds = await servingClouds(knex, nowMs)
  const oldest = await waitingMails(knex).min({ at: 'createdAt' }).first()
  const goingOn = knex('incidents').whereNull('closedAt').whereNotNull('openedAt')
  return {
    at: isoTime(nowMs),
    version,
    clouds,
    database: await readDatabase(parts),
    broker: {
      isEmbedded: config.mqttUrl === undefined,
      url: mqttUrlOf(config),
      isConnected: clouds.length === 0 ? null : clouds.every(({ isConnected }) => isConnected),
    },
    gateways: await countGateways(knex, nowMs),
    openingsOfLastHour: await countOpenings(knex, nowMs),
    mails: { waiting: await countRows(waitingMails(knex)), oldestAt: oldest?.['at'] ?? null },
    webhooks: await countWebhooks(knex),
    keys: await readKeys(parts),
    backup: isServer(config.databaseUrl) ? null : ((await readLastBackup(config.dataFolder)) ?? null),
    alerts: { goingOn: await countRows(goingOn), mute: (await findMute(parts)) ?? null },
  }
}
