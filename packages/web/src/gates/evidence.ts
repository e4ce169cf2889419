// The evidence of a call: its phases to scale, and the meaning of each signal of the line.

import { openingClassOf } from '@callgate/contract/call/openingClass'
import type { Opening, OpeningEvidence } from '@callgate/contract/rest/opening'
import type { Words } from '../words/words.tsx'

export type PhaseName = 'asked' | 'setup' | 'ringing' | 'talking'

export interface Phase {
  readonly name: PhaseName
  readonly ms: number
  /** From the dialling; negative before it. */
  readonly fromMs: number
}

/** The phases of a call, in their order, from the press on. Empty where nothing was dialled. */
export function phasesOf(opening: Opening, { grantedAt, verdict }: OpeningEvidence): readonly Phase[] {
  if (!verdict || grantedAt === null) return []
  const askedMs = Math.max(0, Date.parse(grantedAt) - Date.parse(opening.calledAt))
  const setupMs = verdict.setupMs ?? 0
  const ringMs = verdict.ringMs ?? 0
  const phases: readonly Phase[] = [
    { name: 'asked', ms: askedMs, fromMs: -askedMs },
    { name: 'setup', ms: setupMs, fromMs: 0 },
    { name: 'ringing', ms: ringMs, fromMs: setupMs },
    { name: 'talking', ms: verdict.talkMs ?? 0, fromMs: setupMs + ringMs },
  ]
  return phases.filter(({ ms }) => ms > 0)
}

type Line = Words['line']

/** The signals in the gateway's words, and their meanings. The first match counts. */
const meanings: readonly (readonly [RegExp, (line: Line, found: RegExpExecArray) => string])[] = [
  [/^ATD$/, line => line.dial],
  [/^OK$/, line => line.accepted],
  [/^CLCC 2\b/, line => line.settingUp],
  [/^(CLCC 3\b|MO RING)/, line => line.ringing],
  [/^(CLCC 0\b|CONNECT|MO CONNECTED)/, line => line.answered],
  [/^(CLCC 6\b|CDRIND)/, line => line.ended],
  [/^CLCC empty$/, line => line.noCall],
  [/^BUSY$/, line => line.rejected],
  [/^NO CARRIER$/, line => line.released],
  [/^NO ANSWER$/, line => line.unanswered],
  [/^NO DIAL ?TONE$/, line => line.noTone],
  [/^CEER (\d+)$/, (line, [, code = '']) => line.cause(code)],
  [/^ATH\b/, line => line.hungUp],
  [/^modem lost\b/, line => line.stopped],
  [/^registered$/, line => line.network],
  [/^registration lost$/, line => line.noNetwork],
  [/VOLTAGE/, line => line.power],
  [/^another call$/, line => line.other],
  [/^confirmed\b/, line => line.confirmed],
  [/^unconfirmed$/, line => line.unconfirmed],
  [/^(no answer to (CLCC|CBC)|no result to ATD)$/, line => line.unheard],
  [/ERROR|not written whole/, line => line.refused],
  [/^stood still$/, line => line.stood],
]

/** The meaning of a signal for a person; empty for one that this program does not know. */
export function meaningOf(event: string, line: Line): string {
  for (const [pattern, say] of meanings) {
    const found = pattern.exec(event)
    if (found) return say(line, found)
  }
  return ''
}

/** A row of the line's table: when it was first said, with which signals, and what they mean. */
interface LineRow {
  /** Of its first signal among all. */
  readonly place: number
  readonly atMs: number
  readonly signals: readonly string[]
  readonly means: string
}

/** One row for each meaning: a modem says the same several times, and in several ways. */
export function lineRows(
  events: readonly { readonly atMs: number; readonly event: string }[],
  line: Line,
): readonly LineRow[] {
  const rows: LineRow[] = []
  for (const [place, { atMs, event }] of events.entries()) {
    const means = meaningOf(event, line)
    const last = rows.at(-1)
    const isAgain = means === '' ? last?.signals.includes(event) : last?.means === means
    if (!last || !isAgain) rows.push({ place, atMs, signals: [event], means })
    else if (!last.signals.includes(event))
      rows[rows.length - 1] = { ...last, signals: [...last.signals, event] }
  }
  return rows
}

/**
 * The text where no line is stored: that nothing was dialled, or that this is unknown. Undefined while the opening runs, and
 * where the times of the call are shown.
 */
export function withoutLines(
  { status }: Pick<Opening, 'status'>,
  { confidence, opened, reason, verdict }: OpeningEvidence,
): 'noLine' | 'lineUnknown' | undefined {
  const kind = openingClassOf({ status, confidence, opened, reason })
  if (kind === 'running' || verdict?.setupMs != null) return undefined
  return kind === 'denied' || kind === 'not_called' ? 'noLine' : 'lineUnknown'
}

/** How many of three steps the confidence has. */
export const sureSteps = { certain: 3, likely: 2, assumed: 1, unknown: 0 } as const

/** Whether another press is safe, would reverse a moving gate, or would end in the same way. */
export function safetyOf({ opened, safeToRetry }: OpeningEvidence): 'yes' | 'look' | 'change' {
  if (safeToRetry) return 'yes'
  return opened === 'no' ? 'change' : 'look'
}
