// The scenes of every page of the dashboard and of the documents, in a Space with gates, members, keys, alerts and templates.

import { pageNames } from '@callgate/cloud/docs/docPages'
import { addDevice } from '@callgate/cloud/push/pushDevices'
import type { Member } from '@callgate/contract/rest/member'
import type { Page } from 'playwright-core'
import { numberOf } from '../../api/scriptedGateway.ts'
import { callOf, nowText, type Records } from '../../browser/records.ts'
import { people } from './members.ts'
import { givePhotos } from './photos.ts'
import { pushScenes } from './pushScenes.ts'
import type { Scene } from './scenes.ts'

const hoursAgo = (hours: number) => new Date(Date.parse(nowText) - hours * 3_600_000).toISOString()

/** Fills the Space. Returns the id of the first member. */
async function furnish(records: Records): Promise<string> {
  const { cloud, gateIds, tenant, yardId } = records
  const { knex } = cloud.database
  const { spaceId } = tenant
  const parking = {
    name: 'Underground parking',
    location: 'Level −1',
    phoneNumber: numberOf('neverReports', 7),
  }
  const { gate } = await callOf<{ gate: { id: string } }>(records, 'POST', '/gates', parking)
  const made: string[] = []
  for (const body of people([gateIds.courtyard, gateIds.delivery, gate.id])) {
    const { member } = await callOf<{ member: Member }>(records, 'POST', '/members', body)
    made.push(member.id)
  }
  await tenant.addKey({ name: 'Booking calendar', expiresAt: '2027-03-20T00:00:00.000Z' })
  await tenant.addKey({ name: 'Monthly report', scopes: ['history:read'] })
  const incident = { spaceId, openTold: null, closeTold: null }
  await knex('incidents').insert([
    {
      ...incident,
      id: 'inc_1',
      kind: 'gateway_offline',
      targetId: yardId,
      // When it was heard last.
      seenAt: hoursAgo(2_040 / 3_600),
      openedAt: hoursAgo(0.5),
    },
    {
      ...incident,
      id: 'inc_2',
      kind: 'gate_not_reacting',
      targetId: gateIds.delivery,
      seenAt: hoursAgo(30),
      openedAt: hoursAgo(29),
      closedAt: hoursAgo(26),
      figure: 3,
    },
  ])
  const hours = { type: 'weekdays', timezone: 'Europe/Bucharest' }
  const templates = [
    {
      name: 'Courier',
      gateIds: [gateIds.courtyard],
      endsAfterDays: null,
      maxUsage: null,
      schedules: [{ ...hours, timeWindows: [{ from: '08:00', to: '18:00' }] }],
    },
    { name: 'Guest for a weekend', gateIds: [], endsAfterDays: 3, maxUsage: 10, schedules: [] },
  ]
  await knex('accessTemplates').insert({ spaceId, templates: JSON.stringify(templates) })
  return made[0] ?? ''
}

const firstIn = (page: Page, selector: string) => page.locator(`${selector} >> visible=true`).first()

/** Switches the first access of a member off or on. */
const change = (page: Page) => firstIn(page, 'main [role=switch]').press('Space')

/** The dialog of a new key, filled in. */
async function fillKey(page: Page) {
  await firstIn(page, 'main .button-filled').click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input').first().fill('Reception tablet')
  await dialog.locator('.scope-list input').first().check({ force: true })
  return dialog
}

/** What a browser with a push service would say; this one has none. */
const mayPush = (id: string) => `Object.defineProperty(Notification, 'permission', { get: () => 'default' })
  const own = { pushManager: { getSubscription: async () => ({}) } }
  navigator.serviceWorker.getRegistration = async () => ${id === '' ? 'undefined' : 'own'}
  localStorage.setItem('callgate.push', '${id}')`

/** The account of somebody who is notified on a phone, and in this browser where it has an id. */
function pushScene({ cloud: { database } }: Records, name: string, id: string): Scene {
  const added = { subscriptionSealed: 'none', createdAt: '2026-03-02T08:00:00.000Z' }
  const devices = [
    { id: 'phone', browser: 'Chrome on Android', alerts: true, openings: false },
    { id, browser: 'Firefox on Linux', alerts: true, openings: true },
  ]
  return {
    name,
    path: '/account',
    async put() {
      const { id: userId } = await database.knex('users').where({ email: 'mihai@example.com' }).first('id')
      for (const device of devices.filter(one => one.id !== ''))
        await database.write(tx => addDevice(tx, { ...device, ...added, userId }), { spaceId: null })
    },
    async act(page) {
      await page.addInitScript(mayPush(id))
      await page.reload()
      await page.locator('[role=switch]').first().waitFor()
    },
    undo: () => database.knex('pushDevices').delete(),
  }
}

