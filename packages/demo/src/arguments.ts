// The command line of `pnpm start`, and its environment.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { done, failed, messageOf, type Result } from './result.ts'
import type { NetworkName } from './scenery.ts'

export const help = `Usage: pnpm start [--network normal|fast] [--help]

Starts the cloud, a gateway daemon and a simulated modem as processes of their own, makes a demo Space with four gates
and an API key, and prints a curl line that opens each gate. Ctrl-C stops everything.

Options:
  --network normal   calls take as long as in a real network, some 8 s (the default)
  --network fast     calls take a fraction of a second
  --help             shows this

Environment:
  CALLGATE_DATA      the folder for the data, the logs and ready.json (./.callgate)
  PORT, MQTT_PORT    the ports to prefer (8080 and 1883); a free one is taken in the place of one that is taken
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

/** What is to be done: the settings, or `help`; a failure names the mistake. `folder` is the one started in. */
export function readArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Result<Settings | 'help'> {
  let given: { network?: string | undefined; help?: boolean | undefined }
  try {
    given = parseArgs({
      // `pnpm start -- --help` hands the two dashes on.
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

/** What the demo says of variables that were set in vain, since it serves this machine alone; undefined without any. */
export function setInVain(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const names = ['APP_URL', 'HOST', 'MQTT_HOST'].filter(name => environment[name])
  return names.length === 0
    ? undefined
    : `${names.join(', ')}: not used. The demo serves this machine alone; for others, see "callgate serve --help".`
}

/** The parts' environment: ours without what would lead them out of the demo, to other data or another broker. */
export function environmentOfParts(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const foreign = /^(CALLGATE_.*|DATABASE_URL|MQTT_.*|ALLOW_PLAIN_MQTT|APP_URL|HOST|PORT|TRUST_PROXY)$/
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !foreign.test(name)))
}
