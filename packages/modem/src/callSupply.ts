// The supply voltage in a call, as the modem tells it: asked for behind a list of calls, so that no other moment costs a command.

import type { AtLine } from './atLine.ts'
import { commands } from './commands.ts'
import { voltageReading } from './core/readings.ts'

/** A modem that takes longer to list its calls has no time for another question: a hang-up may have to wait for both. */
const promptMs = 1_000

export class CallSupply {
  readonly #line: Pick<AtLine, 'ask'>
  #lowestMv: number | null = null
  #isTold = true

  constructor(line: Pick<AtLine, 'ask'>) {
    this.#line = line
  }

  /** Millivolts; null where it was not measured. */
  get lowestMv(): number | null {
    return this.#lowestMv
  }

  /**
   * Asks once, where the list before took `listMs`. A modem that does not tell it is not asked again in this call. False when it
   * was asked and did not answer; an error is an answer.
   */
  async look(listMs: number): Promise<boolean> {
    if (!this.#isTold || listMs > promptMs) return true
    const answer = await this.#line.ask(commands.voltageInCall)
    const nowMv = answer.result === 'ok' ? voltageReading(answer.lines[0]) : null
    this.#isTold = nowMv !== null
    if (nowMv !== null) this.#lowestMv = Math.min(nowMv, this.#lowestMv ?? nowMv)
    return answer.result !== 'silent'
  }
}
