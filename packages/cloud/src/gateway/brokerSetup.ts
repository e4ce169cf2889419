// The first accounts of a Mosquitto: the initial state of its dynamic security, before the cloud can add any.

import { pbkdf2Sync } from 'node:crypto'
import type { World } from '@callgate/world/world'
import type { BrokerLogin } from '../network/brokerLogin.ts'
import { wantedCloud } from './brokerAccounts.ts'
import { answerTopic, commandTopic, versionTopic } from './brokerAdmin.ts'
import type { Rule, WantedAccount } from './core/brokerChanges.ts'

/** A new password: 256 random bits as base64url. */
export const newPassword = (world: World): string => Buffer.from(world.randomBytes(32)).toString('base64url')

const adminRole = 'callgate-admin'
/** It may change all accounts and read the broker's version, but neither send nor read any other message. */
const adminRules: readonly Rule[] = [
  { acltype: 'publishClientSend', topic: commandTopic, allow: true },
  { acltype: 'subscribeLiteral', topic: answerTopic, allow: true },
  { acltype: 'publishClientReceive', topic: answerTopic, allow: true },
  { acltype: 'subscribeLiteral', topic: versionTopic, allow: true },
  { acltype: 'publishClientReceive', topic: versionTopic, allow: true },
]

/** Mosquitto reads their number from the file; it uses 101 for accounts that it creates itself. */
const iterations = 10_000

/** An account in the form of the file: PBKDF2 with SHA-512, which Mosquitto 2.0 and 2.1 read. */
function clientOf(world: World, name: string, password: string, role: string, textname: string): object {
  const salt = world.randomBytes(12)
  return {
    username: name,
    textname,
    password: pbkdf2Sync(password, salt, iterations, 64, 'sha512').toString('base64'),
    salt: Buffer.from(salt).toString('base64'),
    iterations,
    roles: [{ rolename: role }],
  }
}

/** `dynamic-security.json` with both accounts of the cloud and nothing else; everything that they may not do is denied. */
export async function firstAccounts(
  world: World,
  logins: { readonly cloud: BrokerLogin; readonly admin: BrokerLogin },
): Promise<string> {
  const { admin, cloud } = logins
  const own: WantedAccount = await wantedCloud(cloud.user, cloud.password)
  const content = {
    defaultACLAccess: {
      publishClientSend: false,
      publishClientReceive: false,
      subscribe: false,
      unsubscribe: false,
    },
    clients: [
      clientOf(world, admin.user, admin.password, adminRole, 'callgate: the account of MQTT_ADMIN_URL'),
      clientOf(world, own.name, cloud.password, own.role, own.login?.mark ?? ''),
    ],
    groups: [],
    roles: [
      { rolename: adminRole, acls: adminRules },
      { rolename: own.role, acls: own.rules },
    ],
  }
  return `${JSON.stringify(content, null, 2)}\n`
}
