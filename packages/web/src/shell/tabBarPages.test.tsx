import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { incidentOf, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()
const day = { date: '2026-03-20', opened: 0, didNotOpen: 0, unknown: 0, denied: 0 }

it.each([
  ['history', 'History'],
  ['activity', 'Activity'],
  ['alerts', 'Alerts'],
] as const)('lights History in the tab bar of a phone on its tab %s', async (path, title) => {
  const incident = incidentOf()
  const pagination = { limit: 50, nextCursor: null }
  await pages.open(pathOf(path), sessionOf(), {
    listIncidents: () => ({ status: 200, body: { incidents: [incident], total: 1, mute: null } }),
    listActivity: () => ({ status: 200, body: { activity: [], pagination } }),
    getHistoryCounts: () => ({ status: 200, body: { timezone: 'Europe/Bucharest', days: [day] } }),
  })
  await page.of('heading', title)
  const [rail, tabs] = screen.getAllByRole('navigation', { name: 'Pages' })
  if (!rail || !tabs) throw new Error('a bar is missing')
  const hereIn = (bar: HTMLElement) =>
    within(bar)
      .getAllByRole('link')
      .filter(link => link.getAttribute('aria-current') === 'page')
      .map(link => link.querySelector('span')?.textContent)
  expect(hereIn(tabs)).toEqual(['History'])
  expect(hereIn(rail)).toEqual([title])
  // The dot of an open alert is on the tab that leads to it.
  await within(tabs).findByRole('link', { name: /^History.+An alert goes on/ })
  await within(rail).findByRole('link', { name: /^Alerts.+An alert goes on/ })
})
