// A report in words that every cloud reads, also one of before a reason that this version knows.

import { reasonRows } from '../call/reasonRows.ts'
import type { Report } from './messages.ts'

/** The report itself where its words are old enough. */
export function inOlderWords(report: Report): Report {
  const older = report.phase === 'ended' ? reasonRows[report.verdict.reason].older : undefined
  return report.phase !== 'ended' || older === undefined
    ? report
    : { ...report, verdict: { ...report.verdict, reason: older } }
}
