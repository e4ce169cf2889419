// Quirks: what differs from model to model (modem.md, section 5.1), as data.

import { commands } from './commands.ts'
import type { Command } from './core/dialogue.ts'

export interface Quirks {
  /** Switched on at every start, for want of which the driver sees less of a call. */
  readonly callReports: readonly Command[]
  /** How a call is ended, tried in this order. */
  readonly hangUps: readonly Command[]
  /** How often the calls are listed while one runs; null where asking hides its signs. */
  readonly pollMs: number | null
}

interface QuirkRow extends Quirks {
  readonly model: RegExp
}

const rows: readonly QuirkRow[] = [
  {
    model: /SIM(?:800|900)/,
    callReports: [commands.callReports, commands.ringingReports, commands.releaseReports],
    hangUps: [commands.hangUp, commands.hangUpFallback],
    pollMs: 1_000,
  },
]

const unknownModel: Quirks = {
  callReports: [commands.callReports],
  hangUps: [commands.hangUpFallback, commands.hangUp],
  pollMs: 1_000,
}

/** The quirks of a model as `AT+CGMM` names it. */
export function quirksOf(model: string | null): Quirks {
  return rows.find(row => model !== null && row.model.test(model)) ?? unknownModel
}
