// A broker of the operator: the cloud's connection to it, and the accounts that the cloud maintains there.

import { connectMqtt, type MqttConnection, type MqttHandlers } from '@callgate/mqtt/mqttConnection'
import { backoff } from '@callgate/world/backoff'
import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { brokerLogin } from '../network/brokerLogin.ts'
import { readAuthority, readClientPair } from '../network/certificate.ts'
import type { Network } from '../network/network.ts'
import type { Seal } from '../secrets/sealing.ts'
import { cloudAccount, cloudSubscriptions, wantedCloud } from './brokerAccounts.ts'
import { answerTopic, createBrokerAdmin, versionTopic } from './brokerAdmin.ts'
import { type BrokerSync, createBrokerSync } from './brokerSync.ts'
import { openPassword } from './gateways.ts'

interface OwnBrokerParts {
  readonly world: World
  readonly database: Database
  readonly mqttUrl: string
  readonly mqttAdminUrl: string | undefined
  readonly files: Pick<Network, 'mqttCaFile' | 'mqttClientTls'>
  /** The client id of this cloud: several clouds at one broker need different ones. */
  readonly clientId?: string
}

export interface OwnBroker {
  readonly ok: true
  readonly connect: (handlers: MqttHandlers) => MqttConnection
  /** PEM of the authority that the operator has configured for it. */
  readonly ca: string | undefined
  /** Maintains the accounts there; undefined where the operator does that. */
  readonly accounts: (seal: Seal) => BrokerSync | undefined
}

/** Reads the files of the configuration. Connects to nothing yet. */
export async function openOwnBroker(
  parts: OwnBrokerParts,
): Promise<OwnBroker | { readonly ok: false; readonly message: string }> {
  const { clientId = cloudAccount.clientId, database, files, mqttAdminUrl, mqttUrl, world } = parts
  const { mqttCaFile, mqttClientTls } = files
  const ca = mqttCaFile === undefined ? undefined : await readAuthority(mqttCaFile)
  if (ca && !ca.ok) return ca
  const pair = mqttClientTls && (await readClientPair(mqttClientTls))
  if (pair && !pair.ok) return pair
  const tls = { ...(ca && { ca: ca.value }), ...(pair && { pair: pair.value }) }
  const account = { to: mqttUrl, ...tls, clientId, ...cloudSubscriptions }

  function accounts(seal: Seal): BrokerSync | undefined {
    if (mqttAdminUrl === undefined) return undefined
    const { password = '', user = '' } = brokerLogin(mqttUrl) ?? {}
    // Several clouds use the account at once, and a broker accepts each client id once.
    const own = `admin-${Buffer.from(world.randomBytes(8)).toString('hex')}`
    const admin = { to: mqttAdminUrl, ...tls, clientId: own, subscribe: [answerTopic], kept: versionTopic }
    let cloud: ReturnType<typeof wantedCloud> | undefined
    return createBrokerSync({
      world,
      database,
      connect: onConnect =>
        createBrokerAdmin({
          world,
          onConnect,
          connect: handlers => connectMqtt({ ...admin, reconnect: backoff(world) }, handlers),
        }),
      cloud: () => {
        cloud ??= wantedCloud(user, password)
        return cloud
      },
      openPassword: (gatewayId, sealed) => openPassword(seal, gatewayId, sealed),
    })
  }

  return {
    ok: true,
    ca: ca?.value,
    connect: handlers => connectMqtt({ ...account, reconnect: backoff(world) }, handlers),
    accounts,
  }
}
