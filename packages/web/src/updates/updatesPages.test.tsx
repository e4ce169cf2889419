import type { GatewayUpdate, UpdateHours } from '@callgate/contract/app/update'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { ids, pathOf, sessionOf, updateOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()
const program = page.around('section', /^Program/)
const version = '0.2.0'
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** An update in its last state. */
function oneUpdate(first: Partial<GatewayUpdate> = {}) {
  let update = updateOf(first)
  let hours: UpdateHours | null = null
  const become = (changed: Partial<GatewayUpdate>) => {
    update = { ...update, ...changed }
    return { status: 200, body: { update } } as const
  }
  const answers = {
    listUpdates: () => ({ status: 200, body: { hours, updates: [update] } }),
    allowUpdate: () => become({ allowed: { version, at: minutesAgo(0) } }),
    disallowUpdate: () => become({ allowed: null }),
  } satisfies Answers
  const between = (given: UpdateHours) => {
    hours = given
  }
  return { answers, become, between }
}

it('has no card where nothing is offered, and the version among the facts', async () => {
  await pages.open(pathOf('gateways'), sessionOf(), oneUpdate({ offered: null }).answers)
  await page.follow(/^Attic/)
  const about = page.around('section', /^About Attic/)
  await about.says('Program')
  await about.says('0.1.0')
  expect(screen.queryByRole('heading', { name: 'Program' })).toBeNull()
})

it('waits for the permission of an owner, who gives it and withdraws it', async () => {
  await pages.open(pathOf('gateways'), sessionOf(), oneUpdate().answers)
  await page.says(`Update to ${version} waits for your permission`)
  await page.follow(/^Attic/)
  await program.says(`Version ${version} is offered`)
  await expectAccessible()
  await program.press(`Update to ${version}`)
  await program.says(`Version ${version} is allowed`)
  await expectAccessible()
  await program.press('Take back')
  await program.button(`Update to ${version}`)
})

it('shows in Romanian that it was requested, and the result', async () => {
  const { answers, become } = oneUpdate({ allowed: { version, at: minutesAgo(5) }, askedAt: minutesAgo(3) })
  const cloud = await pages.open(pathOf(`gateways/${ids.gatewayId}`), sessionOf({ language: 'ro' }), answers)
  await program.says('Descarcă versiunea')
  await page.says('Se actualizează acum')
  await expectAccessible()
  const why = 'version 0.2.0 was taken back: it did not reach broker and modem'
  const last = { version, state: 'taken_back', why, cause: 'not_connected', at: minutesAgo(0) } as const
  become({ last, askedAt: null, allowed: null, offered: null })
  cloud.tell('gateway.changed', ids.gatewayId)
  await program.says(`${version} nu a mers și a fost retrasă`)
  await program.says('Nu a ajuns la server și la modem în 5 minute.')
  await program.saysNot('was taken back')
  await program.says('Nu se oferă nicio versiune mai nouă.')
  await expectAccessible()
})

it('waits for an owner where an admin is the reader, and comes by itself where the Space has hours', async () => {
  const { answers, between } = oneUpdate()
  const admin = sessionOf({ role: 'admin', language: 'ro' })
  const cloud = await pages.open(pathOf(`gateways/${ids.gatewayId}`), admin, answers)
  await program.says('Un proprietar al spațiului o poate permite.')
  const [card] = screen.getAllByText(/^Program/).flatMap(one => one.closest('section') ?? [])
  expect(within(card ?? document.body).queryByRole('button')).toBeNull()
  between({ from: '02:00', to: '05:00' })
  cloud.tell('gateway.changed', ids.gatewayId)
  await page.says(`Se actualizează singur la ${version}`)
  await program.says('Gateway-urile se actualizează singure între 02:00 și 05:00.')
  await expectAccessible()
})

it('takes the hours of updates as they are typed, and says which is none', async () => {
  const { answers, between } = oneUpdate()
  const cloud = await pages.open(pathOf('settings'), sessionOf(), {
    ...answers,
    setUpdateHours({ body: { hours } }) {
      if (hours) between(hours)
      return { status: 200, body: { hours } }
    },
  })
  const card = page.around('section', /^Updates of gateways/)
  await card.press('Choose hours')
  await card.fill('From', '25')
  await card.fill('Until', '4.30')
  await card.press('Allow at these hours')
  await card.says('Write a time of day, such as 07:30.')
  expect(cloud.count('setUpdateHours')).toBe(0)
  await card.fill('From', '1')
  await card.press('Allow at these hours')
  await card.says('Gateways update themselves between 01:00 and 04:30.')
  expect(cloud.bodies('setUpdateHours')).toEqual([{ hours: { from: '01:00', to: '04:30' } }])
  await expectAccessible()
})
