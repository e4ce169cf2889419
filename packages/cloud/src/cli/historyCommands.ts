// The operator's commands on openings and on the activity: what they do and print.

import type { ActivityEntry } from '@callgate/contract/rest/activity'
import { activityOperations } from '@callgate/contract/rest/activityRecord'
import { type OpeningEvidence, openingOperations } from '@callgate/contract/rest/opening'
import { activityHandlers } from '../activity/activityLog.ts'
import { openingReadHandlers } from '../history/openingReads.ts'
import {
  type CommandParts,
  type CommandWork,
  columns,
  type Options,
  refuse,
  type Said,
} from './commandWork.ts'
import { isRefused, type Operator, operatorIn } from './operator.ts'

const at =
  (work: (operator: Operator, parts: CommandParts, options: Options) => Promise<Said>): CommandWork =>
  async (parts, options) => {
    const operator = await operatorIn(parts, options)
    return isRefused(operator) ? operator : work(operator, parts, options)
  }

/** The filters of a history by the names of the API. An empty cursor asks for the first page and enables paging. */
const queryOf = ({ cursor = '', from, gate: gateId, limit, member: memberId, status, to }: Options) => ({
  gateId,
  memberId,
  status,
  from,
  to,
  limit,
  cursor,
})

type Paged = { readonly nextCursor?: string | null | undefined } | undefined
const more = (page: Paged) => (page?.nextCursor ? `\n\nMore: --cursor ${page.nextCursor}` : '')

/** The evidence of the gateway, with a line for each existing fact. */
function evidenceLines(evidence: OpeningEvidence): string[] {
  const { call, callMode, confidence, gatewayId, grantedAt, joinedOpeningId, opened, reason, verdict } =
    evidence
  const facts: [string, string | number | null | undefined][] = [
    ['reason', reason],
    ['opened', opened && `${opened}, ${confidence}`],
    ['safe to retry', evidence.safeToRetry === null ? null : evidence.safeToRetry ? 'yes' : 'no'],
    ['joined', joinedOpeningId],
    ['gateway', gatewayId],
    ['granted', grantedAt],
    ['call mode', callMode],
    ['end of call', verdict?.endToken],
    ['cause', verdict?.cause],
    ['set up', verdict && verdict.setupMs !== null ? `${verdict.setupMs} ms` : null],
    ['ringing', verdict && verdict.ringMs !== null ? `${verdict.ringMs} ms` : null],
    ['talking', verdict && verdict.talkMs !== null ? `${verdict.talkMs} ms` : null],
    ['rests on', verdict?.witnesses.join(', ')],
    ['modem', call?.modem],
    ['network', call?.operator],
    ['signal', call && call.signalDbm !== null ? `${call.signalDbm} dBm` : null],
  ]
  const said = facts.flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [`  ${name.padEnd(13)}  ${value}`],
  )
  const trace = call?.events.map(({ atMs, event }) => `  ${String(atMs).padStart(6)} ms  ${event}`) ?? []
  return trace.length > 0 ? [...said, '', ...trace] : said
}

/** The changes of an entry as `field: from -> to`, or the gate that it concerns. */
function sayDetails({ details }: ActivityEntry): string | null {
  const { changes, deviceName } = details as {
    changes?: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>
    deviceName?: string
  }
  const said = Object.entries(changes ?? {}).map(([field, { from, to }]) => {
    const isShort = [from, to].every(value => typeof value !== 'object' || value === null)
    return isShort ? `${field}: ${from ?? 'none'} -> ${to ?? 'none'}` : `${field} changed`
  })
  return [...(deviceName === undefined ? [] : [deviceName]), ...said].join(', ') || null
}

export const historyWork = {
  openings: at(async ({ call }, parts, options) => {
    const { listOpenings } = openingReadHandlers(parts)
    const query = { ...queryOf(options), include: 'reason' }
    const listed = await call(openingOperations.listOpenings, listOpenings, { query })
    if (!listed.ok) return listed
    const { openings, pagination } = listed.body
    const rows = openings.map(({ calledAt, duration, gateName, id, openedBy, reason, status }) => [
      ...[id, calledAt, gateName, status, reason ?? null],
      duration === null ? null : `${duration} s`,
      openedBy.name,
    ])
    const heading = ['OPENING', 'CALLED', 'GATE', 'STATUS', 'REASON', 'TOOK', 'BY']
    return { ok: true, json: listed.body, text: columns(heading, rows) + more(pagination) }
  }),

  opening: at(async ({ call }, parts, { opening: openingId = '' }) => {
    const { getOpening } = openingReadHandlers(parts)
    const found = await call(openingOperations.getOpening, getOpening, { params: { openingId } })
    if (!found.ok) return refuse(`${found.message.slice(0, -1)}; see "callgate opening list".`)
    const { evidence, opening } = found.body
    const { completedAt, errorMessage, gateName, id, openedBy, status } = opening
    const by = openedBy.email === null ? openedBy.name : `${openedBy.name} (${openedBy.email})`
    const text = [
      `${gateName}: ${status} (${id})`,
      ...(errorMessage === null ? [] : [errorMessage]),
      `by ${by}, called ${opening.calledAt}, ended ${completedAt ?? 'not yet'}`,
      '',
      ...evidenceLines(evidence),
    ].join('\n')
    return { ok: true, json: found.body, text }
  }),

  activity: at(async ({ call }, parts, options) => {
    const { listActivity } = activityHandlers(parts)
    const listed = await call(activityOperations.listActivity, listActivity, { query: queryOf(options) })
    if (!listed.ok) return listed
    const { activity, pagination } = listed.body
    const rows = activity.map(entry => [
      ...[entry.timestamp, entry.actor, entry.action, entry.targetLabel],
      sayDetails(entry),
    ])
    const heading = ['TIME', 'ACTOR', 'ACTION', 'TARGET', 'WHAT']
    return { ok: true, json: listed.body, text: columns(heading, rows) + more(pagination) }
  }),
} satisfies Record<string, CommandWork>
