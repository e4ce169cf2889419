// The metrics that are read when Prometheus asks: of the database, the broker and the backups.

import { commit, version } from '@callgate/world/version'
import type { World } from '@callgate/world/world'
import { Gauge, type Registry } from 'prom-client'
import { lastBackupS } from '../backup/lastBackup.ts'
import { countRows, type Database } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'
import { unwaitedStandbys } from '../database/postgresStandbys.ts'
import type { Exchange } from '../opening/exchange.ts'
import { runningLive } from '../opening/openingRows.ts'

export interface MetricsParts {
  readonly world: World
  readonly database: Database
  /** Where each backup leaves its note. */
  readonly dataFolder: string
  readonly exchange: { readonly requests: Pick<Exchange['requests'], 'waiting'> }
  readonly wire: { isConnected(): boolean; onlineCount(): number }
  /** The answer of `/readyz`. */
  readonly readiness: () => Promise<{ readonly checks: Readonly<Record<string, { readonly ok: boolean }>> }>
}

/** Metrics that are read on demand. Where the database does not answer, the last value stays. */
export function askedMetrics(
  registers: Registry[],
  { database, dataFolder, exchange, readiness, wire, world }: MetricsParts,
): void {
  const gauge = (name: string, help: string, ask: () => Promise<number> | number) =>
    new Gauge({
      registers,
      name,
      help,
      async collect() {
        try {
          this.set(await ask())
        } catch (error) {
          world.log.warn('a metric could not be read', { name, why: String(error) })
        }
      },
    })
  const { knex } = database
  gauge('callgate_gateways_online', 'Gateways of which this process hears beats.', () => wire.onlineCount())
  gauge('callgate_gateways_enrolled', 'Gateways that are admitted and not revoked.', () =>
    countRows(knex('gateways').whereNull('revokedAt')),
  )
  gauge('callgate_openings_running', 'Openings that have not ended.', () => countRows(runningLive(knex)))
  gauge('callgate_requests_waiting', 'Requests that wait for the end of an opening.', () =>
    exchange.requests.waiting(),
  )
  gauge('callgate_mails_waiting', 'Mails that wait to be sent, or to be tried again.', () =>
    countRows(knex('outbox').whereNull('sentAt').whereNull('givenUpAt')),
  )
  gauge(
    'callgate_asynchronous_standbys',
    'Standbys of Postgres while commits wait for none: when one takes over, the last openings are lost.',
    () => (isPostgres(knex) ? unwaitedStandbys(knex) : 0),
  )
  gauge('callgate_last_backup_timestamp_seconds', 'When the last backup was made; 0: none is known.', () =>
    isPostgres(knex) ? 0 : lastBackupS(dataFolder),
  )
  gauge('callgate_mqtt_connected', '1 while the broker is connected.', () => Number(wire.isConnected()))
  new Gauge({
    registers,
    name: 'callgate_ready',
    help: 'What /readyz answers, by check: 1 where it is ok.',
    labelNames: ['check'],
    async collect() {
      const { checks } = await readiness()
      for (const [check, { ok }] of Object.entries(checks)) this.set({ check }, Number(ok))
    },
  })
  new Gauge({
    registers,
    name: 'callgate_build_info',
    help: 'The version that runs and its commit, as labels; always 1.',
    labelNames: ['version', 'commit'],
  }).set({ version, commit }, 1)
}
