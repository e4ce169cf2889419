// Starts the unit of an installed cloud, and waits until it is ready.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import type { World } from '@callgate/world/world'
import type { OperatorFiles } from '../backup/operatorFiles.ts'
import type { Config } from '../config.ts'
import { type Check, fine, unknown, wrong } from '../doctor/check.ts'
import { whyNotReady } from '../doctor/reachChecks.ts'

/** A cloud of several listens for 10 s before it is ready. */
const readyWithinMs = 60_000
const lookEveryMs = 500

const pause = (world: World) => new Promise<void>(resolve => world.after(lookEveryMs, resolve))

/** `systemctl` with the caller's rights; its last line where it fails. */
async function systemctl(files: OperatorFiles, ...args: string[]): Promise<string | undefined> {
  try {
    await files.at('/', () => promisify(execFile)('systemctl', args))
    return undefined
  } catch (error) {
    const { message, stderr = '' } = error as Error & { stderr?: string }
    return stderr.trim().split('\n').at(-1) || message
  }
}

/** Enables and starts the unit. Without systemd, as in a container, it is left to whoever starts programs there. */
export async function startCloud(
  world: World,
  files: OperatorFiles,
  unit: string | undefined,
  config: Config,
): Promise<Check> {
  const name = 'cloud'
  if (unit === undefined || !existsSync('/run/systemd/system'))
    return {
      name,
      ...unknown('There is no systemd here, so nothing was started', 'Start it: callgate serve'),
    }
  const failed = (await systemctl(files, 'enable', unit)) ?? (await systemctl(files, 'restart', unit))
  if (failed !== undefined)
    return { name, ...wrong(`${unit} does not start: ${failed}`, `journalctl -u ${unit}`) }
  const startedMs = world.monotonicMs()
  for (;;) {
    const why = await whyNotReady(world, config)
    if (why === undefined) return { name, ...fine(`${unit} serves, and is ready`) }
    const isGone = (await systemctl(files, 'is-active', unit)) !== undefined
    if (isGone || world.monotonicMs() - startedMs > readyWithinMs)
      return { name, ...wrong(`${unit} is not ready: ${why}`, `journalctl -u ${unit}`) }
    await pause(world)
  }
}
