// The operator's list names the trouble of a modem that a person must repair.

import { gatewayWork } from '@callgate/cloud/cli/gatewayCommands'
import { afterEach, expect, it } from 'vitest'
import { createHouse, type House } from './house.ts'

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

async function gatewayList({ cloud, world }: House) {
  const listed = await gatewayWork.list({ database: cloud().database, world }, { space: undefined })
  if (!listed.ok) throw new Error('the gateways cannot be listed')
  return listed.text
}

it('names the trouble in words until it is over', async () => {
  house = await createHouse(21, [])
  const { gateways, world } = house
  const [{ simulator } = { simulator: undefined }] = gateways
  if (!simulator) throw new Error('a house has a gateway')
  await world.advance(60_000)
  expect(await gatewayList(house)).toMatch(/ ready, home +-\d+ dBm +-$/)
  simulator.setFaults(['sim_removed'])
  simulator.restart()
  await world.advance(60_000)
  expect(await gatewayList(house)).toMatch(/ sim_error, \w+ .*There is no SIM card in the modem\.$/)
  simulator.setFaults([])
  simulator.restart()
  await world.advance(120_000)
  expect(await gatewayList(house)).toMatch(/ ready, home +-\d+ dBm +-$/)
})
