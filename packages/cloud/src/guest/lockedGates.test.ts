import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GuestSite, guestSite } from './pages.kit.ts'

let site: GuestSite
beforeAll(async () => {
  site = await guestSite()
})
afterAll(() => site.close())

it('says on each page that all gates are locked, and gives no form to press', async () => {
  const { rig } = site
  const guest = await rig.addGuest(await rig.addGate())
  const screen = await site.show(guest, site.base)
  const spaces = rig.database.knex('spaces').where({ id: rig.spaceId })
  await spaces.clone().update({ lockDownAt: '2026-01-05T07:00:00.000Z' })
  const openingId = await site.pressedId(screen)
  expect(await rig.opening(openingId)).toMatchObject({ reason: 'locked_down', safeToRetry: 0 })
  for (const path of ['', `/openings/${openingId}`]) {
    const { text } = await site.send('GET', `/g/${guest.token}${path}`)
    expect(text).toContain('All gates are locked')
    expect(text).not.toContain('data-press="1"')
  }
  expect((await site.send('GET', `/g/${guest.token}/gates/${guest.gateId}`)).status).toBe(303)
  await spaces.update({ lockDownAt: null })
  expect((await site.show(guest, site.base)).text).toContain('data-press="1"')
})
