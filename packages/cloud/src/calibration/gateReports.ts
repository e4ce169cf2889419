// The gateways' reports of a gate's last calls.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import { endedCalls } from '../core/gateFigures.ts'
import type { Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import { lastOpenings } from '../history/gateFigureReader.ts'
import type { RecordRow } from '../history/openingRecords.ts'
import { endReport } from '../opening/reportRecord.ts'
import { callsConsidered, type ReportedCall } from './core/doubtCriteria.ts'

const grantedTo = statement<
  { readonly id: string; readonly spaceId: string },
  { readonly grantedProfile: string | null }
>((db, opening) => db('openings').select('grantedProfile').where(opening))

/** Whether the gate was called with a measured profile. */
async function isMeasured(db: Db, opening: { id: string; spaceId: string }): Promise<boolean> {
  const [granted] = await grantedTo(db, opening)
  const profile = JSON.parse(granted?.grantedProfile ?? 'null') as CallProfile | null
  return profile?.learned === true
}

/** How many openings are searched for calls: they can be among many denied presses. */
const lookedThrough = 200

/** The last calls of a gate that were granted after `since`, with their reports, newest first. */
export async function lastReports(
  db: Db,
  { gateId, since, spaceId }: { readonly gateId: string; readonly spaceId: string; readonly since: string },
): Promise<readonly ReportedCall[]> {
  const rows = await lastOpenings(db, { spaceId, gateId, rows: lookedThrough })
  const later = (row: RecordRow) => row.calledAt > since
  const calls: ReportedCall[] = []
  for (const { id } of endedCalls(rows.filter(later)).slice(0, callsConsidered)) {
    const report = await endReport(db, id)
    if (!report) continue
    const { evidence, verdict } = report
    const { modem = null, operator = null } = evidence ?? {}
    calls.push({ verdict, modem, operator, isMeasured: await isMeasured(db, { id, spaceId }) })
  }
  return calls
}
