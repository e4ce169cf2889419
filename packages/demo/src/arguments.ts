// The command line of `pnpm start`, and its environment.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { NetworkName } from './demoGates.ts'
import { done, failed, messageOf, type Result } from './result.ts'

export const help = `Usage: pnpm start [--network normal|fast] [--help]

Starts the cloud, a gateway daemon and a simulated modem as processes of their own, makes a demo Space with four gates
and an API key, and prints a curl line that opens each gate. Ctrl-C stops everything.

Options:
  --network normal   calls take as long as in a real network, some 8 s (the default)
  --network fast     calls take a fraction of a second
  --help             shows this

Environment:
  CALLGATE_DATA      the folder for the data, the logs and ready.json (./.callgate)
  DATABASE_URL, MQTT_URL (and each with _FILE)
                     refused: the demo has a database and a broker of its own
  PORT, MQTT_PORT    the preferred ports (8080 and 1883); when one is in use, a free port is used instead
  LOG_LEVEL          debug, info, warn or error (info)

Examples:
  pnpm start
  CALLGATE_DATA=/tmp/another pnpm start --network fast`

export interface Settings {
  readonly network: NetworkName
  readonly dataFolder: string
  /** The usual ports, which are preferred. */
  readonly httpPort: number
  readonly mqttPort: number
  readonly logLevel: string
}

function readPort(name: string, given: string | undefined, otherwise: number): Result<number> {
  if (given === undefined || given === '') return done(otherwise)
  const port = /^[0-9]{1,5}$/.test(given) ? Number(given) : 0
  if (port >= 1 && port <= 65_535) return done(port)
  return failed(`${name} is ${JSON.stringify(given)}, but has to be a port from 1 to 65535.`)
}

/** Variables for the place of a cloud's data or its broker, of which the demo has its own. */
const elsewhere = ['DATABASE_URL', 'DATABASE_URL_FILE', 'MQTT_URL', 'MQTT_URL_FILE']

/** Why the demo does not start beside a cloud's variables; undefined where none is set. */
function refusedVariables(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const names = elsewhere.filter(name => environment[name])
  if (names.length === 0) return undefined
  const unset = names.map(name => `-u ${name}`).join(' ')
  return `${names.join(', ')}: set, but "pnpm start" serves a database and a broker of its own. For the demo: env ${unset} pnpm start. For a cloud with yours: pnpm callgate serve.`
}

/** The settings, or `help`; a failure names the mistake. `folder` is the present one. */
export function readArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Result<Settings | 'help'> {
  let given: { network?: string | undefined; help?: boolean | undefined }
  try {
    given = parseArgs({
      // `pnpm start -- --help` passes the two dashes on.
      args: args[0] === '--' ? args.slice(1) : [...args],
      options: { network: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    }).values
  } catch (error) {
    return failed(`${messageOf(error)} See pnpm start --help.`)
  }
  if (given.help) return done('help')
  const network = given.network ?? 'normal'
  if (network !== 'normal' && network !== 'fast')
    return failed(`--network is ${JSON.stringify(network)}, but has to be normal or fast.`)
  const refused = refusedVariables(environment)
  if (refused !== undefined) return failed(refused)
  const httpPort = readPort('PORT', environment['PORT'], 8080)
  if (!httpPort.ok) return httpPort
  const mqttPort = readPort('MQTT_PORT', environment['MQTT_PORT'], 1883)
  if (!mqttPort.ok) return mqttPort
  return done({
    network,
    dataFolder: environment['CALLGATE_DATA'] || join(folder, '.callgate'),
    httpPort: httpPort.value,
    mqttPort: mqttPort.value,
    logLevel: environment['LOG_LEVEL'] || 'info',
  })
}

/** A warning about variables that the demo does not use, because it serves only this machine; undefined without any. */
export function unusedVariables(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const names = ['APP_URL', 'HOST', 'MQTT_HOST'].filter(name => environment[name])
  return names.length === 0
    ? undefined
    : `${names.join(', ')}: not used. The demo serves this machine alone; for others, see "callgate serve --help".`
}

/** The parts' environment: ours without the variables that would lead them to other data or another broker. */
export function environmentOfParts(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const foreign =
    /^(CALLGATE_.*|DATABASE_URL(_FILE)?|MQTT_.*|ALLOW_PLAIN_MQTT|APP_URL|HOST|NODE_ENV|PORT|TRUST_PROXY)$/
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !foreign.test(name)))
}
