// What the last calls of a gate have shown of it: only what was observed. Without schemas, so that a browser can use it.

import type { OpeningClass } from './openingClass.ts'

/** A call of a gate that has ended. */
export interface EndedCall {
  readonly class: OpeningClass
  /** What a person saw of the gate afterwards. */
  readonly seen: 'moving' | 'still' | null
}

export interface CallOutcomes {
  readonly calls: number
  /** The line said so, or a person saw the gate move. */
  readonly opened: number
  readonly probably: number
  /** After how many of the last calls in a row nobody knows whether the gate moved. */
  readonly unknownInRow: number
  /** The end of the last call; null: there is none. */
  readonly last: OpeningClass | null
}

/** Such an opening placed no call, or its call still runs: it says nothing about the module of the gate. */
export const isSilent = (kind: OpeningClass): boolean =>
  kind === 'running' || kind === 'denied' || kind === 'not_called'

/** How a call ended. What a person saw of the gate takes precedence over what the line said. */
function endOf({ class: kind, seen }: EndedCall): OpeningClass {
  if (seen === null) return kind
  return seen === 'moving' ? 'opened' : 'did_not_open'
}

/** The outcomes after one more call. */
export function afterCall(outcomes: CallOutcomes, call: EndedCall): CallOutcomes {
  const last = endOf(call)
  return {
    calls: outcomes.calls + 1,
    opened: outcomes.opened + (last === 'opened' ? 1 : 0),
    probably: outcomes.probably + (last === 'probably_opened' ? 1 : 0),
    unknownInRow: last === 'unknown' ? outcomes.unknownInRow + 1 : 0,
    last,
  }
}

export const noCalls: CallOutcomes = { calls: 0, opened: 0, probably: 0, unknownInRow: 0, last: null }

/** The outcomes of these calls, the oldest first. */
export const outcomesOf = (calls: readonly EndedCall[]): CallOutcomes => calls.reduce(afterCall, noCalls)
