// The scenes of a calibration, of the gateways of a gate, and of a gateway's SIM card.

import { putCalibration } from '@callgate/cloud/calibration/calibration.kit'
import { isoTime } from '@callgate/world/world'
import type { Records } from '../../browser/records.ts'
import type { Scene } from './scenes.ts'

/** Test calls stay as they are reported. */
export async function calibrationScenes(records: Records): Promise<readonly Scene[]> {
  const { cloud, gateIds, tenant, world } = records
  const { database } = cloud
  const { gatewayId, spaceId } = tenant
  const { delivery: gateId } = gateIds
  const gate = () => database.knex('gates').where({ id: gateId })
  const sim = { code: '*100#', warnBelow: 500, expiresOn: '2026-04-02', answer: 'Credit 4.20 EUR' }
  const answeredAt = isoTime(world.nowMs() - 3_600_000)
  await database.knex('sims').insert({ id: gatewayId, spaceId, ...sim, answeredAt })
  const path = `gates/${gateId}/calibration`
  const calls = async () => {
    await gate().update({ calibration: null })
    await putCalibration({ database, world }, { spaceId, gateId, gatewayId }, [2_000, 3_000, 2_500])
  }
  return [
    { name: 'calibration-begin', path, put: () => gate().update({ calibration: null }) },
    { name: 'calibration-proposal', path, put: calls },
    {
      name: 'calibration-change',
      path,
      put: calls,
      async act(page) {
        await page.locator('.calibration-edit').click()
        const isRomanian = await page.evaluate<boolean>(`document.documentElement.lang === 'ro'`)
        await page
          .locator('main input')
          .first()
          .fill(isRomanian ? '2,2' : '2.2')
      },
    },
    {
      name: 'calibration-callers',
      path: `gates/${gateId}`,
      act: page => page.locator('.caller').first().waitFor(),
    },
    {
      name: 'sim',
      path: `gateways/${gatewayId}`,
      act: page =>
        page
          .getByText(/4[.,]20/)
          .first()
          .waitFor(),
    },
  ]
}
