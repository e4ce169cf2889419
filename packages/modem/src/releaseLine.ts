// Freeing the line: hangs up until the modem's list of calls is empty.

import type { AtLine } from './atLine.ts'
import { commands } from './commands.ts'
import { fieldsOf } from './core/fields.ts'
import { type ListedCall, voiceCallsIn } from './core/lines.ts'
import type { Quirks } from './quirks.ts'

/** The known facts of a line that is to be freed. */
interface LineFacts {
  /**
   * The OK of ATD is still to come. Every family then takes an ATH, even if only as a byte that ends the dial (SIM800 AT manual
   * V1.09 2.2.3), but no AT+CHUP.
   */
  readonly isDialling: boolean
  /** The modem has listed the call that is to end, so the call has ended when it is no longer listed. */
  readonly isListTrusted: boolean
  /** Rows that are no calls, by their ids. */
  readonly leftovers: readonly number[]
}

/** The voice calls that the modem lists; undefined when it does not say. */
async function callsOn(
  line: AtLine,
  leftovers: readonly number[],
): Promise<readonly ListedCall[] | undefined> {
  const answer = await line.ask(commands.calls)
  return answer.result === 'ok' ? voiceCallsIn(answer.lines, leftovers) : undefined
}

/** Whether the module's own state (AT+CPAS: 3 ringing, 4 a call) contradicts a free line; undefined: it does not say. */
async function isInCall(line: AtLine): Promise<boolean | undefined> {
  const answer = await line.ask(commands.activity)
  const state = answer.result === 'ok' ? fieldsOf(answer.lines[0], '+CPAS')[0] : undefined
  return state === undefined ? undefined : state === '3' || state === '4'
}

/**
 * Sends the model's hang-ups in turn while a call is listed. Returns the ids of rows that no hang-up ends and that cannot be our
 * calls: some modems on LTE always list one. Undefined when a call stays, or the modem does not answer.
 */
export async function releaseLine(line: AtLine, quirks: Quirks): Promise<readonly number[] | undefined> {
  const before = await callsOn(line, [])
  if (before?.length === 0) return []
  if (await hangUpLine(line, quirks, { isDialling: false, isListTrusted: true, leftovers: [] })) return []
  const left = await callsOn(line, [])
  const isLeftover = ({ id, outgoing, state }: ListedCall) =>
    !outgoing && before?.some(call => call.id === id && call.state === state && !call.outgoing)
  return left?.every(isLeftover) ? left.map(({ id }) => id) : undefined
}

/** Hangs up first, then checks; false when a call stays, or the modem does not answer. */
export async function hangUpLine(
  line: AtLine,
  quirks: Quirks,
  { isDialling, isListTrusted, leftovers }: LineFacts,
): Promise<boolean> {
  const hangUps = isDialling ? [commands.hangUp, ...quirks.hangUps] : quirks.hangUps
  for (const command of new Set(hangUps)) {
    const { result } = await line.ask(command)
    const calls = await callsOn(line, leftovers)
    // The modem may not have read a hang-up that it did not answer, and its list may be wrong.
    if (calls?.length !== 0 || result === 'silent') continue
    if (isListTrusted || !((await isInCall(line)) ?? result !== 'ok')) return true
  }
  return false
}
