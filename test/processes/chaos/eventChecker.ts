// Checks the delivered events: each comes once, in order, and agrees with the rows.

import type { OpeningStep } from '@callgate/contract/rest/openingEvent'
import { stepsWrong } from '../../checker/stepChecks.ts'
import type { CommittedEvent, Row } from './records.ts'

const prefix = 'opening.'

/** The least time from a press to the end for which the cloud has no report, in milliseconds, less a second of rounding. */
const unreportedAfterMs = 89_000

/**
 * The events of an opening without the end that the cloud gave a call because no report came. When the report comes after all,
 * it corrects that end, once.
 */
function corrected(own: readonly CommittedEvent[], reason: string | null): readonly CommittedEvent[] {
  const kinds = own.map(({ kind }) => kind.slice(prefix.length))
  const end = kinds.indexOf('ended')
  const [asked, ended] = [own[0], own[end]]
  if (!asked || !ended || end === own.length - 1 || reason === 'no_report') return own
  const isUnreported = Date.parse(ended.at) - Date.parse(asked.at) >= unreportedAfterMs
  return isUnreported && kinds.slice(0, end).includes('calling') ? own.toSpliced(end, 1) : own
}

/** The steps of each opening as they were committed: none comes twice, though a reader would not get it twice. */
export const checkSteps = (
  rows: readonly Pick<Row, 'grantedAt' | 'id' | 'reason' | 'status'>[],
  events: readonly CommittedEvent[],
): string[] =>
  rows.flatMap(({ grantedAt, id, reason, status }) => {
    const own = events.filter(({ kind, targetId }) => targetId === id && kind.startsWith(prefix))
    const steps = corrected(own, reason).map(({ kind }) => kind.slice(prefix.length) as OpeningStep)
    return stepsWrong({ id, status, grantedMs: grantedAt === null ? null : Date.parse(grantedAt) }, steps)
  })

/** The events of one stream, from its first on: every number once and in order, as in the database. */
export function checkTold(
  told: readonly { readonly id: number; readonly data: Readonly<Record<string, unknown>> }[],
  committed: readonly CommittedEvent[],
): string[] {
  const first = told[0]?.id
  if (first === undefined) return []
  const expected = committed.filter(({ seq }) => seq >= first)
  const place = expected.findIndex(
    ({ kind, seq }, at) => told[at]?.id !== seq || told[at]?.data['kind'] !== kind,
  )
  if (place < 0)
    return told.length > expected.length ? [`events: told ${told.length - expected.length} too many`] : []
  const { kind = '', seq = 0 } = expected[place] ?? {}
  const came = told[place]
  return [
    `events: ${seq} ${kind} is committed, told was ${came ? `${came.id} ${String(came.data['kind'])}` : 'nothing'}`,
  ]
}
