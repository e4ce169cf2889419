// The text of the command check: the configuration as the daemon would use it, and the state of its ports and folders.

import { access, constants } from 'node:fs/promises'
import { portPaths } from '@callgate/modem/portPaths'
import type { GatewayConfig } from './config.ts'
import { systemCode } from './journalDisk.ts'

async function problemWith(path: string): Promise<string> {
  try {
    await access(path, constants.R_OK | constants.W_OK)
    return 'ok'
  } catch (error) {
    return systemCode(error) ?? String(error)
  }
}

interface PortState {
  readonly path: string
  readonly problem: string
}

/** Each port as it is now. A pattern without a match is listed as it is written. */
async function portStates({ serialPorts }: GatewayConfig): Promise<PortState[]> {
  const found = await portPaths(serialPorts)
  const paths = found.length > 0 ? found : serialPorts
  return Promise.all(paths.map(async path => ({ path, problem: await problemWith(path) })))
}

/** Several lines for a person, without secrets. */
export async function checkUp(config: GatewayConfig): Promise<string> {
  const ports = await portStates(config)
  const hooks = Object.entries(config.modemHooks).map(([name, command]) => `${name}: ${command[0]}`)
  const folder = await problemWith(config.dataFolder)
  return [
    'The configuration is good.',
    `  gateway      ${config.gatewayId}`,
    `  public key   ${config.signingKey.publicKey}`,
    `  cloud        ${config.mqttUrl}, ${config.cloudKeys.length} pinned key(s)`,
    ...ports.map(({ path, problem }) => `  serial port  ${path} at ${config.baudRate} baud: ${problem}`),
    ...hooks.map(hook => `  modem hook   ${hook}`),
    `  data folder  ${config.dataFolder}: ${folder === 'ENOENT' ? 'will be made' : folder}`,
    ...config.warnings.map(warning => `  warning      ${warning}`),
    ...(ports.some(({ problem }) => problem === 'ok')
      ? []
      : ['The daemon would start, and try the port again until the modem is there.']),
  ].join('\n')
}
