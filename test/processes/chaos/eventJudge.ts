// Judges what was told of the events: each once, in order, and what the rows say.

import { type OpeningStep, openingSteps } from '@callgate/contract/rest/openingEvent'
import type { CommittedEvent, Row } from './records.ts'

const prefix = 'opening.'

/** The steps of each opening come once and forwards, and say what its row says. */
export function judgeSteps(rows: readonly Row[], events: readonly CommittedEvent[]): string[] {
  return rows.flatMap(row => {
    const own = events.filter(({ kind, targetId }) => targetId === row.id && kind.startsWith(prefix))
    const steps = own.map(({ kind }) => kind.slice(prefix.length) as OpeningStep)
    const wrong = (what: string) => [`events: those of ${row.id} ${what}: ${steps.join(', ') || 'none'}`]
    const ranks = steps.map(step => openingSteps.indexOf(step))
    if (ranks.some((rank, place) => rank <= (ranks[place - 1] ?? -1))) return wrong('go back')
    if (steps[0] !== 'asked' || steps.at(-1) !== 'ended') return wrong('have no beginning or no end')
    if (steps.includes('taken') !== (row.status === 'completed')) return wrong(`do not fit ${row.status}`)
    return row.grantedAt !== null && !steps.includes('calling') ? wrong('leave out the grant') : []
  })
}

/** What one stream has told, from its first event on: every number once and in order, as the database has it. */
export function judgeTold(
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
