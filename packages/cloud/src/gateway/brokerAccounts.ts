// The accounts of a broker of the operator: who connects, and who may publish and read what.

import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { idPrefix } from '@callgate/contract/idPrefix'
import { downKinds, everyGateway, extraOf, neededOf, topicOf, upKinds } from '@callgate/contract/wire/topics'
import type { Rule, WantedAccount } from './core/brokerChanges.ts'

export interface BrokerAccount {
  readonly clientId: string
  readonly publishes: readonly string[]
  readonly subscribes: readonly string[]
}

/** A gateway's account. Its user name is its client id. Its last will is a message that it publishes. */
export function gatewayAccount(gatewayId: string): BrokerAccount {
  const topic = (kind: Parameters<typeof topicOf>[1]) => topicOf(gatewayId, kind)
  return { clientId: gatewayId, publishes: upKinds.map(topic), subscribes: downKinds.map(topic) }
}

/** The cloud's account. Its user name and password are those of MQTT_URL. */
export const cloudAccount: BrokerAccount = {
  clientId: 'cloud',
  publishes: downKinds.map(kind => topicOf('+', kind)),
  subscribes: upKinds.map(everyGateway),
}

/** The cloud's subscriptions at a separate broker. */
export const cloudSubscriptions = {
  subscribe: neededOf(upKinds).map(everyGateway),
  extra: extraOf(upKinds).map(everyGateway),
}

const gatewayId = new RegExp(`^${idPrefix.gateway}_[0-9a-hjkmnp-tv-z]{26}$`)

/** Whether an account belongs to one of our gateways, by its name. */
export const isGatewayName = (name: string): boolean => gatewayId.test(name)

/** The rules of a role: what it publishes and reads, topic by topic. Only the cloud's own topics have wildcards. */
export function rulesOf({ publishes, subscribes }: BrokerAccount): Rule[] {
  const allowed = (acltype: Rule['acltype']) => (topic: string) => ({ acltype, topic, allow: true }) as const
  return [
    ...publishes.map(allowed('publishClientSend')),
    ...subscribes.map(allowed('subscribeLiteral')),
    ...subscribes.map(allowed('publishClientReceive')),
  ]
}

const derive = promisify(pbkdf2)
/** A gateway's password has 256 random bits. A person may have chosen the cloud's password. */
const iterations = { gateway: 1, cloud: 200_000 } as const

/**
 * The mark of an account at the broker, which does not reveal passwords: it shows that the account has this password. It reveals
 * no more of the password than the broker's own hash.
 */
async function markOf(name: string, password: string, kind: keyof typeof iterations): Promise<string> {
  const bytes = await derive(password, `callgate ${name}`, iterations[kind], 12, 'sha256')
  return `callgate ${bytes.toString('base64url')}`
}

/** The account of a gateway at the broker; without a password when nobody knows it any more. */
export async function wantedGateway(gatewayId: string, password: string | undefined): Promise<WantedAccount> {
  const login =
    password === undefined ? undefined : { password, mark: await markOf(gatewayId, password, 'gateway') }
  const rules = rulesOf(gatewayAccount(gatewayId))
  return { name: gatewayId, role: gatewayId, clientId: gatewayId, rules, login }
}

/** The cloud's own account. Several clouds share it, each with a client id of its own. */
export async function wantedCloud(name: string, password: string): Promise<WantedAccount> {
  const login = { password, mark: await markOf(name, password, 'cloud') }
  return { name, role: 'callgate-cloud', clientId: undefined, rules: rulesOf(cloudAccount), login }
}
