// Assembles the cloud: database, broker, exchange and REST API, started and stopped in order.

import { answerWithinMs } from '@callgate/contract/wire/timing'
import type { MqttConnection, MqttHandlers } from '@callgate/mqtt/mqttConnection'
import { createStops, type Stops } from '@callgate/world/stops'
import { leastAgeMs, type World } from '@callgate/world/world'
import { watchForIncidents } from './alert/alerts.ts'
import { startMails } from './alert/startMails.ts'
import { createApi, type SharedParts, sharedParts } from './api.ts'
import { noteDrift } from './calibration/profileDoubts.ts'
import { type Config, mqttUrlOf } from './config.ts'
import { noteStop, takeStop } from './database/cleanStop.ts'
import type { Database } from './database/database.ts'
import { servedAlready } from './database/databaseAddress.ts'
import { isPostgres } from './database/dialect.ts'
import { startServedTime } from './database/servedTime.ts'
import { endEnrolmentCodes } from './enrolment/servedCodeEnds.ts'
import { createEventFeed } from './event/eventFeed.ts'
import { forgetOldEvents } from './event/eventRows.ts'
import { createEventStreams } from './event/eventStreams.ts'
import { createBroker } from './gateway/broker.ts'
import { passwordKeeper } from './gateway/gateways.ts'
import { type OwnBroker, openOwnBroker } from './gateway/ownBroker.ts'
import { readinessReader } from './health/readiness.ts'
import { readinessChecks } from './health/readinessChecks.ts'
import { followSigningKeys } from './history/proofKeys.ts'
import { waitingServer } from './http/server.ts'
import { mailFiles, mailFolderIn } from './mail/mailFolder.ts'
import { measuredDatabase } from './metrics/measuredDatabase.ts'
import type { serveMetrics } from './metrics/metricsServer.ts'
import { loadCertificate } from './network/certificate.ts'
import type { ConnectionRules } from './network/connections.ts'
import { closed, listen, refusedPort } from './network/listenAddress.ts'
import { type IsTrustedProxy, trustedProxies } from './network/proxies.ts'
import { createExchange } from './opening/exchange.ts'
import { startEraser } from './privacy/eraser.ts'
import { startPushes } from './push/startPushes.ts'
import { leavesWithinMs, SharedReplica } from './replica/replica.ts'
import { createRestoreLockout } from './restore/restores.ts'
import { StandIns } from './sandbox/standIn.ts'
import { type Keyring, loadKeyring } from './secrets/keyring.ts'
import type { Seal } from './secrets/sealing.ts'
import { watchSealingKeys } from './secrets/sealingKeysWatch.ts'
import { noteServing } from './status/servingClouds.ts'
import { askGateways } from './update/askGateways.ts'
import { endUserPermits } from './user/servedSessionEnds.ts'
import { startWebhooks } from './webhook/startWebhooks.ts'
import { GatewayWire } from './wire/gatewayWire.ts'

export type Started =
  | {
      readonly ok: true
      readonly port: number
      readonly mqttUrl: string
      readonly quietForMs: number
      /** Resolves when another cloud has taken the data, so that this one must stop serving it. */
      readonly lost: Promise<undefined>
    }
  | {
      readonly ok: false
      readonly code: 'data_in_use' | 'port_in_use' | 'port_refused' | 'no_key' | 'no_certificate'
      readonly message: string
    }

interface StartedBroker {
  readonly ok: true
  /** Opens the cloud's own connection to it. */
  readonly connect: (handlers: MqttHandlers) => MqttConnection
  /** Undefined: not embedded. */
  readonly port: number | undefined
  readonly accounts: OwnBroker['accounts']
  /** PEM of the authority of its certificate, where the operator has named one. */
  readonly ca: string | undefined
}

export interface Cloud {
  /** Starts every part. When one fails, those before it are stopped again. */
  start(): Promise<Started>
  /** Stops every part within 77 s; running requests have 5 s of them. The database stays open. */
  stop(): Promise<void>
}

type Refused = Exclude<Started, { ok: true }>
type Served = Omit<Extract<Started, { ok: true }>, 'lost'>
interface AppParts {
  readonly world: World
  readonly config: Config
  readonly database: Database
}

class StartedParts implements Cloud {
  readonly #parts: AppParts
  readonly #rules: ConnectionRules & { readonly isTrustedProxy: IsTrustedProxy }
  readonly #stops: Stops

  /** Undefined: no other cloud can serve the same data. */
  #replica: SharedReplica | undefined
  #wire: GatewayWire | undefined

  constructor(parts: AppParts) {
    const { config, database, world } = parts
    this.#stops = createStops(world)
    this.#parts = config.metrics ? { ...parts, database: measuredDatabase(world, database) } : parts
    this.#rules = { isTrustedProxy: trustedProxies(parts.config.trustProxy) }
  }

