import type { Incident } from '@callgate/contract/app/incident'
import type { SpaceUser } from '@callgate/contract/app/user'
import { outcomesOf } from '@callgate/contract/call/callOutcomes'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { another, figuresOf, ids, incidentOf, pathOf, sessionOf, userOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()
const open = page.part('region', 'Open alerts')

/** Incidents that are open, and some that have ended. */
function incidents() {
  let all: Incident[] = []
  let mute: { readonly endsAt: string; readonly why: string } | null = null
  const places = { listed: 0 }
  const answers = {
    listIncidents() {
      const open = all.filter(({ closedAt }) => closedAt === null)
      return { status: 200, body: { incidents: open, total: open.length, mute } }
    },
    listPastIncidents: () => ({
      status: 200,
      body: {
        incidents: all.filter(({ closedAt }) => closedAt !== null),
        pagination: { limit: 50, nextCursor: null },
      },
    }),
  } satisfies Answers
  const begin = (given: Partial<Incident>, minutes: number) => {
    places.listed += 1
    const id = another(incidentOf().id, places.listed)
    const at = new Date(Date.now() - minutes * 60_000).toISOString()
    all = [incidentOf({ ...given, id, seenAt: at, openedAt: at }), ...all]
    return id
  }
  const end = (id: string, minutes: number) => {
    const closedAt = (at: string) => new Date(Date.parse(at) + minutes * 60_000).toISOString()
    all = all.map(one => (one.id === id ? { ...one, closedAt: closedAt(one.seenAt) } : one))
  }
  const silence = (why: string | null) => {
    mute = why === null ? null : { endsAt: new Date(Date.now() + 20 * 60_000).toISOString(), why }
  }
  return { answers, begin, end, silence }
}

it('shows an alert above the gates as it begins, leads to the gateway, and removes it as it ends', async () => {
  const { answers, begin, end } = incidents()
  const cloud = await pages.open(pathOf('gates'), sessionOf(), answers)
  const isShown = () => screen.queryByRole('region', { name: 'Open alerts' }) !== null
  await page.of('heading', 'Courtyard gate')
  expect(isShown()).toBe(false)
  const id = begin({}, 6)
  cloud.tell('incident.opened', id)
  await open.says('Attic is offline.')
  await open.says('look at the lights on it')
  await page.says('An alert goes on')
  await expectAccessible()
  await open.follow('Look at it Attic is offline')
  await screen.findByRole('heading', { level: 2, name: 'Attic' })
  // This page has its own warning about its gateway.
  await expect.poll(isShown).toBe(false)
  end(id, 6)
  cloud.tell('incident.closed', id)
  const yard = { type: 'gateway', id: another(ids.gatewayId, 1), name: 'Yard cabinet' } as const
  const other = begin({ target: yard }, 8)
  cloud.tell('incident.opened', other)
  await open.says('Yard cabinet is offline.')
  end(other, 8)
  cloud.tell('incident.closed', other)
  await expect.poll(isShown).toBe(false)
})

it('shows the first of many, and all of them on a page of their own, beside those that are over', async () => {
  const { answers, begin, end } = incidents()
  const gate = { type: 'gate', id: ids.gateId, name: 'Delivery gate' } as const
  begin({ kind: 'mail_failing', target: { type: 'space', id: ids.spaceId, name: null } }, 40)
  begin({ kind: 'gate_not_reacting', target: gate }, 30)
  begin({ kind: 'signal_low' }, 20)
  begin({ kind: 'supply_low' }, 10)
  const past = begin({ kind: 'gateway_offline' }, 134)
  const cloud = await pages.open(pathOf('gates'), sessionOf({ role: 'admin' }), answers)
  await page.follow('And 2 more alerts')
  await page.says('5 alerts are open.')
  end(past, 134)
  cloud.tell('incident.closed', past)
  await page.says('4 alerts are open.')
  await page.part('row', /Attic was offline/).says('2 h 14 min')
  await expectAccessible()
  for (const said of ['Mails do not arrive.', 'Delivery gate does not react.', 'The supply of Attic is low.'])
    await open.says(said)
})

it('reports that nothing is or was wrong, in Romanian too', async () => {
  const { answers, begin, end } = incidents()
  const cloud = await pages.open(pathOf('alerts'), sessionOf({ language: 'ro' }), answers)
  await page.says('Nicio alertă nu este deschisă.')
  await page.says('Nimic în ultimele 90 de zile.')
  await expectAccessible()
  const id = begin({}, 61)
  cloud.tell('incident.opened', id)
  await page.says('Attic este offline.')
  end(id, 61)
  cloud.tell('incident.closed', id)
  await page.says('Attic a fost offline')
  await page.says('1 h 1 min')
  await page.part('row', /Attic a fost offline/).of('cell', 'Durata 1 h 1 min')
  await expectAccessible()
})

it('names beside no alert a gate that was called and is not known to have opened', async () => {
  const call = { class: 'unknown', seen: null } as const
  const figures = figuresOf({ outcomes: outcomesOf([call, call, call, call]) })
  const { answers, begin } = incidents()
  const cloud = await pages.open(pathOf('alerts'), sessionOf(), {
    ...answers,
    listGateFigures: () => ({ status: 200, body: { figures: [figures] } }),
  })
  await page.says('No alert is open. Courtyard gate: 4 calls, none known to have opened.')
  await page.of('heading', 'What opens an alert')
  await expectAccessible()
  // The head of an open alert names nothing else.
  cloud.tell('incident.opened', begin({}, 6))
  await page.says('One alert is open.')
  await page.saysNot(/none known to have opened/)
})

it('says that nobody is told by mail while alerts are muted, with the reason, also where nothing is wrong', async () => {
  const { answers, begin, end, silence } = incidents()
  silence('moving to a new server')
  const cloud = await pages.open(pathOf('alerts'), sessionOf({ role: 'admin' }), answers)
  await page.says(/Until \d\d:\d\d nobody is told by mail/)
  await page.says('Whoever runs this Callgate has muted alerts: moving to a new server')
  await page.says('No alert is open.')
  await expectAccessible()
  const id = begin({}, 6)
  cloud.tell('incident.opened', id)
  await open.says('Attic is offline.')
  await page.says('muted alerts')
  silence(null)
  end(id, 6)
  cloud.tell('incident.closed', id)
  await expect.poll(() => screen.queryByText(/muted alerts/)).toBeNull()
})

const isChecked = (box: HTMLElement) => (box as HTMLInputElement).checked

/** Presses a switch by the keyboard. */
async function turn(name: string | RegExp) {
  const box = await page.of('switch', name)
  box.focus()
  await page.key(' ')
  return box
}

it('lets an owner choose who gets mails', async () => {
  let ana: SpaceUser = userOf({ id: another(ids.userId, 1), name: 'Ana Marin', role: 'admin', isSelf: false })
  const cloud = await pages.open(pathOf('settings/alerts'), sessionOf(), {
    listUsers: () => ({ status: 200, body: { users: [userOf({}), ana], invitations: [] } }),
    updateUser({ body: { getsAlerts = true } }) {
      ana = { ...ana, getsAlerts }
      return { status: 200, body: { user: ana } }
    },
  })
  const box = await page.of('switch', 'Tell Ana Marin by mail')
  expect(isChecked(box)).toBe(true)
  await turn('Tell Ana Marin by mail')
  await expect.poll(() => isChecked(box)).toBe(false)
  await expectAccessible()
  expect(cloud.bodies('updateUser')).toEqual([{ getsAlerts: false }])
})

it('lets an admin choose whether they get mails', async () => {
  let session = sessionOf({ name: 'Ema Admin', role: 'admin' })
  const cloud = await pages.open(pathOf('settings/alerts'), session, {
    getSession: () => ({ status: 200, body: session }),
    updateOwnAlerts({ body: { getsAlerts } }) {
      session = { ...session, spaces: session.spaces.map(space => ({ ...space, getsAlerts })) }
      return { status: 200, body: { getsAlerts } }
    },
  })
  await page.says('Only you and the owners of the Space can change this.')
  expect(screen.getAllByRole('switch')).toHaveLength(1)
  await turn(/^Tell me by mail/)
  await expect.poll(() => cloud.bodies('updateOwnAlerts')).toEqual([{ getsAlerts: false }])
  await expectAccessible()
  await page.press(/You and your settings/)
  await page.choose('menuitem', 'Your account')
  const inAccount = await page.of('switch', 'Casa Lalelelor')
  expect(isChecked(inAccount)).toBe(false)
  await turn('Casa Lalelelor')
  await expect.poll(() => isChecked(inAccount)).toBe(true)
})

it('keeps a switch unchanged where the change does not arrive, and reports it', async () => {
  await pages.open(pathOf('settings/alerts'), sessionOf({ name: 'Dan Owner' }), {
    listUsers: () => ({ status: 200, body: { users: [userOf({ name: 'Dan Owner' })], invitations: [] } }),
    updateUser: () => 'nothing',
    updateOwnAlerts: () => 'nothing',
  })
  const box = await turn('Tell Dan Owner by mail')
  await page.says('It is not known whether this was saved.')
  expect(isChecked(box)).toBe(true)
  await expectAccessible()
})
