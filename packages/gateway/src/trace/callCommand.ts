// `callgate-gateway call`: shows one opening of this gateway as it happens. It requests none: a person presses.

import { realpath } from 'node:fs/promises'
import type { World } from '@callgate/world/world'
import type { GatewayConfig } from '../config.ts'
import { askStatus, listenToTrace } from '../local/askDaemon.ts'
import type { DaemonStatus, TraceLine } from '../local/localMessages.ts'
import { lockForTool, sayLockFault } from '../lock.ts'

interface Terminal {
  readonly world: World
  print(text: string): void
}

/** `ok`: the call did what this gate's profile requires. `none`: no opening was seen. */
export type CallSeen = 'ok' | 'failed' | 'none' | 'no_daemon'

/** How long a person may take to press. */
const pressWithinMs = 600_000
/** When the command explains what may prevent an opening. */
const adviseAfterMs = 45_000
/** A declined opening may come back: the cloud repeats it until it is 12 s old. */
const comesBackWithinMs = 14_000
/** An opening is over after 90 s. */
const endsWithinMs = 100_000

/** Reasons that would prevent an opening by this gateway now; empty where there are none. */
function doubtsAbout({ cloud, isOpening, modem }: DaemonStatus): readonly string[] {
  return [
    ...(cloud.isConnected
      ? []
      : [`The daemon is not connected to the cloud${cloud.problem === null ? '' : `: ${cloud.problem}`}.`]),
    ...(cloud.isConnected && !cloud.isTakenUp ? ['The cloud has not taken this gateway up.'] : []),
    ...(['ready', 'calling'].includes(modem.state)
      ? []
      : [`The modem is not ready (${modem.trouble ?? modem.state}).`]),
    ...(isOpening ? ['An opening runs already. The next one is shown.'] : []),
  ]
}

const beforePress =
  'Now press "Test call" at the gate on the dashboard, or open the gate by a link. Waiting for 10 minutes; Ctrl-C ends this.'
const stillNothing =
  'Nothing has come yet. If somebody has pressed: the opening on the dashboard says what became of it. Perhaps another gateway calls this gate, or this one may not ("Gateways" at the gate).'

/** `given` contains the advice that was given before, which is not repeated. */
function lineText({ advice, atMs, says }: TraceLine, given: Set<string>): string {
  const text = `${(atMs / 1_000).toFixed(1).padStart(6)} s  ${says.replace(/[.!?]?$/, '.')}`
  if (advice === null || given.has(advice)) return text
  given.add(advice)
  return `${text}\n          → ${advice.replace(/[.!?]?$/, '.')}`
}

/** Shows the next opening from its start to its end. */
function followOne({ print, world }: Terminal, folder: string): Promise<CallSeen> {
  return new Promise(resolve => {
    let openingId: string | undefined
    const given = new Set<string>()
    const finish = (seen: CallSeen, text?: string) => {
      limit.cancel()
      advice.cancel()
      stop()
      if (text !== undefined) print(text)
      resolve(seen)
    }
    const limitTo = (withinMs: number, seen: CallSeen, text: string) => {
      limit.cancel()
      limit = world.after(withinMs, () => finish(seen, text))
    }
    let limit = world.after(pressWithinMs, () => finish('none', 'No opening has come.'))
    const advice = world.after(adviseAfterMs, () => {
      if (openingId === undefined) print(stillNothing)
    })
    const stop = listenToTrace(world, folder, {
      onEnd: why => finish(openingId === undefined ? 'none' : 'failed', `The daemon tells no more: ${why}.`),
      onLine(line) {
        if (openingId === undefined) print(`Opening ${line.openingId}`)
        openingId ??= line.openingId
        if (line.openingId !== openingId) return
        print(lineText(line, given))
        if (line.end === null)
          limitTo(endsWithinMs, 'failed', 'The daemon has told no end. The opening on the dashboard says it.')
        else if (line.end === 'declined')
          limitTo(comesBackWithinMs, 'failed', 'The opening did not come back to this gateway.')
        else finish(line.end === 'completed' ? 'ok' : 'failed')
      },
    })
  })
}

/** Waits for an opening of this gateway and shows it. */
export async function callCommand(terminal: Terminal, config: GatewayConfig): Promise<CallSeen> {
  const { print, world } = terminal
  const folder = await realpath(config.dataFolder).catch(() => config.dataFolder)
  const locked = await lockForTool(config, 'call')
  if (locked.ok) {
    locked.release()
    print(
      'The daemon does not run, so no opening can come. To start it: sudo systemctl start callgate-gateway',
    )
    return 'no_daemon'
  }
  if (locked.tool !== undefined) {
    print(`callgate-gateway ${locked.tool} has the modem: wait until it has ended, and the daemon runs.`)
    return 'no_daemon'
  }
  if (locked.code !== 'held') {
    print(`It cannot be known whether the daemon runs: ${sayLockFault(locked)}.`)
    return 'no_daemon'
  }
  const asked = await askStatus(world, folder)
  if (!asked.ok) {
    print(`The daemon runs, and ${asked.why}.`)
    return 'no_daemon'
  }
  const doubts = doubtsAbout(asked.answer)
  for (const doubt of doubts) print(doubt)
  if (doubts.length > 0) print('callgate-gateway doctor says what to do.')
  print(beforePress)
  return followOne(terminal, folder)
}
