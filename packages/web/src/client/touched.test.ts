import { appRoutes } from '@callgate/contract/app/appRoutes'
import type { SpaceEvent } from '@callgate/contract/app/spaceEvent'
import { eventTypes } from '@callgate/contract/rest/event'
import { expect, it } from 'vitest'
import { touchedBy } from './touched.ts'

const event = (kind: SpaceEvent['kind'], more: Partial<SpaceEvent> = {}): SpaceEvent => ({
  kind,
  targetId: 'a_1',
  gateId: null,
  memberId: null,
  at: '2026-01-05T08:00:00.000Z',
  ...more,
})

it('knows the readings of every kind of event, and reads everything again for a reset and for an unknown kind', () => {
  for (const kind of eventTypes)
    if (kind === 'reset') expect(touchedBy(event(kind))).toBeUndefined()
    else expect(touchedBy(event(kind))?.length, kind).toBeGreaterThan(0)
  expect(touchedBy(event('newer.kind' as never))).toBeUndefined()
  expect(touchedBy(event('toString.kind' as never))).toBeUndefined()
})

it('names the opening, its gate and its member', () => {
  expect(touchedBy(event('opening.ended', { gateId: 'gate_1', memberId: 'member_1' }))).toEqual(
    expect.arrayContaining([
      { noun: 'openings', id: 'a_1' },
      { noun: 'gates', id: 'gate_1' },
      { noun: 'member-views', id: 'member_1' },
    ]),
  )
})

it('names every noun that the dashboard reads in a Space', () => {
  const paths = Object.values(appRoutes).filter(({ method }) => method === 'GET')
  const read = new Set(
    paths.flatMap(({ path }) => /^\/app\/v1\/spaces\/:spaceId\/([^/]+)/.exec(path)?.[1] ?? []),
  )
  const touched = new Set(
    eventTypes.flatMap(kind =>
      (touchedBy(event(kind, { memberId: 'm', gateId: 'g' })) ?? []).map(({ noun }) => noun),
    ),
  )
  // The stream itself, the files, and what the service worker reads are no readings of a page.
  for (const noun of ['events', 'push', 'activity-file', 'history-file', 'member-file']) read.delete(noun)
  expect([...read].filter(noun => !touched.has(noun))).toEqual([])
})
