// A report in words that every cloud can read, also a cloud from before a reason of this version.

import { reasonRows } from '../call/reasonRows.ts'
import type { Report } from './messages.ts'

/** The report itself where all its words are old enough. */
export function inOlderWords(report: Report): Report {
  const older = report.phase === 'ended' ? reasonRows[report.verdict.reason].older : undefined
  return report.phase !== 'ended' || older === undefined
    ? report
    : { ...report, verdict: { ...report.verdict, reason: older } }
}
