// `callgate broker setup`: the first accounts of an operator's Mosquitto, as files.

import { mkdir, open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { World } from '@callgate/world/world'
import type { Config } from '../config.ts'
import { firstAccounts, newPassword } from '../gateway/brokerSetup.ts'
import { type BrokerLogin, brokerLogin } from '../network/brokerLogin.ts'
import { type FileWork, refuse } from './commandWork.ts'

const accountsFile = 'dynamic-security.json'
const variablesFile = 'cloud.env'

interface Logins {
  readonly cloud: BrokerLogin
  readonly admin: BrokerLogin
  /** The variables that the cloud needs; undefined where it has them already. */
  readonly variables: string | undefined
}

/** New logins, or those of the configuration: the file then restores a broker that has lost its own. */
function loginsFor({ mqttAdminUrl, mqttUrl }: Config, world: World, host: string | undefined) {
  const cloud = mqttUrl === undefined ? undefined : brokerLogin(mqttUrl)
  const admin = mqttAdminUrl === undefined ? undefined : brokerLogin(mqttAdminUrl)
  if (cloud && admin) return { cloud, admin, variables: undefined } satisfies Logins
  if (host === undefined || !URL.canParse(`mqtts://${host}`) || new URL(`mqtts://${host}`).host !== host)
    return undefined
  const made: Omit<Logins, 'variables'> = {
    cloud: { user: 'callgate', password: newPassword(world) },
    admin: { user: 'callgate-admin', password: newPassword(world) },
  }
  const urlOf = ({ password, user }: BrokerLogin) => `mqtts://${user}:${password}@${host}`
  const lines = [`MQTT_URL=${urlOf(made.cloud)}`, `MQTT_ADMIN_URL=${urlOf(made.admin)}`, '']
  return { ...made, variables: lines.join('\n') } satisfies Logins
}

/** Writes a file that only its owner can read. False when it exists already. */
async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(text)
    await handle.close()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Writes all files, or returns what prevents it. */
async function writeAll(
  folder: string,
  files: readonly { readonly file: string; readonly text: string }[],
  as: string,
): Promise<string | undefined> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const { file, text } of files)
      if (!(await writeNew(file, text)))
        return `${file} is there already, and is kept. Move it away, or give another folder as --to.`
    return undefined
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return `${folder} cannot be written${as} (${error.code}). Give another folder as --to.`
  }
}

const setup: FileWork = async ({ config, files: callers, world }, { host, to = '.' }) => {
  const logins = loginsFor(config, world, host)
  if (!logins)
    return refuse(
      '--host must be the host of the broker as gateways reach it, with its port where that is not 8883: broker.example.com',
    )
  const folder = resolve(to)
  const accounts = await firstAccounts(world, logins)
  const files = [
    { file: join(folder, accountsFile), text: accounts },
    ...(logins.variables === undefined
      ? []
      : [{ file: join(folder, variablesFile), text: logins.variables }]),
  ]
  const fault = await callers.at(folder, as => writeAll(folder, files, as))
  if (fault !== undefined) return refuse(fault)
  const [first, second] = files.map(({ file }) => file)
  const text = [
    `${first} holds the accounts of the cloud: let Mosquitto read and write it, and keep a copy.`,
    second === undefined
      ? 'They have the logins of MQTT_URL and MQTT_ADMIN_URL. The cloud adds the gateways when it connects.'
      : `${second} holds MQTT_URL and MQTT_ADMIN_URL for the cloud, with the passwords: nobody else needs it.`,
  ].join('\n')
  return { ok: true, json: { files: files.map(({ file }) => file) }, text }
}

export const brokerWork = { setup } satisfies Record<string, FileWork>
