// Freeing the line: hangs up until the modem's list of calls is empty.

import type { AtLine } from './atLine.ts'
import { commands } from './commands.ts'
import { voiceCallsIn } from './core/lines.ts'
import type { Quirks } from './quirks.ts'

/** Whether the modem lists no voice call; undefined when it does not say. */
async function isLineFree(at: AtLine): Promise<boolean | undefined> {
  const answer = await at.ask(commands.calls)
  if (answer.result !== 'ok') return undefined
  return voiceCallsIn(answer.lines).length === 0
}

/** Sends the model's hang-ups in turn while a call is listed; false when one stays, or the modem does not say. */
export async function releaseLine(at: AtLine, quirks: Quirks): Promise<boolean> {
  if (await isLineFree(at)) return true
  return hangUpLine(at, quirks)
}

/**
 * Hangs up first, then looks. `isDialling`: the OK of ATD is still to come, and there every family takes an ATH, if only
 * for a byte that ends the dial (SIM800 AT manual V1.09 2.2.3), but no AT+CHUP.
 */
export async function hangUpLine(at: AtLine, quirks: Quirks, isDialling = false): Promise<boolean> {
  const hangUps = isDialling ? [commands.hangUp, ...quirks.hangUps] : quirks.hangUps
  for (const command of new Set(hangUps)) {
    await at.ask(command)
    if (await isLineFree(at)) return true
  }
  return false
}
