// The operator's commands on gateways: what they do and print.

import { sayTrouble } from '@callgate/contract/call/modemTrouble'
import { verifyingKey } from '@callgate/contract/wire/signature'
import { type Config, mqttUrlOf } from '../config.ts'
import { type BrokerAccount, cloudAccount, gatewayAccount } from '../gateway/brokerAccounts.ts'
import {
  type AddedGateway,
  type AddGatewayAnswer,
  addGateway,
  changePassword,
  listGateways,
  passwordKeeper,
  revokeGateway,
} from '../gateway/gateways.ts'
import { sayOldProgram } from '../gateway/oldPrograms.ts'
import { gatewayComplaints } from '../network/network.ts'
import { loadKeyring } from '../secrets/keyring.ts'
import {
  actor,
  type CommandParts,
  type CommandWork,
  columns,
  type Options,
  refuse,
  type Said,
} from './commandWork.ts'

const noSpace = (space: string) => `There is no Space ${space}; see "callgate space list".`

type Holder = Extract<AddGatewayAnswer, { code: 'known_key' }>['holder']

/** Why a known key is refused. */
function sayHolder({ gatewayId, name, revokedAt, spaceId }: Holder): string {
  const holder = `The gateway ${name} (${gatewayId}) of ${spaceId} has this public key already`
  return revokedAt === null
    ? `${holder}. Give each gateway a key of its own: "gateway keygen" makes one.`
    : `${holder}, and is revoked. Its key may be in other hands: make a new one with "gateway keygen".`
}

/** One account in lines, below the name of the program that connects with it. */
function accountLines(
  { clientId, publishes, subscribes }: BrokerAccount,
  login: readonly string[],
): string[] {
  const list = (label: string, topics: readonly string[]) =>
    topics.map((topic, place) => `  ${(place === 0 ? label : '').padEnd(12)}  ${topic}`)
  return [
    `  client id     ${clientId}`,
    ...login.map(line => `  ${line}`),
    ...list('publishes', publishes),
    ...list('subscribes', subscribes),
  ]
}

/** The accounts that an operator's broker needs before the gateway can connect. */
function brokerLines(gateway: BrokerAccount): string[] {
  const own = [`user name     ${gateway.clientId}`, 'password      the mqttPassword above']
  return [
    'Tell your broker of it. The gateway publishes its last will to the topic that ends with beat:',
    '',
    ...accountLines(gateway, own),
    '',
    'The cloud needs its own account there, once:',
    '',
    ...accountLines(cloudAccount, ['user name     and password: those in MQTT_URL']),
    '',
  ]
}

/** The settings for the gateway, and the accounts for an operator's broker. */
function sayAdded(config: Config, gateway: AddedGateway, cloudKeys: readonly string[]): Said {
  const mqttUrl = mqttUrlOf(config)
  const warnings = gatewayComplaints(config, mqttUrl)
  const account = gatewayAccount(gateway.gatewayId)
  const isByHand = config.mqttUrl !== undefined && config.mqttAdminUrl === undefined
  const broker = isByHand ? { gateway: account, cloud: cloudAccount } : undefined
  const text = [
    `The gateway ${gateway.name} is added. Give it these; the password is shown this once:`,
    '',
    `  gatewayId     ${gateway.gatewayId}`,
    `  mqttUrl       ${mqttUrl}`,
    `  mqttPassword  ${gateway.mqttPassword}`,
    `  cloudKeys     ${cloudKeys.join(' ')}`,
    '',
    ...(broker ? brokerLines(account) : []),
    ...(config.mqttAdminUrl === undefined
      ? []
      : ['The cloud adds its account to your broker: at once while it serves, else when it starts.', '']),
    ...warnings.map(warning => `Warning: ${warning}.`),
  ].join('\n')
  const json = { ...gateway, mqttUrl, cloudKeys, warnings, ...(broker && { broker }) }
  return { ok: true, json, text }
}

const noGateway = (gateway: string) => `There is no gateway ${gateway}; see "callgate gateway list".`

