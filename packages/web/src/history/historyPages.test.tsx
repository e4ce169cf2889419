import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { another, ids, openingOf, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()

const day = { date: '2026-03-20', opened: 1, didNotOpen: 1, unknown: 0, denied: 0 }
const historyWith = (openings: OpeningRecord[]): Answers => ({
  listHistory: () => ({ status: 200, body: { openings, pagination: { limit: 50, nextCursor: null } } }),
  getHistoryCounts: () => ({ status: 200, body: { timezone: 'Europe/Bucharest', days: [day] } }),
})
const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)

it('has a column for what to do only while there is something to do', async () => {
  await pages.open(pathOf('history'), sessionOf(), historyWith([openingOf()]))
  await page.of('row', /Opened/)
  expect(heads()).toEqual(['Time', 'Gate', 'Result', 'By'])
  await expectAccessible()
})

it('has a dash where nothing is to be done beside what is', async () => {
  const failed = {
    id: another(ids.openingId, 1),
    class: 'did_not_open',
    opened: 'no',
    reason: 'no_reaction',
  } as const
  await pages.open(pathOf('history'), sessionOf(), historyWith([openingOf(), openingOf(failed)]))
  await page.part('row', /Did not open/).link('Let the number in')
  expect(heads()).toContain('What to do')
  const opened = screen.getByRole('row', { name: /Opened/ })
  expect(opened.lastElementChild?.textContent).toBe('–')
  await expectAccessible()
})

it('shows openings in a row that say the same as one, until somebody unfolds it', async () => {
  const at = (hour: number) => `2026-03-20T0${hour}:28:00.000Z`
  const openings = [9, 8, 7, 6].map(hour =>
    openingOf({ id: another(ids.openingId, hour), calledAt: at(hour), completedAt: at(hour) }),
  )
  await pages.open(pathOf('history'), sessionOf(), historyWith(openings))
  await page.of('row', /Opened, 4 times.*08:28 to 11:28/)
  expect(screen.getAllByRole('row', { name: /Opened/ })).toHaveLength(1)
  await page.press(/Opened, 4 times/)
  expect(screen.getAllByRole('row', { name: /Opened/ })).toHaveLength(5)
  await expectAccessible()
})
