// The checks of the events: they find nothing in a correct run, and each finds its violation in a wrong one.

import { expect, it } from 'vitest'
import { eventChecks } from './eventChecks.ts'
import { eventsOf } from './eventsOf.kit.ts'
import type { Row, Truth } from './truth.ts'

const row = { id: 'open_1', status: 'completed', grantedMs: 1_000 } as Row
const rows = [row, { ...row, id: 'open_2', status: 'failed', grantedMs: null }]
const right = eventsOf(rows)
const check = (events: Truth['events']) =>
  eventChecks.flatMap(checkPromise => checkPromise({ rows, events } as unknown as Truth))
const without = (...kinds: string[]) =>
  right.filter(({ kind, targetId }) => !kinds.includes(`${targetId} ${kind}`))
const numbered = (events: Truth['events']) => events.map((event, place) => ({ ...event, seq: place + 1 }))

it('find nothing in a correct run', () => {
  expect(check(right)).toEqual([])
})

it.each([
  [
    without('open_1 opening.asked'),
    'A7: the events of open_1 have no beginning or no end: calling, ringing, taken, ended',
  ],
  [without('open_2 opening.ended'), 'A7: the events of open_2 have no beginning or no end: asked'],
  [
    without('open_2 opening.asked', 'open_2 opening.ended'),
    'A7: the events of open_2 have no beginning or no end: none',
  ],
  [
    without('open_1 opening.taken'),
    'A7: the events of open_1 do not fit completed: asked, calling, ringing, ended',
  ],
  [
    without('open_1 opening.calling'),
    'A7: the events of open_1 leave out its grant: asked, ringing, taken, ended',
  ],
])('find what is missing (%#)', (events, violation) => {
  expect(check(numbered(events))).toEqual([violation])
})

it('find a gap in the numbers', () => {
  const [first, ...rest] = right
  expect(
    check([...(first ? [first] : []), ...rest.map(event => ({ ...event, seq: event.seq + 1 }))]),
  ).toEqual(['A7: event 3 does not follow the one before it'])
})
