// Queries the modem itself while no daemon runs: without a PIN, a restart by a hook, or a call.

import type { ByteLine, OpenLine } from '@callgate/modem/byteLine'
import { createModem, type ModemStatus } from '@callgate/modem/modem'
import type { Timer, World } from '@callgate/world/world'

/** A SIM800 needs up to 20 s for its card and as long for the network. */
const patienceMs = 45_000
/** How long a modem may look for its network after the first reading. */
const networkWithinMs = 20_000

/** A modem that reports its network by itself is ready before it was asked for its readings. */
const readingsWithinMs = 10_000

/** Whether waiting would reveal nothing more. A refusal by the network may come before the modem has named its model. */
function isSettled(status: ModemStatus): boolean {
  const { model, operator, registration, signalDbm, state, trouble, voltageMv } = status
  if (state === 'ready') return operator !== null && signalDbm !== null && voltageMv !== null
  if (registration === 'denied' && model !== null) return true
  return (state === 'lost' || state === 'sim_error') && trouble !== null
}

/** Sets the modem up as the daemon does until its state is known, then closes the port. */
export async function askModem(world: World, openLine: OpenLine): Promise<ModemStatus> {
  const modem = createModem({ world, openLine })
  await new Promise<void>(resolve => {
    const limits = new Map<ModemStatus['state'] | undefined, Timer>()
    const end = () => {
      for (const limit of limits.values()) limit.cancel()
      resolve()
    }
    const endWithin = (ms: number, since?: ModemStatus['state']) => {
      if (!limits.has(since)) limits.set(since, world.after(ms, end))
    }
    const follow = (status: ModemStatus) => {
      const { state } = status
      if (isSettled(status)) end()
      else if (state === 'ready') endWithin(readingsWithinMs, state)
      else if (state === 'no_network') endWithin(networkWithinMs, state)
    }
    endWithin(patienceMs)
    modem.onStatus(follow)
    modem.start()
  })
  const status = modem.status()
  await modem.close()
  return status
}

/** The rates that modems are sold with and that people set. */
const usualRates = [115_200, 9_600, 19_200, 38_400, 57_600, 230_400, 460_800, 921_600]
const answerWithinMs = 700

/** Whether a modem answers OK to AT on this line. A modem that detects its rate needs more than one AT. */
async function answers(world: World, line: ByteLine): Promise<boolean> {
  const pause = () => new Promise<void>(resolve => world.after(answerWithinMs / 2, resolve))
  let heard = ''
  line.onBytes(bytes => {
    heard = (heard + Buffer.from(bytes).toString('latin1')).slice(-1_000)
  })
  for (let turn = 0; turn < 2 && !/\r\nOK\r\n/.test(heard); turn++) {
    line.write(Buffer.from('AT\r'))
    await pause()
  }
  return /\r\nOK\r\n/.test(heard)
}

/** The rate other than `notRate` at which a modem answers; undefined where there is none. It writes only AT. */
export async function findRate(
  world: World,
  openAt: (baudRate: number) => OpenLine,
  notRate: number,
): Promise<number | undefined> {
  for (const rate of usualRates.filter(other => other !== notRate)) {
    const opened = await openAt(rate)(0)
    if (!opened.ok) continue
    const isThere = await answers(world, opened.line)
    await opened.line.close()
    if (isThere) return rate
  }
  return undefined
}
