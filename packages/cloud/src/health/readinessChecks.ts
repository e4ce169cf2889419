// The parts that the cloud needs to open a gate, and the check of each.

import { dirname } from 'node:path'
import type { World } from '@callgate/world/world'
import type { Config } from '../config.ts'
import { type Database, databaseTrouble, fileOf } from '../database/database.ts'
import { isServer } from '../database/databaseAddress.ts'
import type { DatabaseTrouble } from '../database/databaseError.ts'
import { tryWrite } from '../database/migrate.ts'
import type { BrokerSync } from '../gateway/brokerSync.ts'
import type { SharedReplica } from '../replica/replica.ts'
import type { RestoreLockout, Shut } from '../restore/restores.ts'
import { type Keyring, sealingKeysFault, signingKeyFault } from '../secrets/keyring.ts'
import type { GatewayWire } from '../wire/gatewayWire.ts'
import { checkDisk } from './disk.ts'
import type { Finding, ReadinessChecks } from './readiness.ts'
import { oldRules, rulesName } from './zoneRules.ts'

const finding = (reason: string | undefined): Finding =>
  reason === undefined ? { ok: true } : { ok: false, reason }

const databaseReasons: Partial<Record<DatabaseTrouble, string>> = {
  busy: 'Another program holds the write lock of the database.',
  full: 'The disk of the database is full.',
  not_writable: 'The database cannot be written.',
  damaged: 'The database is damaged, or its disk fails.',
  unreachable: 'The server of the database does not answer.',
}

/** A database that is read-only accepts no press. */
async function checkDatabase(database: Database): Promise<Finding> {
  try {
    await tryWrite(database)
    return { ok: true }
  } catch (error) {
    const trouble = databaseTrouble(error)
    if (trouble === undefined) throw error
    return finding(databaseReasons[trouble] ?? 'The database cannot be used.')
  }
}

const shutReasons: Readonly<Record<Shut['why'], (againInS: number) => string>> = {
  unconfirmed: () => 'Restored from a backup: guests and keys are let in after "callgate confirm-restore".',
  numbers_held: againInS =>
    `The data was restored or has gone back: a call from before may still run, for up to ${againInS} s.`,
}

async function checkRestore(lockout: RestoreLockout): Promise<Finding> {
  const shut = await lockout.shut()
  return finding(shut && shutReasons[shut.why](shut.againInS))
}

/** Old rules do not keep a gate shut: they are `ok`, with a warning. */
function checkZoneRules(nowMs: number): Finding {
  const warning = oldRules(nowMs)
  return { ok: true, rules: rulesName, ...(warning !== undefined && { warning }) }
}

/** Gateways with accounts work without the synchronization of accounts: a warning. */
function checkAccounts(accounts: Pick<BrokerSync, 'warning'>): Finding {
  const warning = accounts.warning()
  return { ok: true, ...(warning !== undefined && { warning }) }
}

/** Another replica can serve the presses that this one would answer with `gateway_offline`, or could not follow to their end. */
function checkReplica(
  replica: Pick<SharedReplica, 'isDraining'>,
  wire: Pick<GatewayWire, 'knowsOnline'>,
): Finding {
  if (replica.isDraining()) return finding('This cloud is about to stop.')
  return finding(wire.knowsOnline() ? undefined : 'It does not know yet which gateways are online.')
}

/** The checks of `/readyz`. */
export function readinessChecks(parts: {
  readonly database: Database
  readonly wire: Pick<GatewayWire, 'brokerFault' | 'knowsOnline'>
  readonly keyring: Keyring
  readonly config: Pick<Config, 'databaseUrl' | 'keys'>
  readonly lockout: RestoreLockout
  readonly world: World
  /** Maintains the accounts at a broker of the operator. */
  readonly accounts: Pick<BrokerSync, 'warning'> | undefined
  /** This cloud among several; its answer here decides whether it gets presses. */
  readonly replica: Pick<SharedReplica, 'isDraining'> | undefined
}): ReadinessChecks {
  const { accounts, config, database, keyring, replica, lockout, wire, world } = parts
  const { databaseUrl, keys } = config
  return {
    database: () => checkDatabase(database),
    // A server's disk is watched there; when it is full, the check of the database fails.
    ...(!isServer(databaseUrl) && { disk: () => checkDisk(dirname(fileOf(databaseUrl))) }),
    broker: () => finding(wire.brokerFault()),
    ...(accounts && { brokerAccounts: () => checkAccounts(accounts) }),
    ...(replica && { replica: () => checkReplica(replica, wire) }),
    signingKey: async () => finding(await signingKeyFault(keyring, keys)),
    sealingKeys: async () => finding(await sealingKeysFault(world, keyring, keys)),
    restore: () => checkRestore(lockout),
    timezones: () => checkZoneRules(world.nowMs()),
  }
}
