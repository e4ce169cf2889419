// The pictures of a calibration, of the gateways of a gate, and of a gateway's SIM card, with a cloud of its own in which test
// calls stay as they are reported.

import { putCalibration } from '@callgate/cloud/calibration/calibration.kit'
import { newUser } from '@callgate/cloud/user/user.kit'
import { isoTime } from '@callgate/world/world'
import type { Page } from 'playwright-core'
import { nowText, serveRecords } from '../../browser/records.ts'
import type { Studio } from './guestScreens.ts'

const sizes = [
  [390, 1500],
  [1280, 1240],
] as const

/** Takes the pictures, on a phone and on a desk. */
export async function shootCalibration({ browser, scale, shoot }: Omit<Studio, 'demo'>): Promise<void> {
  const { cloud, gateIds, tenant, world } = await serveRecords()
  const { base, database } = cloud
  const { gatewayId, spaceId } = tenant
  const { delivery: gateId } = gateIds
  const gate = () => database.knex('gates').where({ id: gateId })
  await database.knex('spaces').where({ id: spaceId }).update({ name: 'Casa Lalelelor' })
  const sim = { code: '*100#', warnBelow: 500, expiresOn: '2026-04-02', answer: 'Credit 4.20 EUR' }
  const answeredAt = isoTime(world.nowMs() - 3_600_000)
  await database.knex('sims').insert({ id: gatewayId, spaceId, ...sim, answeredAt })
  const owner = await newUser({ database, world }, { email: 'mihai@example.com', spaceId })
  for (const [width, height] of sizes) {
    const viewport = { width, height }
    const context = await browser.newContext({
      baseURL: base,
      viewport,
      deviceScaleFactor: scale,
      locale: 'en-GB',
      timezoneId: 'Europe/Bucharest',
      reducedMotion: 'reduce',
    })
    await context.addCookies([{ name: 'sid', value: owner.token, url: base }])
    const visit = async (name: string, path: string, shown: (page: Page) => Promise<void>) => {
      const page = await context.newPage()
      await page.clock.install({ time: new Date(nowText) })
      await page.goto(`/spaces/${spaceId}/${path}`)
      await shown(page)
      await shoot(`dash-calibration-${name}-${width}`, page)
      await page.close()
    }
    const calibration = `gates/${gateId}/calibration`
    await gate().update({ calibration: null })
    await visit('begin', calibration, page => page.getByRole('button', { name: 'Start' }).waitFor())
    await putCalibration({ database, world }, { spaceId, gateId, gatewayId }, [2_000, 3_000, 2_500])
    await visit('proposal', calibration, page => page.getByText('What the calls show').waitFor())
    await visit('change', calibration, async page => {
      await page.getByRole('button', { name: 'Change it' }).click()
      await page.getByLabel('Takes the call within (seconds)').fill('2.2')
      await page.getByText('took another time').waitFor()
    })
    await visit('callers', `gates/${gateId}`, page => page.locator('.caller').first().waitFor())
    await visit('sim', `gateways/${gatewayId}`, page => page.getByText('4.20').first().waitFor())
    await context.close()
  }
  await cloud.stop()
}
