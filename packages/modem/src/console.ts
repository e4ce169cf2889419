// The console: what a person types to the serving modem is asked between the driver's own commands, and never during a call.

import { readConsoleLine } from './core/consoleLine.ts'
import { hasCall, type ModemState, notSetUpOf } from './core/modemState.ts'
import type { Driver } from './driver.ts'

export interface ConsoleAnswer {
  readonly result: 'ok' | 'error' | 'silent' | 'refused'
  /** What the modem said before its result, at most 16 lines. */
  readonly lines: readonly string[]
  /** The modem's error, or why nothing was asked or answered; null after `ok`. */
  readonly why: string | null
}

/**
 * Why a person cannot use the line now; null: they can. A modem that is being set up or restarted must get only what the driver
 * writes. One that waits for its next set-up may be asked: it has stopped at its SIM card, or lacks something.
 */
function occupation(state: ModemState): string | null {
  // A program that serves openings has refused such lines before. So the reservation is for a question to the network or a
  // message.
  if (state.phase.phase === 'reserved')
    return 'The cloud uses the modem just now, for the balance of its SIM card or for a message. Type it again in a minute'
  if (hasCall(state)) return 'An opening is being served. Type it again when that is over'
  const modem = notSetUpOf(state)
  if (!modem) return state.isClosing ? 'The daemon stops' : null
  if (modem.phase === 'lost') return 'The port of the modem is not open. callgate-gateway doctor says why'
  const isWaiting = modem.phase === 'simError' || (modem.trouble !== null && modem.trouble !== 'silent')
  return isWaiting && modem.restart === 'none'
    ? null
    : 'The modem is being set up. Type it again in some seconds'
}

const refused = (why: string): ConsoleAnswer => ({ result: 'refused', lines: [], why })

/** Asks the typed line, if it is on the list and the line is free. Never rejects. */
export async function askConsole(driver: Driver, typed: string): Promise<ConsoleAnswer> {
  const read = readConsoleLine(typed)
  if (!read.ok) return refused(read.why)
  const occupied = occupation(driver.state)
  const { line } = driver
  if (occupied !== null || !line) return refused(occupied ?? 'The port of the modem is not open')
  const answer = await line.ask(read.command)
  switch (answer.result) {
    case 'ok':
      return { result: 'ok', lines: answer.lines, why: null }
    case 'error':
      return { result: 'error', lines: [], why: answer.error.text }
    case 'dropped':
      return { result: 'silent', lines: [], why: 'The modem restarted, or its port has gone' }
    default:
      return {
        result: 'silent',
        lines: [],
        why: `No answer within ${read.command.timeoutMs / 1_000} s`,
      }
  }
}
