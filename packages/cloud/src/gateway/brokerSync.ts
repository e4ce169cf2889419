// Synchronizes the accounts at the operator's broker with the gateways of the database: after each connection, every few minutes,
// and for one gateway within seconds.

import { repeat } from '@callgate/world/repeat'
import type { Timer, World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import { isGatewayName, wantedGateway } from './brokerAccounts.ts'
import { type AdminFailure, type BrokerAdmin, denyByDefault } from './brokerAdmin.ts'
import { sayBrokerFault } from './brokerFaults.ts'
import {
  accountChanges,
  brokerChanges,
  type Command,
  removal,
  type WantedAccount,
} from './core/brokerChanges.ts'
import { isCutOff } from './cutOff.ts'
import { changedPasswords, shutOutGateways } from './gateways.ts'

/** A gateway that is shut out loses its connection within 5 s. */
const checkEveryMs = 2_000
const everythingEveryMs = 180_000
/** How many of the newest gateways a check reads. If more are added at once, they wait for the full check. */
const newestChecked = 50

interface Row {
  readonly id: string
  readonly passwordHash: string
  readonly passwordSealed: string | null
  readonly revokedAt: string | null
  readonly cutOffUntil: string | null
}

const columns = ['id', 'passwordHash', 'passwordSealed', 'revokedAt', 'cutOffUntil'] as const
const newestRows = statement<Record<never, never>, Row>(db =>
  db('gateways').select(columns).orderBy('id', 'desc').limit(newestChecked),
)

export interface BrokerSync {
  start(): void
  /** The fault as a sentence without addresses; undefined when the broker has every account. */
  warning(): string | undefined
  stop(): Promise<void>
}

interface BrokerSyncParts {
  readonly world: World
  readonly database: Database
  /** Connects; calls `onConnect` after each connection. */
  readonly connect: (onConnect: () => void) => BrokerAdmin
  /** The cloud's own account at the broker. */
  readonly cloud: () => Promise<WantedAccount>
  /** The password of a gateway; undefined when its sealed form cannot be unsealed. */
  readonly openPassword: (gatewayId: string, passwordSealed: string) => string | undefined
}

const noPlugin =
  'The broker in MQTT_ADMIN_URL does not answer as Mosquitto with its dynamic security. Load that plugin and give the account the right to it, or leave MQTT_ADMIN_URL out and tell the broker of each account yourself.'

function countOf(commands: readonly Command[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { command } of commands) counts[command] = (counts[command] ?? 0) + 1
  return counts
}

class KeptAccounts implements BrokerSync {
  readonly #parts: BrokerSyncParts
  #admin: BrokerAdmin | undefined
  /** The gateways whose accounts this process has removed, or has found removed. */
  #shut: ReadonlySet<string> = new Set()
  /** The gateways that this process has handled; undefined before the first full check. */
  #known: Set<string> | undefined
  /** The hashes of the passwords at the last full check. */
  #passwords: ReadonlyMap<string, string> = new Map()
  #failure: string | undefined
  #unknownLogins = 0
  /** The running full check, of which there is one at a time. */
  #everything: Promise<void> | undefined
  #everythingTimer: Timer | undefined
  #stopLooking = async () => {}
  #isStopped = false

  constructor(parts: BrokerSyncParts) {
    this.#parts = parts
  }

  start(): void {
    this.#admin = this.#parts.connect(() => this.#lookAtEverything())
    this.#stopLooking = repeat(this.#parts.world, checkEveryMs, () => this.#lookOnce())
  }

  warning(): string | undefined {
    const fault = this.#admin?.fault()
    if (fault) return `Accounts at the broker are not kept. ${sayBrokerFault(fault, 'MQTT_ADMIN_URL')}`
    if (this.#failure !== undefined) return this.#failure
    const count = this.#unknownLogins
    if (count === 0) return undefined
    const [gateways, have] = count === 1 ? ['gateway', 'has'] : ['gateways', 'have']
    return `${count} ${gateways} ${have} no account at the broker, and the password is not known: the log names them. Give them new ones by "callgate gateway password", or make the accounts by hand.`
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const looked = this.#stopLooking()
    this.#everythingTimer?.cancel()
    await this.#admin?.close()
    await Promise.all([this.#everything, looked])
  }

  async #lookOnce(): Promise<void> {
    const known = this.#known
    if (known && this.#admin?.isConnected()) await this.#guard(() => this.#look(known))
  }

  #lookAtEverything(): void {
    if (this.#isStopped) return
    this.#everythingTimer?.cancel()
    this.#everything ??= this.#guard(() => this.#setRight()).finally(() => {
      this.#everything = undefined
      if (this.#isStopped) return
      this.#everythingTimer?.cancel()
      this.#everythingTimer = this.#parts.world.after(everythingEveryMs, () => this.#lookAtEverything())
    })
  }

  async #guard(work: () => Promise<void>): Promise<void> {
    const { log } = this.#parts.world
    try {
      await work()
    } catch (error) {
      log.error('the accounts at the broker could not be looked at', { why: String(error) })
    }
  }

  /** The account of a gateway; undefined where it may have none. */
  async #wanted(row: Row, nowMs: number): Promise<WantedAccount | undefined> {
    if (row.revokedAt !== null || isCutOff(row, nowMs)) return undefined
    const { id, passwordSealed } = row
    return wantedGateway(
      id,
      passwordSealed === null ? undefined : this.#parts.openPassword(id, passwordSealed),
    )
  }

  /** Reads all accounts and gateways, and runs the commands for the differences. */
  async #setRight(): Promise<void> {
    const { cloud, database, world } = this.#parts
    const admin = this.#admin
    if (!admin?.isConnected()) return
    const rows: readonly Row[] = await database.knex('gateways').select(columns)
    this.#passwords = new Map(rows.map(({ id, passwordHash }) => [id, passwordHash]))
    const nowMs = world.nowMs()
    const read = await Promise.all(
      rows.map(async row => ({ id: row.id, wanted: await this.#wanted(row, nowMs) })),
    )
    const accounts = read.flatMap(({ wanted }) => wanted ?? [])
    const found = await admin.read()
    if (!found.ok) return this.#fail(found)
    const { commands, unknownLogins } = brokerChanges(found, [await cloud(), ...accounts], isGatewayName)
    const ran = await admin.run([denyByDefault, ...commands])
    if (!ran.ok) return this.#fail(ran)
    // Without those that were shut out meanwhile: their accounts may have been created again.
    this.#shut = new Set(read.filter(({ wanted }) => !wanted).map(({ id }) => id))
    this.#known = new Set(read.map(({ id }) => id))
    this.#noteRun(commands, ran.errors)
    if (unknownLogins.length > 0 && unknownLogins.length !== this.#unknownLogins)
      world.log.warn('gateways have no account at the broker, and their passwords are not known', {
        gatewayIds: unknownLogins.slice(0, 20),
        count: unknownLogins.length,
      })
    this.#unknownLogins = unknownLogins.length
  }

  /** Checks the gateways that were added, shut out or admitted again since the last check. */
  async #look(known: Set<string>): Promise<void> {
    const { database, world } = this.#parts
    const nowMs = world.nowMs()
    const shutOut = await shutOutGateways(database, nowMs)
    const newlyShut = [...shutOut].filter(id => !this.#shut.has(id))
    const back = [...this.#shut].filter(id => !shutOut.has(id))
    const newest = await newestRows(database.knex, {})
    const added = newest.filter(({ id }) => !known.has(id) && !shutOut.has(id))
    const again: readonly Row[] =
      back.length === 0 ? [] : await database.knex('gateways').select(columns).whereIn('id', back)
    const commands = newlyShut.flatMap(id => removal(id, { client: true, role: true }))
    for (const row of [...added, ...again]) {
      const wanted = await this.#wanted(row, nowMs)
      if (wanted) commands.push(...accountChanges(wanted, undefined, undefined).commands)
    }
    // Another cloud may have sent it to the broker already, and sending it again would end the new connection.
    const changed = await changedPasswords(database)
    if (changed.some(({ id, passwordHash }) => this.#passwords.get(id) !== passwordHash))
      this.#lookAtEverything()
    if (commands.length > 0) {
      const ran = await this.#admin?.run(commands)
      if (!ran?.ok) return ran && this.#fail(ran)
      this.#noteRun(commands, ran.errors)
    }
    for (const gatewayId of newlyShut)
      world.log.warn('a gateway that was revoked or cut off has no account at the broker any more', {
        gatewayId,
      })
    this.#shut = shutOut
    for (const { id } of newest) known.add(id)
  }

  #noteRun(commands: readonly Command[], errors: readonly string[]): void {
    const { log } = this.#parts.world
    if (commands.length > 0) log.info('accounts at the broker were changed', countOf(commands))
    const [error] = errors
    if (error !== undefined)
      log.error('the broker refused changes of its accounts', { why: error, count: errors.length })
    this.#failure =
      error === undefined ? undefined : 'The broker refused changes of its accounts; the log says which.'
  }

  #fail({ code, message }: AdminFailure): void {
    const { log } = this.#parts.world
    this.#failure =
      code === 'no_plugin'
        ? noPlugin
        : 'The accounts at the broker could not be read or changed; the log says why.'
    if (!this.#isStopped) log.error(this.#failure, { why: message })
  }
}

/** Builds the synchronization of the accounts; it does nothing before `start`. */
export function createBrokerSync(parts: BrokerSyncParts): BrokerSync {
  return new KeptAccounts(parts)
}
