// Why a task was not done, as a sentence.

import type { CloudFailure, TaskFailure, TaskReport } from '@callgate/contract/wire/tasks'
import type { TaskRow } from './taskRows.ts'

/** A newer gateway may send another word. */
const sentences: Readonly<Record<TaskFailure | CloudFailure, string>> = {
  busy: 'The gateway was doing something else.',
  openings_first: 'An opening came first.',
  stopped: 'The gateway was being stopped.',
  modem_not_ready: 'The modem of the gateway was not ready.',
  no_network: 'The modem had no network.',
  no_answer: 'The network did not answer.',
  unclear: 'Several texts came from the network, and which one is the answer is not known.',
  refused: 'The network or the modem refused it.',
  offline: 'The gateway was offline.',
  cannot: 'This gateway’s version cannot do that. Update it.',
  restarted: 'The gateway was restarted.',
  silent: 'The gateway did not tell how it ended.',
}

function detailOf({ told }: TaskRow): string {
  const said = told === null ? undefined : (JSON.parse(told) as Omit<TaskReport, 'taskId'>)
  const detail = said && 'detail' in said ? said.detail : undefined
  return detail === undefined ? '' : ` (${detail})`
}

const isKnown = (reason: string): reason is keyof typeof sentences => Object.hasOwn(sentences, reason)

/** Null where the task was done, or still may be. */
export function whyNotDone(row: TaskRow): string | null {
  const { reason } = row
  return reason === null ? null : `${isKnown(reason) ? sentences[reason] : reason}${detailOf(row)}`
}
