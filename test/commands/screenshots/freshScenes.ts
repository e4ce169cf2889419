// The scenes that need a Space of their own in each picture: one without anything, and one with a call that runs. The clock stands, so
// no gate would ever be free for a second call.

import { createSpace } from '@callgate/cloud/space/spaces'
import { newUser } from '@callgate/cloud/user/user.kit'
import { newId } from '@callgate/world/ids'
import type { Page } from 'playwright-core'
import { numberOf } from '../../api/scriptedGateway.ts'
import { callOf, measure, type Records, report } from '../../browser/records.ts'
import type { Scene } from './scenes.ts'

/** Signs the page in as the owner of a Space, and opens its gates. */
async function enter({ cloud, world }: Records, page: Page, spaceId: string): Promise<void> {
  const { base, database } = cloud
  const email = `${newId(world, 'user')}@example.com`
  const { token, userId } = await newUser({ database, world }, { email, spaceId, name: 'Mihai Radu' })
  const { language } = await database.knex('users').where({ email: 'mihai@example.com' }).first('language')
  await database.knex('users').where({ id: userId }).update({ language })
  await page.context().addCookies([{ name: 'sid', value: token, url: base }])
  await page.goto(`/spaces/${spaceId}/gates`)
}

const names = ['Courtyard gate', 'Yard barrier', 'Delivery gate']

/** A new Space with gates and a gateway. */
async function furnished(records: Records, kept: { gates: number }): Promise<string> {
  const { cloud } = records
  const tenant = await cloud.addSpace()
  const { gatewayId, spaceId } = tenant
  await cloud.database.knex('spaces').where({ id: spaceId }).update({ name: 'Casa Lalelelor' })
  await cloud.database.knex('gateways').where({ id: gatewayId }).update({ name: 'Attic' })
  await cloud.gateway.beat(gatewayId)
  for (const name of names) {
    kept.gates += 1
    const phoneNumber = numberOf('neverReports', 500 + kept.gates)
    const body = { name, location: 'Strada Lalelelor 14', phoneNumber }
    const { gate } = await callOf<{ gate: { id: string } }>({ cloud, tenant }, 'POST', '/gates', body)
    // The one that is pressed, so that its call can say that it opened.
    if (name === names[0]) await measure(records, gate.id)
  }
  return spaceId
}

/** The arcs of the ring on the button. */
const arcs = { asked: 1, calling: 2, ringing: 3 } as const

/** Presses on the first card, and brings its call as far as the state. */
async function press(records: Records, page: Page, state: keyof typeof arcs | 'opened'): Promise<void> {
  const { gateway } = records.cloud
  const calls = gateway.calls.length
  // Without an answer it is not known that anything is called.
  if (state === 'asked') await page.route(/\/open$/, () => {})
  await page.locator('.gate-card .open-ready').first().click()
  const lit = (count: number) =>
    page
      .locator('.gate-card .open .ring-arc-lit')
      .nth(count - 1)
      .waitFor()
  if (state === 'asked') return lit(arcs.asked)
  await lit(arcs.calling)
  const openingId = gateway.calls[calls] ?? ''
  if (state === 'calling') return
  await gateway.report(openingId, { phase: 'ringing', sinceClaimMs: 4_000 })
  await lit(arcs.ringing)
  if (state === 'ringing') return
  await report(records, 'opened')
  await page.locator('.gate-card .open-solid').waitFor()
}

export function freshScenes(records: Records): readonly Scene[] {
  const { database } = records.cloud
  const kept = { gates: 0 }
  const trial = { name: 'Dealul Mic', plan: 'trial', country: 'RO', timezone: 'Europe/Bucharest' } as const
  const calls = (['asked', 'calling', 'ringing', 'opened'] as const).map(
    (state): Scene => ({
      name: `call-${state}`,
      path: 'gates',
      async act(page) {
        await enter(records, page, await furnished(records, kept))
        await press(records, page, state)
      },
    }),
  )
  return [
    {
      name: 'empty',
      path: 'gates',
      async act(page) {
        const { spaceId } = await createSpace({ ...records, database }, trial)
        await enter(records, page, spaceId)
        await page.locator('.empty-steps').waitFor()
      },
    },
    ...calls,
  ]
}
