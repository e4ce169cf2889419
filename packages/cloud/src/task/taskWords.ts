// Why a task was not done, as a sentence.

import type { Told } from '@callgate/contract/wire/tasks'
import type { TaskRow } from './taskRows.ts'

/** A newer gateway may say another word. */
const sentences: Readonly<Record<string, string>> = {
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
  const said = told === null ? undefined : (JSON.parse(told) as Omit<Told, 'taskId'>)
  const detail = said && 'detail' in said ? said.detail : undefined
  return detail === undefined ? '' : ` (${detail})`
}

/** Null where it was done, or still may be. */
export const whyNotDone = (row: TaskRow): string | null =>
  row.reason === null ? null : `${sentences[row.reason] ?? row.reason}${detailOf(row)}`