/** The new password, and who must be informed of it. */
function sayPassword(
  { mqttAdminUrl, mqttUrl }: Config,
  gatewayId: string,
  { mqttPassword, name }: { readonly name: string; readonly mqttPassword: string },
): Said {
  const oldOne =
    mqttUrl === undefined
      ? 'The old one counts no more: within 5 s the broker ends a connection that was made with it.'
      : mqttAdminUrl === undefined
        ? `Tell your broker of it: the user name is ${gatewayId}. Until then the broker takes the old one. Then end its connection there.`
        : 'The cloud tells your broker, which ends the connection of the old one: within seconds while the cloud serves, else when it starts.'
  const text = [
    `The gateway ${name} has a new password, which is shown this once:`,
    '',
    `  mqttPassword  ${mqttPassword}`,
    '',
    oldOne,
    'Write it as mqttPassword into the configuration of the gateway, and start its daemon again: until then no gate is opened by it.',
  ].join('\n')
  return { ok: true, json: { gatewayId, mqttPassword }, text }
}

/** Why a gateway is not added. */
function sayNotAdded(refused: Exclude<AddGatewayAnswer, { ok: true }>, space: string): string {
  if (refused.code === 'no_space') return noSpace(space)
  return refused.code === 'limit'
    ? `${refused.problem.message} "callgate space limits" raises it.`
    : sayHolder(refused.holder)
}

export const gatewayWork = {
  async add({ config, database, world }, { space = '', name = '', publicKey = '' }) {
    if (!verifyingKey(publicKey))
      return refuse(
        '--public-key must be the key that the gateway prints at "keygen": 43 characters of base64url.',
      )
    const loaded = await loadKeyring(world, config.keys)
    if (!loaded.ok) return refuse(loaded.message)
    const { publicKeys, seal } = loaded.keyring
    const keepPassword = config.mqttAdminUrl === undefined ? undefined : passwordKeeper(seal)
    const added = await addGateway(
      { database, world },
      { spaceId: space, name, publicKey, actor, keepPassword },
    )
    if (!added.ok) return refuse(sayNotAdded(added, space))
    return sayAdded(config, added.gateway, publicKeys())
  },
  async list({ database, world }: Pick<CommandParts, 'database' | 'world'>, { space }: Options) {
    const gateways = await listGateways({ database, world }, space)
    const rows = gateways.map(({ gatewayId, lastBeatAt, modem, name, revokedAt, spaceId, tooOld }) => [
      gatewayId,
      name,
      spaceId,
      revokedAt === null ? 'admitted' : 'revoked',
      lastBeatAt,
      modem && `${modem.state}, ${modem.registration}`,
      modem && modem.signalDbm !== null ? `${modem.signalDbm} dBm` : null,
      tooOld ? sayOldProgram(tooOld) : modem?.trouble ? sayTrouble(modem.trouble) : null,
    ])
    return {
      ok: true,
      json: { gateways },
      text: columns(['GATEWAY', 'NAME', 'SPACE', 'STATE', 'LAST BEAT', 'MODEM', 'SIGNAL', 'SEE TO'], rows),
    }
  },
  async password({ config, database, world }, { gateway: gatewayId = '' }) {
    const loaded = await loadKeyring(world, config.keys)
    if (!loaded.ok) return refuse(loaded.message)
    const isKept = config.mqttAdminUrl !== undefined
    const keepPassword = passwordKeeper(loaded.keyring.seal)
    const changed = await changePassword({ database, world }, { gatewayId, actor, isKept, keepPassword })
    if (changed.ok) return sayPassword(config, gatewayId, changed)
    return refuse(
      changed.code === 'no_gateway'
        ? noGateway(gatewayId)
        : `The gateway ${gatewayId} is revoked, for good. Add it again: "callgate gateway add".`,
    )
  },
  async revoke({ database, world }, { gateway = '' }) {
    const isKnown = await revokeGateway({ database, world }, { gatewayId: gateway, actor })
    if (!isKnown) return refuse(noGateway(gateway))
    const text = `The gateway ${gateway} is revoked; the broker cuts it within 5 s.`
    return { ok: true, json: { gatewayId: gateway, isRevoked: true }, text }
  },
} satisfies Record<string, CommandWork>
