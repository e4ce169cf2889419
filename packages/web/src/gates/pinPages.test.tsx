import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { another, gateOf, ids, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()
const second = another(ids.gateId, 7)
const gates = [gateOf({ name: 'North gate' }), gateOf({ id: second, name: 'South gate' })]
const answers: Answers = {
  listGates: () => ({ status: 200, body: { gates } }),
  getGate: () => ({ status: 200, body: { gate: gates[1] ?? gateOf() } }),
}
const names = () => screen.getAllByRole('heading', { name: /gate$/ }).map(one => one.textContent)

it('pins a gate on its page, and shows it first in this browser from then on', async () => {
  await pages.open(pathOf('gates'), sessionOf(), answers)
  await page.of('heading', 'South gate')
  expect(names()).toEqual(['North gate', 'South gate'])
  await page.follow('South gate')
  await page.press('More')
  await page.choose('menuitem', 'Show first on this device')
  expect(localStorage.getItem(`callgate.pins.${ids.spaceId}`)).toBe(JSON.stringify([second]))
  window.history.back()
  await page.of('heading', 'North gate')
  expect(names()).toEqual(['South gate', 'North gate'])
  await page.follow('South gate')
  await page.press('More')
  await expectAccessible()
  await page.choose('menuitem', 'No longer show first')
  expect(localStorage.getItem(`callgate.pins.${ids.spaceId}`)).toBe('[]')
})

it('keeps the order of the cloud where what is stored cannot be read', async () => {
  localStorage.setItem(`callgate.pins.${ids.spaceId}`, '{"gate')
  await pages.open(pathOf('gates'), sessionOf(), answers)
  await page.of('heading', 'South gate')
  expect(names()).toEqual(['North gate', 'South gate'])
})
