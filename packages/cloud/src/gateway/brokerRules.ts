// The rules of the broker: a gateway may connect, and publish and subscribe to its own topics. The cloud does not connect this
// way.

import { maxMessageBytes } from '@callgate/contract/wire/messages'
import { downKinds, topicOf, upKinds } from '@callgate/contract/wire/topics'
import type { World } from '@callgate/world/world'
import type { AedesOptions, Client } from 'aedes'
import type { Database } from '../database/database.ts'
import type { Farewells } from './farewells.ts'
import { checkLogin, passwordHashOf } from './gateways.ts'

/** The limits on the bytes and the times of one connection. */
export const brokerLimits = {
  /** Bytes of one connection before its CONNACK. Without this limit, three sockets brought the broker to 416 MB. */
  beforeAdmission: 4 * 1024,
  packet: 64 * 1024,
  connectTimeoutMs: 5_000,
  keepaliveS: 120,
} as const
const refusalLogEveryMs = 10_000

const notAllowed = new Error('not allowed')
// MQTT 3.1.1, table 3.1. No client may act on the difference, because nobody has signed it.
const unavailable = () => Object.assign(new Error('server unavailable'), { returnCode: 3 })
const badPassword = () => Object.assign(new Error('bad user name or password'), { returnCode: 4 })

/** Logs refused clients at most every 10 s, with their number. */
function refusalLog(world: World): (clientId: string, why: string) => void {
  let loggedMs = Number.NEGATIVE_INFINITY
  let refusals = 0

  return (clientId, why) => {
    refusals++
    if (world.monotonicMs() - loggedMs < refusalLogEveryMs) return
    world.log.warn('the broker refused a client', { clientId: clientId.slice(0, 64), why, refusals })
    loggedMs = world.monotonicMs()
    refusals = 0
  }
}

export interface BrokerRules {
  readonly world: World
  readonly database: Database
  readonly farewells: Farewells
  /** Stores the hash of the password with which a client was accepted. */
  readonly passwords: Pick<WeakMap<Client, string>, 'set'>
}

/** The hooks of aedes for these rules. */
export function brokerRules({ database, farewells, passwords, world }: BrokerRules): AedesOptions {
  const logRefusal = refusalLog(world)
  const maySend = (client: Client, topic: string) => upKinds.some(kind => topic === topicOf(client.id, kind))
  const isOwn = (client: Client, topic: string) => downKinds.some(kind => topic === topicOf(client.id, kind))
  const mayReceive = (client: Client, topic: string) =>
    farewells.isOn(client) ? topic === topicOf(client.id, 'ack') : isOwn(client, topic)

  return {
    connectTimeout: brokerLimits.connectTimeoutMs,
    keepaliveLimit: brokerLimits.keepaliveS,
    maxTopicLevels: 4,
    queueLimit: 16,
    preConnect(_client, { clean, clientId, protocolVersion, will }, done) {
      const isOwnWill =
        !will ||
        (will.topic === topicOf(clientId, 'beat') && !will.retain && will.payload.length <= maxMessageBytes)
      const isFine = clean === true && protocolVersion === 4 && isOwnWill
      if (!isFine) logRefusal(clientId, 'only clean MQTT 3.1.1 sessions, with a will on the own beat')
      done(isFine ? null : notAllowed, isFine)
    },
    authenticate(client, username, password, done) {
      const refuse = (why: string, error = badPassword()) => {
        logRefusal(client.id, why)
        done(error, false)
      }
      if (username !== client.id || !password)
        return refuse('the user name is not the client id, or no password')
      checkLogin(database, client.id, password, world.nowMs()).then(
        login => {
          const isLetIn = login === 'admitted' || (login === 'revoked' && farewells.begin(client))
          if (isLetIn) {
            passwords.set(client, passwordHashOf(password))
            done(null, true)
          } else refuse('unknown, revoked, cut off, or another password')
        },
        (error: unknown) => refuse(String(error), unavailable()),
      )
    },
    authorizePublish(client, { payload, qos, retain, topic }, done) {
      const isAllowed =
        client !== null &&
        maySend(client, topic) &&
        farewells.maySend(client) &&
        !retain &&
        qos < 2 &&
        payload.length <= maxMessageBytes
      if (!isAllowed) logRefusal(client?.id ?? '', 'a message that it may not send')
      done(isAllowed ? null : notAllowed)
    },
    authorizeSubscribe(client, subscription, done) {
      const isAllowed = isOwn(client, subscription.topic) && subscription.qos < 2
      if (!isAllowed) logRefusal(client.id, 'a topic that it may not read')
      done(null, isAllowed ? subscription : null)
    },
    authorizeForward: (client, packet) =>
      mayReceive(client, packet.topic) && !packet.retain ? packet : null,
  }
}
