import { expect, it } from 'vitest'
import { dashboardPages, on } from '../pages.kit.tsx'
import { gateOf, ids, pathOf, sessionOf } from './spaceData.kit.ts'

const pages = dashboardPages()
const page = on()

it('reads each list of a visit once, and after a change what it touches', async () => {
  let name = 'North gate'
  const cloud = await pages.open(pathOf('gates'), sessionOf(), {
    listGates: () => ({ status: 200, body: { gates: [gateOf({ name })] } }),
  })
  await page.of('heading', 'North gate')
  await expect.poll(() => cloud.count('listGateways')).toBe(1)
  name = 'Renamed gate'
  cloud.tell('gate.updated', ids.gateId)
  await page.of('heading', 'Renamed gate')
  expect(['listGates', 'listGateways', 'listIncidents'].map(id => cloud.count(id as never))).toEqual([
    2, 1, 1,
  ])
})

it('sees a change between the reading of a list and the beginning of the stream', async () => {
  let begin = () => {}
  const isRead = new Promise<void>(resolve => {
    begin = resolve
  })
  // The stream begins only when the list has been read.
  const locks = { request: (_: string, __: unknown, lead: () => Promise<void>) => isRead.then(lead) }
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks })
  let name = 'North gate'
  const cloud = await pages.open(pathOf('gates'), sessionOf(), {
    listGates: () => ({ status: 200, body: { gates: [gateOf({ name })] } }),
  })
  await page.of('heading', 'North gate')
  name = 'Renamed gate'
  cloud.tell('gate.updated', ids.gateId)
  begin()
  await page.of('heading', 'Renamed gate')
})

it('reads a Space again that it follows once more, since nothing was told meanwhile', async () => {
  const session = sessionOf()
  const other = { id: `${ids.spaceId.slice(0, -1)}9`, name: 'Elsewhere' }
  const spaces = session.spaces.flatMap(space => [space, { ...space, ...other }])
  let name = 'North gate'
  await pages.open(
    pathOf('gates'),
    { ...session, spaces },
    { listGates: () => ({ status: 200, body: { gates: [gateOf({ name })] } }) },
  )
  await page.of('heading', 'North gate')
  await page.press(/Casa Lalelelor/)
  await page.choose('menuitem', 'Elsewhere')
  await page.of('button', /Elsewhere/)
  name = 'Renamed gate'
  await page.press(/Elsewhere/)
  await page.choose('menuitem', 'Casa Lalelelor')
  await page.of('heading', 'Renamed gate')
})