/** A page with the photos of two gates. */
function photoScene(records: Records, name: string, path: string): Scene {
  const { cloud, gateIds, tenant } = records
  return {
    name,
    path,
    async act(page) {
      await givePhotos(records, page, tenant.spaceId, [gateIds.courtyard, gateIds.delivery])
      await page.reload()
      await page.locator('.gate-photo, .gate-picture').first().waitFor()
    },
    undo: () => cloud.database.knex('gatePhotos').delete(),
  }
}

function settingsScenes(records: Records): readonly Scene[] {
  const { cloud, tenant } = records
  const lock = (since: string | null) => () =>
    cloud.database.knex('spaces').where({ id: tenant.spaceId }).update({ lockDownAt: since })
  return [
    { name: 'settings', path: 'settings' },
    { name: 'keys', path: 'settings/keys' },
    { name: 'key-create', path: 'settings/keys', act: fillKey },
    { name: 'webhooks', path: 'settings/webhooks' },
    { name: 'templates', path: 'settings/templates' },
    { name: 'users', path: 'settings/users' },
    { name: 'alert-choices', path: 'settings/alerts' },
    { name: 'plan', path: 'settings/plan' },
    { name: 'account', path: '/account' },
    pushScene(records, 'account-push-off', ''),
    pushScene(records, 'account-push-on', 'own'),
    { name: 'sign-in', path: '/', isSignedOut: true },
    { name: 'password-forgotten', path: '/password-forgotten', isSignedOut: true },
    {
      name: 'lock-down-question',
      path: 'gates',
      async act(page) {
        await firstIn(page, '.page-actions button').click()
        await page.getByRole('dialog').waitFor()
      },
    },
    { name: 'lock-down', path: 'gates', put: lock(hoursAgo(0.5)), undo: lock(null) },
  ]
}

export async function pageScenes(records: Records): Promise<readonly Scene[]> {
  const { gateIds } = records
  const member = await furnish(records)
  return [
    { name: 'gates', path: 'gates' },
    { name: 'first-steps', path: 'gates/first-steps' },
    { name: 'gate', path: `gates/${gateIds.courtyard}` },
    photoScene(records, 'gates-photos', 'gates'),
    photoScene(records, 'gate-photo', `gates/${gateIds.courtyard}`),
    { name: 'alerts', path: 'alerts' },
    { name: 'activity', path: 'activity' },
    { name: 'gateway', path: `gateways/${records.tenant.gatewayId}` },
    { name: 'members', path: 'members' },
    { name: 'member', path: `members/${member}` },
    { name: 'member-changed', path: `members/${member}`, act: change },
    {
      name: 'member-qr',
      path: `members/${member}`,
      act: page => firstIn(page, '.link-buttons button').click(),
    },
    { name: 'member-new', path: 'members/new' },
    ...settingsScenes(records),
    ...pushScenes(records),
    // These change the Space, so they come last.
    {
      name: 'key-secret',
      path: 'settings/keys',
      async act(page) {
        const dialog = await fillKey(page)
        await dialog.locator('.dialog-foot button').last().click()
        await dialog.locator('.key-try').waitFor()
      },
    },
    {
      name: 'member-added',
      path: 'members/new',
      async act(page) {
        await page.locator('main input').first().fill('Sanda Ilie')
        // The bar below may lie over the box.
        await page.locator('.gate-choice input').first().dispatchEvent('click')
        await page.locator('.save-bar button').last().click()
        await page.waitForURL(/\/members\/member_/)
        await page.locator('.link-buttons').first().waitFor()
      },
    },
    {
      name: 'member-saved',
      path: `members/${member}`,
      put: () =>
        records.cloud.database.knex('accesses').where({ memberId: member }).update({ isActive: true }),
      async act(page) {
        await change(page)
        await page.locator('.save-bar button').last().click()
        await page.locator('.member-saved').waitFor()
      },
    },
  ]
}

/** Every page of the documents, and what a search or a wrong address ends on. */
export const documentScenes: readonly Scene[] = [
  ...pageNames.map(name => ({
    name: name === 'start' ? 'first' : name,
    path: name === 'start' ? '/docs' : `/docs/${name}`,
    languages: ['en'] as const,
  })),
  { name: 'search', path: '/docs/search?q=gate', languages: ['en'] },
  { name: 'nothing-found', path: '/docs/search?q=zzz', languages: ['en'] },
  { name: 'no-page', path: '/docs/none', languages: ['en'] },
  { name: 'reference', path: '/docs/reference', languages: ['en'], isLong: true },
  { name: 'operation', path: '/docs/reference#tag/Openings/openGate', languages: ['en'], isLong: true },
]
