// Set-up messages in the database: the gateways of a gate, and the results of the messages to its number.

import type { LastSetUpSms, SetUpSmsView } from '@callgate/contract/app/setUpSms'
import { shownModuleAnswer } from '@callgate/contract/call/setUpMessage'
import type { Beat } from '@callgate/contract/wire/messages'
import type { TaskOf, TaskReport } from '@callgate/contract/wire/tasks'
import { isoTime } from '@callgate/world/world'
import type { Db } from '../database/database.ts'
import type { GateRow } from '../gate/gateReads.ts'
import { keptForMs, type TaskRow } from '../task/taskRows.ts'
import { whyNotDone } from '../task/taskWords.ts'

/** Each message costs the owner of the SIM card money. */
const mostInDay = 5
const dayMs = 24 * 60 * 60_000

interface Gateway {
  readonly id: string
  readonly name: string
  readonly callerNumber: string | null
  readonly publicKey: string
  readonly lastBeat: string | null
}

export interface FoundSetUp {
  readonly gate: Pick<GateRow, 'name' | 'phoneNumber'>
  readonly gateways: readonly Gateway[]
  readonly view: SetUpSmsView
}

/** Whether it is unknown if the message was sent: the gateway was asked, and has not reported the result. */
const isUnknown = ({ endedAs, reason }: TaskRow) =>
  endedAs === 'not_done' && (reason === 'silent' || reason === 'restarted')

const detailsOf = ({ details }: TaskRow) => JSON.parse(details) as TaskOf<'sms'>

/** The last answer, masked again, because an older or stolen gateway may not have masked it. */
function lastOf(row: TaskRow | undefined): LastSetUpSms | null {
  if (!row) return null
  const { createdAt: at, endedAs, reason, told } = row
  const said =
    endedAs === 'done'
      ? (JSON.parse(told ?? '{}') as Extract<TaskReport, { readonly kind: 'sms' }>)
      : undefined
  const answer = said?.answer ?? null
  return {
    at,
    brand: detailsOf(row).brand,
    state: isUnknown(row) ? 'done' : (endedAs ?? 'sending'),
    reason,
    says: whyNotDone(row),
    sent: isUnknown(row) ? 'unknown' : (said?.sent ?? null),
    answer: answer && { ...answer, text: shownModuleAnswer(answer.text) },
  }
}

/** Whether a message may have been sent for this task. */
const mayBeSent = (row: TaskRow) => row.endedAs !== 'not_done' || isUnknown(row)

/** Undefined where the Space has no such gate. */
export async function findSetUp(
  db: Db,
  { gateId, spaceId }: { readonly gateId: string; readonly spaceId: string },
  nowMs: number,
): Promise<FoundSetUp | undefined> {
  const gate = await db<GateRow>('gates').where({ id: gateId, spaceId }).first('name', 'phoneNumber')
  if (!gate) return undefined
  const gateways: readonly Gateway[] = await db('gateways')
    .where({ spaceId, revokedAt: null })
    .orderBy(['createdAt', 'id'])
    .select('id', 'name', 'callerNumber', 'publicKey', 'lastBeat')
  const rows = await db<TaskRow>('tasks')
    .where({ spaceId, kind: 'sms' })
    .whereIn('gatewayId', db('gateways').where({ spaceId }).select('id'))
    .where('createdAt', '>', isoTime(nowMs - keptForMs))
    .orderBy(['createdAt', 'id'].map(column => ({ column, order: 'desc' })))
  const toGate = rows.filter(row => detailsOf(row).phoneNumber === gate.phoneNumber)
  const today = toGate.filter(row => Date.parse(row.createdAt) > nowMs - dayMs && mayBeSent(row))
  const view: SetUpSmsView = {
    gateways: gateways.map(({ callerNumber, id: gatewayId, lastBeat, name }) => {
      const { can = [] } = (lastBeat === null ? {} : JSON.parse(lastBeat)) as Partial<Beat>
      const last = lastOf(toGate.find(row => row.gatewayId === gatewayId))
      return { gatewayId, name, callerNumber, canSend: can.includes('sms'), last }
    }),
    leftToday: Math.max(0, mostInDay - today.length),
  }
  return { gate, gateways, view }
}
