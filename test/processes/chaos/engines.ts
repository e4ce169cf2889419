// The servers that two clouds share: a Postgres of npm, and a real Mosquitto with TLS and accounts where it is installed.

import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectByTls } from 'node:tls'
import type { Database } from '@callgate/cloud/database/database'
import { openPostgres } from '@callgate/cloud/database/postgres'
import { firstAccounts } from '@callgate/cloud/gateway/brokerSetup'
import { selfSigned } from '@callgate/mqtt/certificate.kit'
import { realWorld } from '@callgate/world/real'
import { runner } from '../../postgres/postgresBinaries.ts'
import { newServerFiles } from '../../postgres/postgresServer.ts'
import { newMosquitto, withoutMosquitto } from '../broker/mosquitto.ts'
import { freePort } from '../freePort.ts'
import type { PartProcess, Program } from './processes.ts'
import { type Reach, reachPort } from './proxy.ts'
import { createStandbys, forStandbys, laidOut, type Standbys } from './standbys.ts'

export interface Engine {
  readonly program: Program
  readonly reach: Reach
  /** The environment of a cloud that reaches the server through a port of 127.0.0.1. */
  environment(port: number): Readonly<Record<string, string>>
}

export interface BrokerEngine extends Engine {
  /** The address at which the gateway's proxy, which reads the messages, reaches the broker: TLS begins behind the proxy. */
  readonly reachUnencrypted: Reach
}

export interface Engines {
  readonly postgres: Engine
  /** The servers of the database: the first one, and its successors. `part` makes a process. */
  standbys(part: (program: Program, name: string) => PartProcess): Standbys
  readonly broker: BrokerEngine
  /** Opens the database for the checks, as soon as it answers. */
  openDatabase(): Promise<Database>
}

const startsWithinMs = 60_000

const world = realWorld({ logLevel: 'silent' })
const logins = {
  cloud: { user: 'callgate', password: 'of the cloud' },
  admin: { user: 'callgate-admin', password: 'of the admin' },
}

/** The broker with the configuration of `deploy/broker`. */
async function mosquittoIn(folder: string): Promise<BrokerEngine & Pick<TlsBroker, 'caFile' | 'port'>> {
  const { accountsFile, args, caFile, port, program } = await newMosquitto(folder)
  writeFileSync(accountsFile, await firstAccounts(world, logins), { mode: 0o600 })
  const url = ({ password, user }: { user: string; password: string }, at: number) =>
    `mqtts://${user}:${encodeURIComponent(password)}@localhost:${at}`
  return {
    port,
    caFile,
    program: { program, args },
    reach: reachPort(port),
    reachUnencrypted: () => connectByTls({ host: '127.0.0.1', port, rejectUnauthorized: false }),
    environment: at => ({
      MQTT_URL: url(logins.cloud, at),
      MQTT_ADMIN_URL: url(logins.admin, at),
      MQTT_CA: caFile,
    }),
  }
}

/** A broker as a process of its own that admits everybody. */
export const openBroker = (port: number, encryption: 'plain' | 'tls' = 'plain'): Program => ({
  args: ['--import', 'tsx', join(import.meta.dirname, 'broker.ts'), String(port), encryption],
})

/** A broker apart to which everybody speaks TLS. */
export interface TlsBroker extends Pick<Engine, 'program'> {
  readonly name: string
  readonly port: number
  /** The authority behind its certificate, which is for `localhost`. */
  readonly caFile: string
  readonly environment: Readonly<Record<string, string>>
}

/** Mosquitto where it is installed; otherwise one that admits everybody. */
export async function tlsBroker(folder: string): Promise<TlsBroker> {
  if (!withoutMosquitto) {
    const { caFile, environment, port, program } = await mosquittoIn(folder)
    return { name: 'Mosquitto', program, port, caFile, environment: environment(port) }
  }
  mkdirSync(folder)
  const port = await freePort()
  const caFile = join(folder, 'broker.crt')
  writeFileSync(caFile, selfSigned.cert)
  const environment = { MQTT_URL: `mqtts://localhost:${port}`, MQTT_CA: caFile }
  return { name: 'Aedes', program: openBroker(port, 'tls'), port, caFile, environment }
}

/** Used where Mosquitto is not installed. */
async function openBrokerAnywhere(): Promise<BrokerEngine> {
  const port = await freePort()
  return {
    program: openBroker(port),
    reach: reachPort(port),
    reachUnencrypted: reachPort(port),
    environment: at => ({ MQTT_URL: `mqtt://127.0.0.1:${at}` }),
  }
}

/** Outside the folder of a house, which only its owner may enter: root runs Postgres as another user. */
export const postgresFolderOf = (folder: string) => `${folder}-postgres`

/** Every commit is on the disk before it is answered. A kill is a crash: the server replays its log. */
async function postgresIn(folder: string): Promise<Engine & Pick<Engines, 'openDatabase' | 'standbys'>> {
  mkdirSync(folder)
  const files = await newServerFiles(folder)
  const { program, urlOf } = files
  const args = [...files.args, ...forStandbys]
  const server = { program, args, user: runner, killedBy: 'SIGQUIT' } as const
  const serving = laidOut(folder)
  const path = files.socket.replace(folder, serving)
  return {
    program: server,
    reach: () => connect({ path, allowHalfOpen: true }),
    standbys: part => createStandbys(folder, { ...files, args }, part(server, 'postgres'), part),
    environment: at => ({ DATABASE_URL: urlOf('postgres', `127.0.0.1:${at}`) }),
    async openDatabase() {
      const endMs = performance.now() + startsWithinMs
      for (;;)
        try {
          return await openPostgres({
            url: urlOf('postgres').replace(encodeURIComponent(folder), encodeURIComponent(serving)),
          })
        } catch (error) {
          if (performance.now() > endMs) throw error
          await pause(100)
        }
    },
  }
}

export async function layOutEngines(folder: string): Promise<Engines> {
  const { openDatabase, standbys, ...postgres } = await postgresIn(postgresFolderOf(folder))
  const broker = withoutMosquitto ? await openBrokerAnywhere() : await mosquittoIn(join(folder, 'mosquitto'))
  return { postgres, standbys, broker, openDatabase }
}
