// The check of the events of an opening, step by step.

import { type OpeningStep, openingSteps } from '@callgate/contract/rest/openingEvent'
import type { Opening } from './facts.ts'

/** Promise A7: the steps of an opening come once and in order, and agree with its row. */
export function stepsWrong(
  row: Pick<Opening, 'grantedMs' | 'id' | 'status'>,
  steps: readonly OpeningStep[],
): string[] {
  const wrong = (what: string) => [`A7: the events of ${row.id} ${what}: ${steps.join(', ') || 'none'}`]
  const ranks = steps.map(step => openingSteps.indexOf(step))
  if (ranks.some((rank, place) => rank <= (ranks[place - 1] ?? -1))) return wrong('go back')
  const hasEnded = row.status !== 'initiated' && row.status !== 'connected'
  if (steps[0] !== 'asked' || (steps.at(-1) === 'ended') !== hasEnded)
    return wrong('have no beginning or no end')
  if (steps.includes('taken') !== (row.status === 'completed')) return wrong(`do not fit ${row.status}`)
  return row.grantedMs !== null && !steps.includes('calling') ? wrong('leave out its grant') : []
}
