// Which settings all clouds of one database share, with the files that they name; and those settings on a machine that joins.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { variables as known } from '../configVariables.ts'
import { isServer } from '../database/databaseAddress.ts'
import { keyFiles, sealingPlace, signingPlace } from '../secrets/keyring.ts'
import { readSecretFiles } from '../secrets/secretFiles.ts'
import type { SharedCloud } from './joinFile.ts'
import type { Draft } from './question.ts'

/** What each machine has for itself: where it listens, its proxy, its folders. */
const ofOneMachine: ReadonlySet<string> = new Set([
  ...['HOST', 'PORT', 'TRUST_PROXY', 'METRICS_HOST', 'METRICS_PORT', 'NODE_ENV', 'CALLGATE_DATA'],
  ...['MQTT_HOST', 'MQTT_PORT', 'MQTT_TLS_CERT', 'MQTT_TLS_KEY', 'SIGNING_KEY_FILE', 'SEALING_KEYS_FILE'],
])

/** The variables that name a file, and the name of that file beside the settings of the other machine. */
const fileVariables: Readonly<Record<string, string>> = {
  MQTT_CA: 'authority.pem',
  MQTT_CLIENT_CERT: 'broker-client.pem',
  MQTT_CLIENT_KEY: 'broker-client.key',
}

/** The parameters of an address of Postgres that name a file. */
const databaseFiles = ['sslrootcert', 'sslcert', 'sslkey'] as const
const databaseFile = (parameter: string) => `database-${parameter}.pem`

/** The address with other files in the place of those that it names. */
function withFiles(url: string, fileOf: (parameter: string, file: string) => string): string {
  if (!isServer(url) || !URL.canParse(url)) return url
  const changed = new URL(url)
  for (const parameter of databaseFiles) {
    const file = changed.searchParams.get(parameter)
    if (file !== null) changed.searchParams.set(parameter, fileOf(parameter, file))
  }
  return changed.href
}

export type Gathered =
  | { readonly ok: true; readonly shared: SharedCloud }
  | { readonly ok: false; readonly message: string }

/** The settings and keys of this cloud for another machine. */
export async function sharedCloud(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Gathered> {
  if (!isServer(config.databaseUrl) || config.mqttUrl === undefined)
    return {
      ok: false,
      message:
        'Several clouds share a Postgres and a broker of your own, and this one has not both. "callgate setup" changes that; see databases.md.',
    }
  const secrets = readSecretFiles(environment)
  if (!secrets.ok) return { ok: false, message: `${secrets.message}.` }
  const set = Object.entries({ ...environment, ...secrets.values }).filter(
    (entry): entry is [string, string] => Boolean(entry[1]?.trim()) && Object.hasOwn(known, entry[0]),
  )
  const own = set.filter(([name]) => !ofOneMachine.has(name) && !/_URL_FILE$/.test(name))
  const named = new Map<string, string>()
  const variables = Object.fromEntries(
    own.map(([name, value]) => {
      const file = fileVariables[name]
      if (file !== undefined) named.set(file, value)
      if (name === 'DATABASE_URL')
        return [
          name,
          withFiles(value, (parameter, path) => {
            named.set(databaseFile(parameter), path)
            return databaseFile(parameter)
          }),
        ]
      return [name, file ?? value]
    }),
  )
  const contents = async (paths: Iterable<readonly [string, string]>) =>
    Object.fromEntries(
      await Promise.all(
        [...paths].map(async ([name, path]) => [name, await readFile(path, 'utf8')] as const),
      ),
    )
  const places = [signingPlace(config.keys), sealingPlace(config.keys)]
  const keys = await contents(keyFiles.map((name, place) => [name, places[place] ?? '']))
  return { ok: true, shared: { variables, files: await contents(named), keys } }
}

/** The settings of a machine that joins, whose files go to `folder`. */
export function draftOf({ files, variables }: SharedCloud, folder: string): Draft {
  const placed = Object.entries(variables).map(([name, value]) => {
    if (Object.hasOwn(fileVariables, name)) return [name, join(folder, value)]
    return [
      name,
      name === 'DATABASE_URL' ? withFiles(value, (_parameter, file) => join(folder, file)) : value,
    ]
  })
  return { variables: Object.fromEntries(placed), files }
}

/** Why these are no settings of a cloud; undefined where they are. */
export function settingsFault(variables: Readonly<Record<string, string>>): string | undefined {
  const strange = Object.keys(variables).find(name => !Object.hasOwn(known, name))
  if (strange !== undefined)
    return `${strange} is no variable of the cloud; "callgate serve --help" lists them.`
  const read = readConfig(variables)
  return read.ok ? undefined : read.message
}
