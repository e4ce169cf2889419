// For tests of locks: a data folder and a key of their own, and programs of other users and versions.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GatewayConfig } from './config.ts'

/** Registers work for the end of the test. */
type AtEnd = (end: () => Promise<void>) => void

/** The fields of a configuration that the locks need, in a folder that is removed with the test. */
export async function lockedParts(
  atEnd: AtEnd,
): Promise<{ readonly folder: string; readonly config: GatewayConfig }> {
  const place = await mkdtemp(join(tmpdir(), 'callgate-lock-'))
  atEnd(() => rm(place, { recursive: true }))
  const folder = join(place, 'data')
  await mkdir(folder, { mode: 0o700 })
  const privateKeyFile = join(place, 'gateway.key')
  await writeFile(privateKeyFile, '', { mode: 0o600 })
  return { folder, config: { dataFolder: folder, gatewayId: `of ${place}`, privateKeyFile } as GatewayConfig }
}

/** The name of the lock of earlier versions. */
export const formerAddress = (name: string): string =>
  `\0callgate-gateway-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`

/** Runs a Node program until the test ends; resolves with its first line of output. */
export async function runs(atEnd: AtEnd, program: string, user?: number): Promise<string> {
  const child = spawn(process.execPath, ['-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    ...(user !== undefined && { uid: user, gid: user }),
  })
  const ended = once(child, 'exit')
  atEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  return line.trim()
}
