// A person's access to the modem: through the running daemon, or by the port itself while no daemon runs.

import { realpath } from 'node:fs/promises'
import type { OpenLine } from '@callgate/modem/byteLine'
import { createModem } from '@callgate/modem/modem'
import type { World } from '@callgate/world/world'
import type { GatewayConfig } from '../config.ts'
import { askAt, askStatus, listenToModem } from '../local/askDaemon.ts'
import type { AtAnswer } from '../local/localMessages.ts'
import { lockForTool, sayLockFault } from '../lock.ts'
import { shownAnswer, shownLine } from './shownAnswer.ts'

export interface ModemAccess {
  /** Sends what was typed. Where it was not sent, the answer says why. */
  ask(line: string): Promise<AtAnswer>
  /** Listens from now on to the modem's unsolicited lines. */
  listen(onLine: (text: string) => void): void
  close(): Promise<void>
}

export type Reached =
  | { readonly ok: true; readonly through: 'daemon' | 'port'; readonly access: ModemAccess }
  /** `why` is a sentence for a person. */
  | { readonly ok: false; readonly why: string }

function daemonAccess(world: World, folder: string): ModemAccess {
  let stop = () => {}
  return {
    async ask(line) {
      const asked = await askAt(world, folder, line)
      return asked.ok ? asked.answer : { result: 'refused', lines: [], why: `The daemon: ${asked.why}` }
    },
    listen(onLine) {
      stop = listenToModem(world, folder, {
        onLine: ({ text }) => onLine(text),
        onEnd: why => onLine(`(nothing more is heard: ${why})`),
      })
    },
    close: async () => stop(),
  }
}

/** A SIM800 is set up, or reports what is missing, within a few seconds. */
const setUpWithinMs = 20_000

/** Sets the modem up as the daemon does, but enters no PIN and runs no hook. */
async function portAccess(world: World, openLine: OpenLine, release: () => void): Promise<ModemAccess> {
  const modem = createModem({ world, openLine })
  await new Promise<void>(resolve => {
    const limit = world.after(setUpWithinMs, resolve)
    modem.onStatus(({ state }) => {
      if (state === 'starting') return
      limit.cancel()
      resolve()
    })
    modem.start()
  })
  return {
    ask: async line => shownAnswer(await modem.ask(line)),
    listen: onLine => void modem.onUnasked(line => onLine(shownLine(line))),
    async close() {
      await modem.close()
      release()
    },
  }
}

/** Opens an access to the modem. While that holds the port itself, a starting daemon waits, and gives up after 50 s. */
export async function reachModem(world: World, config: GatewayConfig, openLine: OpenLine): Promise<Reached> {
  const folder = await realpath(config.dataFolder).catch(() => config.dataFolder)
  const locked = await lockForTool(config, 'modem')
  if (locked.ok)
    return { ok: true, through: 'port', access: await portAccess(world, openLine, () => locked.release()) }
  if (locked.tool !== undefined)
    return { ok: false, why: `callgate-gateway ${locked.tool} has the modem: wait until it has ended` }
  if (locked.code !== 'held')
    return { ok: false, why: `It cannot be known whether the daemon runs: ${sayLockFault(locked)}` }
  const asked = await askStatus(world, folder)
  return asked.ok
    ? { ok: true, through: 'daemon', access: daemonAccess(world, folder) }
    : { ok: false, why: `The daemon has the modem, and ${asked.why}` }
}
