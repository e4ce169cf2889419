// Modem hooks: the configured commands that switch the modem's PWRKEY, RESET and supply.

import { execFile } from 'node:child_process'
import type { HookName } from '@callgate/modem/modem'
import type { World } from '@callgate/world/world'
import type { ModemHooks } from './config.ts'

/** A script may hold PWRKEY for seconds, and a supply needs seconds to discharge. Milliseconds. */
const hookWithinMs = 30_000

/** The names of the configured hooks. */
export function hooksIn(hooks: ModemHooks): HookName[] {
  const names: readonly HookName[] = ['pwrkey', 'reset', 'supply']
  return names.filter(name => hooks[name] !== undefined)
}

/**
 * Runs the command without a shell, for at most 30 s. Returns false when there is no command, when it cannot be run, or when its
 * exit code is not 0; never rejects.
 */
export function runModemHook(world: World, hooks: ModemHooks, name: HookName): Promise<boolean> {
  const [program, ...args] = hooks[name] ?? []
  if (program === undefined) return Promise.resolve(false)
  return new Promise(resolve => {
    execFile(program, args, { timeout: hookWithinMs, killSignal: 'SIGKILL' }, (error, _output, errors) => {
      if (error)
        world.log.error('a modem hook failed', {
          hook: name,
          program,
          error: error.message.slice(0, 200),
          errors: errors.slice(0, 200),
        })
      resolve(error === null)
    })
  })
}
