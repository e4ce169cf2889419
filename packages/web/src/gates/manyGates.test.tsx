import { exampleEvidence, exampleOpening } from '@callgate/contract/rest/opening'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { another, figuresOf, gateOf, ids, openingOf, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()

/** Gates of which each eleventh did not react, and each other fifth is switched off. */
function many(count: number) {
  const places = Array.from({ length: count }, (_, place) => place)
  const idOf = (place: number) => another(ids.gateId, place)
  const isSilent = (place: number) => place % 11 === 3
  const gates = places.map(place =>
    gateOf({ id: idOf(place), name: `Gate ${place + 1}`, isActive: isSilent(place) || place % 5 !== 4 }),
  )
  const missed = { calls: 3, opened: 0, probably: 0, unknownInRow: 0, last: 'did_not_open' } as const
  const opened = { calls: 1, opened: 1, probably: 0, unknownInRow: 0, last: 'opened' } as const
  const figures = places.map(place =>
    figuresOf({
      gateId: idOf(place),
      last: openingOf({ gateId: idOf(place) }),
      ...(isSilent(place) ? { misses: 3, outcomes: missed } : { outcomes: opened }),
    }),
  )
  return {
    figures,
    answers: {
      listGates: () => ({ status: 200, body: { gates } }),
      listGateFigures: () => ({ status: 200, body: { figures } }),
    } satisfies Answers,
  }
}

/** The names of the gates, those of the cards and those of the rows. */
const names = (level: 2 | 3) =>
  screen
    .queryAllByRole('heading', { level, name: /^Gate \d+$/ })
    .map(one => one.textContent?.replace('Gate ', ''))

it('shows up to twelve gates as cards, and more as rows', async () => {
  await pages.open(pathOf('gates'), sessionOf(), many(12).answers)
  await page.of('heading', 'Gate 12')
  expect(names(2)).toHaveLength(12)
  expect(names(3)).toHaveLength(0)
})

it('shows many gates as rows, and first, as cards, those that need somebody', async () => {
  await pages.open(pathOf('gates'), sessionOf(), many(30).answers)
  await page.of('heading', 'Look at these first')
  expect(names(2)).toEqual(['4', '15', '26'])
  expect(names(3)).toHaveLength(20)
  expect(screen.getAllByRole('searchbox')).toHaveLength(1)
  await expectAccessible()
  await page.press('Show all 27')
  expect(names(3)).toHaveLength(27)
})

it('finds gates by name and by state', async () => {
  await pages.open(pathOf('gates'), sessionOf(), many(13).answers)
  await page.fill('Find a gate', 'gate 1')
  expect([...names(2), ...names(3)]).toEqual(['1', '10', '11', '12', '13'])
  await page.select('State', 'Switched off, 2')
  expect([...names(2), ...names(3)]).toEqual(['10'])
  await page.fill('Find a gate', 'no such')
  await page.says('No gate fits.')
})

it('opens a gate from its row', async () => {
  let opened = 0
  await pages.open(pathOf('gates'), sessionOf(), {
    ...many(13).answers,
    openGate() {
      opened += 1
      return { status: 202, body: { opened: false, openingId: ids.openingId } }
    },
    getOpening: () => ({ status: 200, body: { opening: exampleOpening, evidence: exampleEvidence } }),
  })
  await page.press('Open Gate 1')
  await page.button(/^Opening/)
  expect(opened).toBe(1)
})

it('keeps a gate in its row that needs somebody since the page came', async () => {
  const now = many(13)
  let figures = now.figures
  const cloud = await pages.open(pathOf('gates'), sessionOf(), {
    ...now.answers,
    listGateFigures: () => ({ status: 200, body: { figures } }),
  })
  await page.of('heading', 'Look at these first')
  figures = figures.map((one, place) => (place === 0 ? { ...one, misses: 3 } : one))
  cloud.tell('gate.updated', ids.gateId)
  await page.says('2 gates need attention.')
  await page.says('Calls have opened 10 of 11 gates.')
  expect(names(2)).toEqual(['4'])
  expect(names(3)[0]).toBe('1')
})

it('switches a gate on from its row', async () => {
  let on = 0
  await pages.open(pathOf('gates'), sessionOf(), {
    ...many(13).answers,
    updateGate: ({ body }) => {
      on += body.isActive ? 1 : 0
      return { status: 200, body: { gate: gateOf() } }
    },
  })
  await page.fill('Find a gate', 'Gate 5')
  await page.press('Switch on')
  await waitFor(() => expect(on).toBe(1))
})