  async start(): Promise<Started> {
    const started = await this.#startParts().catch(async (error: unknown) => {
      await this.stop()
      throw error
    })
    if (!started.ok) await this.stop()
    return started
  }

  stop(): Promise<void> {
    return this.#stops.run()
  }

  async #startParts(): Promise<Started> {
    const { config, database, world } = this.#parts
    const isAlone = this.#isAlone()
    const lock = await database.lock(isAlone ? 'alone' : 'shared')
    if (!lock) return { ok: false, code: 'data_in_use', message: servedAlready(config.databaseUrl) }
    this.#stops.add('lock of the data', lock.release, { onlyIfClean: true })
    const isListening = () => this.#wire?.isConnected() ?? false
    if (!isAlone) this.#replica = new SharedReplica({ world, database, isListening })
    this.#stops.add('note of this cloud', noteServing({ world, database, isListening, isAlone }))
    const lost = new Promise<undefined>(resolve => lock.onLost(() => resolve(undefined)))
    const loaded = await loadKeyring(world, config.keys)
    if (!loaded.ok) return { ok: false, code: 'no_key', message: loaded.message }
    this.#stops.add('sealing keys', watchSealingKeys(world, loaded.keyring, config.keys))
    const shared = await this.#share(loaded.keyring)
    if (!shared.ok) return shared
    const broker = await this.#startBroker()
    if (!broker.ok) return broker
    const started = await this.#serve(loaded.keyring, broker, shared)
    return started.ok ? { ...started, lost } : started
  }

  /** The broker for the cloud's own wire: the operator's, or the embedded one, which is started. */
  async #startBroker(): Promise<StartedBroker | Refused> {
    const { config, database, world } = this.#parts
    const { mqttAdminUrl, mqttHost: host, mqttPort: port, mqttTls, mqttUrl } = config
    const refuse = (message: string) => ({ ok: false, code: 'no_certificate', message }) as const
    if (mqttUrl !== undefined) {
      const opened = await openOwnBroker({
        ...{ world, database, mqttUrl, mqttAdminUrl, files: config },
        ...(this.#replica && { clientId: this.#replica.clientId() }),
      })
      return opened.ok ? { ...opened, port: undefined } : refuse(opened.message)
    }
    const loaded = mqttTls && (await loadCertificate(world, mqttTls))
    if (loaded && !loaded.ok) return refuse(loaded.message)
    const certificate = loaded?.certificate
    const created = await createBroker({ world, database, host, port, rules: this.#rules, certificate })
    if (!created.ok) return created
    const { broker } = created
    this.#stops.add('broker', () => broker.close())
    return {
      ok: true,
      connect: broker.connectCloud,
      port: broker.port,
      accounts: () => undefined,
      ca: undefined,
    }
  }

  /** Assembles the wire to the gateways, the exchange over it, the API over the exchange, and the mails. */
  async #serve(
    keyring: Keyring,
    broker: StartedBroker,
    { limits, forms, places }: SharedParts,
  ): Promise<Served | Refused> {
    const { config, database, world } = this.#parts
    const { appUrl, databaseUrl, dataFolder, gatewayInstaller: installer, securityContact } = config
    const { seal, signing } = keyring
    const replica = this.#replica
    const followed = await followSigningKeys({ database, world, keyring, places: config.keys })
    this.#stops.add('signing keys', followed)
    const wire = new GatewayWire({ world, database, signing, connect: broker.connect })
    this.#wire = wire
    const quietSince = takeStop(databaseUrl, world)
    const feed = createEventFeed({ world, database })
    const several = replica && { replica, feed }
    const lockout = createRestoreLockout({ world, database })
    const watch = { folder: config.dataFolder, lockout }
    const endpoint = new StandIns({ world, database, wire })
    const exchange = createExchange({ ...this.#parts, noteDrift, endpoint, quietSince, several, watch })
    endpoint.start(exchange)
    const accounts = broker.accounts(seal)
    const checks = readinessChecks({ database, wire, keyring, config, lockout, world, accounts, replica })
    const hasOwnBroker = config.mqttUrl !== undefined && !accounts
    const keepPassword = accounts && passwordKeeper(seal)
    const eraser = this.#startEraser(seal)
    const mqttUrl = mqttUrlOf(config, broker.port)
    const kept = { mqttUrl, hasOwnBroker, keepPassword, ca: broker.ca }
    const login = () => ({ ...kept, cloudKeys: keyring.publicKeys() })
    const told = { signing, securityContact, dataFolder, isTrustedProxy: this.#rules.isTrustedProxy }
    const more = { ...told, installer, login, lockout, checks, erasing: eraser.wake, webhooks: config }
    const streams = createEventStreams({ world, database, places, feed })
    const app = createApi({ world, database, seal, exchange, streams, limits, forms, appUrl, ...more })
    // Both ports are opened before any opening is changed. Requests wait until the exchange has started.
    const { open, server } = waitingServer(world, app, this.#rules)
    const failure = await listen(server, config)
    if (failure) return refusedPort(config, failure)
    const readiness = readinessReader({ world, checks })
    const measuring = await this.#startMetrics({ exchange, wire, readiness })
    if (measuring) return measuring
    await this.#startService()
    this.#stops.add('wire', () => wire.stop())
    server.on('error', error => world.log.error('the API cannot take a connection', { why: error.message }))
    this.#stops.add('REST API', () => closed(server, world))
    for (const part of [exchange, endpoint]) this.#stops.add('exchange', () => part.stop())
    this.#stops.add('event streams', () => streams.stop())
    this.#stops.add('old events', forgetOldEvents({ world, database }))
    await exchange.start()
    if (accounts) {
      this.#stops.add('accounts at the broker', () => accounts.stop())
      accounts.start()
    }
    const { stop, tasks, updates } = askGateways({ world, database, replica, endpoint: wire })
    for (const step of stop) this.#stops.add('tasks and updates', step)
    wire.start(exchange, tasks, updates)
    const seen = { heard: exchange.heartbeat.heard, isConnected: () => wire.isConnected() }
    const alerts = { ...seen, told: this.#startSenders(seal).told }
    this.#stops.add('incidents', watchForIncidents({ world, database, replica, ...alerts }))
    const leave = () => replica?.leave(() => exchange.drained(answerWithinMs))
    this.#stops.add('presses that wait', leave, { withinMs: leavesWithinMs })
    open()
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : config.port
    return { ok: true, port, mqttUrl, quietForMs: quietSince ? Math.floor(leastAgeMs(world, quietSince)) : 0 }
  }

  /** Starts what is stopped last: the time of service, the lease, and the note of a clean stop. */
  async #startService(): Promise<void> {
    const { config, database, world } = this.#parts
    // The last write, so that no call ends after it.
    const note = () => database.write(async () => noteStop(config.databaseUrl, world)).catch(() => {})
    this.#stops.add('note of the stop', note, { onlyIfClean: true })
    this.#stops.add('lease', () => this.#replica?.stop().catch(() => {}))
    const ends = [endUserPermits, endEnrolmentCodes]
    this.#stops.add('time of service', (await startServedTime({ database, world, ends })).stop)
  }

  #startEraser(seal: Seal) {
    const { config, database, world } = this.#parts
    const kept = { seal, mailFiles: mailFiles(mailFolderIn(config.dataFolder), world) }
    const eraser = startEraser({ world, database, ...kept })
    this.#stops.add('eraser', () => eraser.stop())
    return eraser
  }
  /** Opens a separate port for Prometheus, where one is set. Its modules are loaded only then. */
  async #startMetrics(
    parts: Omit<Parameters<typeof serveMetrics>[0], 'database' | 'dataFolder' | 'world'>,
  ): Promise<Refused | undefined> {
    const { config, database, world } = this.#parts
    const { dataFolder, metrics } = config
    if (!metrics) return undefined
    const { serveMetrics } = await import('./metrics/metricsServer.ts')
    const serving = await serveMetrics({ ...parts, database, dataFolder, world }, metrics)
    if (!serving.ok) return refusedPort(metrics, serving.error, 'metrics')
    this.#stops.add('metrics', serving.stop)
    world.log.info('metrics are served', { host: metrics.host, port: serving.port })
    return undefined
  }

  async #share(keyring: Keyring): Promise<SharedParts | Refused> {
    const { config, database, world } = this.#parts
    const shared = await sharedParts({ database, world }, keyring, config.mqttUrl !== undefined)
    if (!shared.ok) return { ok: false, code: 'no_key', message: shared.message }
    this.#stops.add('limits', shared.stop)
    return shared
  }

  /**
   * Whether no other cloud can serve the same data: only Postgres with an external broker is shared. With its own broker, each
   * cloud would hear its own gateways only.
   */
  #isAlone(): boolean {
    const { config, database } = this.#parts
    return !isPostgres(database.knex) || config.mqttUrl === undefined
  }

  #startSenders(seal: Seal): ReturnType<typeof startPushes> {
    const { config, database, world } = this.#parts
    this.#stops.add('webhooks', startWebhooks({ world, database, seal, places: config }))
    this.#stops.add('mailer', startMails({ world, database, seal, config }))
    const pushes = startPushes({ world, database, seal, appUrl: config.appUrl, places: config })
    this.#stops.add('pushes', pushes.stop)
    return pushes
  }
}

/** Builds the cloud over an open and migrated database. Ports may be 0 in tests: any free one. */
export function createCloud(parts: AppParts): Cloud {
  return new StartedParts(parts)
}
