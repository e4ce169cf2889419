// The supply voltage in a call, as the modem tells it: it is asked for right after a list of calls, so that no other moment costs
// a command.

import type { World } from '@callgate/world/world'
import type { AtLine } from './atLine.ts'
import { commands } from './commands.ts'
import { voltageReading } from './core/readings.ts'

/** A modem that takes longer to list its calls is not asked: a hang-up might have to wait for both answers. */
const promptMs = 1_000

/** After so many calls in a row without an answer, the question only costs each call some signs. */
const mostSilentCalls = 3

/** Whether the modem answers the question during its calls, kept from call to call. */
export class SupplyAnswers {
  readonly #log: Pick<World['log'], 'warn'>
  #modemId: string | null = null
  #silentCalls = 0

  constructor(log: Pick<World['log'], 'warn'>) {
    this.#log = log
  }

  /** A call of this modem begins. Another modem is asked anew. */
  ofModem(modemId: string | null): this {
    if (modemId !== this.#modemId) this.#silentCalls = 0
    this.#modemId = modemId
    return this
  }

  /** False from the third call in a row without an answer until the daemon starts again. */
  mayAsk(): boolean {
    return this.#silentCalls < mostSilentCalls
  }

  note(isSilent: boolean): void {
    this.#silentCalls = isSilent ? this.#silentCalls + 1 : 0
    if (isSilent && !this.mayAsk())
      this.#log.warn('The modem never answers AT+CBC in a call: it is asked no more in calls')
  }
}

export class CallSupply {
  readonly #line: Pick<AtLine, 'ask'>
  readonly #answers: SupplyAnswers
  #lowestMv: number | null = null
  #isTold = true

  constructor(line: Pick<AtLine, 'ask'>, answers: SupplyAnswers) {
    this.#line = line
    this.#answers = answers
  }

  /** Millivolts; null where it was not measured. */
  get lowestMv(): number | null {
    return this.#lowestMv
  }

  /**
   * Asks once, where the list before took `listMs`. A modem that does not tell it is not asked again in this call. False where it
   * was asked and did not answer; an error counts as an answer.
   */
  async check(listMs: number): Promise<boolean> {
    if (!this.#isTold || listMs > promptMs || !this.#answers.mayAsk()) return true
    const answer = await this.#line.ask(commands.voltageInCall)
    const nowMv = answer.result === 'ok' ? voltageReading(answer.lines[0]) : null
    this.#isTold = nowMv !== null
    if (nowMv !== null) this.#lowestMv = Math.min(nowMv, this.#lowestMv ?? nowMv)
    const isSilent = answer.result === 'silent'
    // A restart or a lost port does not show whether the modem answers.
    if (answer.result !== 'dropped') this.#answers.note(isSilent)
    return !isSilent
  }
}
