import { exampleProfile } from '@callgate/contract/call/callProfile'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import {
  another,
  figuresOf,
  gateOf,
  gatewayOf,
  ids,
  incidentOf,
  pathOf,
  sessionOf,
} from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()

it('says once that a gateway is offline: on its line, and not in a banner, too', async () => {
  const away = gatewayOf({ now: { state: 'offline', modem: null } })
  const low = incidentOf({ id: another(incidentOf().id, 1), kind: 'supply_low', figure: 3_400 })
  const incidents = [incidentOf(), low]
  await pages.open(pathOf('gates'), sessionOf(), {
    listGateways: () => ({ status: 200, body: { gateways: [away] } }),
    listIncidents: () => ({ status: 200, body: { incidents, total: incidents.length, mute: null } }),
  })
  await page.says('The supply of Attic is low.')
  await page.says(/^offline since/)
  await page.saysNot('Attic is offline.')
  await expectAccessible()
})

it('searches where there are several gates', async () => {
  let gates = [gateOf()]
  const cloud = await pages.open(pathOf('gates'), sessionOf(), {
    listGates: () => ({ status: 200, body: { gates } }),
  })
  await page.of('heading', 'Courtyard gate')
  expect(screen.queryByRole('searchbox')).toBeNull()
  const gateId = another(ids.gateId, 1)
  gates = [...gates, gateOf({ id: gateId, name: 'Yard barrier' })]
  cloud.tell('gate.created', gateId)
  await page.of('searchbox', 'Find a gate')
})

it.each([
  ['none', 'none', '2 of the last calls are shown.'],
  ['the one that is measured', 'measured', /^Between .*; 2 of the last calls are shown\.$/],
] as const)('shows of the window in which a gate takes a call: %s', async (_, calibration, text) => {
  await pages.open(pathOf(`gates/${ids.gateId}`), sessionOf(), {
    getGateProfile: () => ({ status: 200, body: { profile: exampleProfile, calibration } }),
    getGateFigures: () => ({
      status: 200,
      body: { figures: figuresOf({ calibration }), ringMs: [2_400, 2_600], callers: [] },
    }),
  })
  const axis = await page.of('img', text)
  expect(axis.querySelectorAll('rect')).toHaveLength(calibration === 'none' ? 0 : 1)
})
