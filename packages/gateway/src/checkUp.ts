// What the command check says: the configuration as the daemon would use it, and what it would meet.

import { access, constants } from 'node:fs/promises'
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

/** Several lines for a person; nothing secret in them. */
export async function checkUp(config: GatewayConfig): Promise<string> {
  const port = await problemWith(config.serialPort)
  const folder = await problemWith(config.dataFolder)
  return [
    'The configuration is good.',
    `  gateway      ${config.gatewayId}`,
    `  public key   ${config.signingKey.publicKey}`,
    `  cloud        ${config.mqttUrl}, ${config.cloudKeys.length} pinned key(s)`,
    `  serial port  ${config.serialPort} at ${config.baudRate} baud: ${port}`,
    `  data folder  ${config.dataFolder}: ${folder === 'ENOENT' ? 'will be made' : folder}`,
    ...config.warnings.map(warning => `  warning      ${warning}`),
    ...(port === 'ok' ? [] : ['The daemon would start, and try the port again until the modem is there.']),
  ].join('\n')
}
