import type { ApiKeyView } from '@callgate/contract/app/apiKey'
import { refuse } from '@callgate/contract/app/refusals'
import type { SpaceView } from '@callgate/contract/app/space'
import type { Invitation } from '@callgate/contract/app/user'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { type Answers, password } from '../client/fakeCloud.kit.ts'
import {
  another,
  gateOf,
  ids,
  memberOf,
  pathOf,
  sessionOf,
  spaceOf,
  userOf,
} from '../client/spaceData.kit.ts'
import { onePage } from '../members/members.kit.ts'
import { dashboardPages, expectAccessible, isDisabled, noDialog, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()

it('keeps the form when no answer comes, and reports the unknown result, in Romanian too', async () => {
  const admin = sessionOf({ role: 'admin', language: 'ro' })
  const cloud = await pages.open(pathOf('settings/keys'), admin, {
    listApiKeys: () => ({ status: 200, body: { keys: [] } }),
    createApiKey: () => 'nothing',
  })
  await page.press('Creează o cheie')
  const dialog = page.part('dialog')
  await dialog.fill('Nume', 'Raport')
  await dialog.choose('checkbox', /^Citește deschiderile/)
  await dialog.press('Creează o cheie')
  await dialog.says(/nu se știe dacă s-a creat o cheie/)
  expect(await dialog.typed('Nume')).toBe('Raport')
  expect(cloud.count('createApiKey')).toBe(1)
})

it('reports that the keys could not be read, and reads them again', async () => {
  const isDown = { problem: 'internal_error', message: 'It is down.', status: 503 } as const
  const cloud = await pages.open(pathOf('settings/keys'), sessionOf({ language: 'ro' }), {
    listApiKeys: () => isDown,
  })
  await page.says('Cheile API: nu s-a putut citi')
  await expectAccessible()
  cloud.answer({ listApiKeys: () => ({ status: 200, body: { keys: [] } }) })
  await page.press('Citește din nou')
  await page.saysNot('Cheile API: nu s-a putut citi')
})

/** Keys that are made and revoked. */
function keysOf(secret: string) {
  let keys: readonly ApiKeyView[] = []
  return {
    listApiKeys: () => ({ status: 200, body: { keys: [...keys] } }),
    createApiKey({ body: { expiresAt = null, gateIds = null, name, scopes } }) {
      const key: ApiKeyView = {
        id: ids.apiKeyId,
        name,
        shownPrefix: 'svc_live_3kQ9',
        scopes,
        gateIds,
        createdAt: '2026-01-05T08:00:00.000Z',
        expiresAt,
        revokedAt: null,
        lastUsedAt: null,
        madeById: ids.userId,
        uses: Array.from({ length: 30 }, () => 0),
      }
      keys = [key]
      return { status: 201, body: { key, secret } }
    },
    revokeApiKey() {
      keys = keys.map(key => ({ ...key, revokedAt: new Date().toISOString() }))
      return { status: 204 }
    },
  } satisfies Answers
}

it('limits a key to the ticked gates, and leaves it only what such a key may have', async () => {
  const cloud = await pages.open(pathOf('settings/keys'), sessionOf(), keysOf('svc_live_3kQ9'))
  await page.press('Create key')
  const dialog = page.part('dialog')
  await dialog.fill('Name', 'Barrier')
  await dialog.choose('checkbox', /^See members/)
  await dialog.choose('checkbox', /^See gates/)
  await dialog.choose('checkbox', /^Only some gates/)
  expect(screen.getByRole('checkbox', { name: /^See members/ })).toHaveProperty('disabled', true)
  await dialog.press('Create key')
  await dialog.says('Tick at least one gate.')
  await expectAccessible()
  await dialog.choose('checkbox', gateOf().name)
  await dialog.press('Create key')
  await dialog.says('Barrier is ready')
  expect(cloud.bodies('createApiKey')).toMatchObject([
    { name: 'Barrier', scopes: ['gates:read'], gateIds: [gateOf().id] },
  ])
  await dialog.check(/^I have stored it/)
  await dialog.press('Done')
  await page.part('row', /^Barrier svc_live_/).says('only 1 gate')
})

it('makes a key that opens gates after a confirmation, shows it once, and revokes it', async () => {
  const secret = `svc_live_3kQ9${'x'.repeat(30)}`
  const cloud = await pages.open(pathOf('settings/keys'), sessionOf(), keysOf(secret))
  cloud.forget()
  await page.says('No key yet')
  await page.press('Create key')
  const dialog = page.part('dialog')
  await dialog.press('Create key')
  await dialog.says('Type a name.')
  await dialog.says('Tick at least one.')
  expect(screen.queryByRole('checkbox', { checked: true })).toBeNull()
  await expectAccessible()
  await dialog.fill('Name', 'Reception tablet')
  await dialog.choose('checkbox', /^See gates/)
  await dialog.choose('checkbox', /^Open gates/)
  await dialog.press('Create key')

  await dialog.says('Confirm that it is you')
  await dialog.fill('Your password', 'five words and a gate')
  await dialog.press('Confirm')
  await dialog.says('This is not your password.')
  await expectAccessible()
  await dialog.press('Cancel')
  expect(await dialog.typed('Name')).toBe('Reception tablet')
  await dialog.press('Create key')
  await dialog.fill('Your password', password)
  await dialog.press('Confirm')

  await dialog.says('Reception tablet is ready')
  expect(await dialog.typed('The key')).toBe(secret)
  expect(cloud.bodies('createApiKey')).toMatchObject([
    { name: 'Reception tablet', scopes: ['gates:read', 'gates:open'] },
  ])
  await page.key('{Escape}')
  expect(isDisabled(await dialog.button('Done'))).toBe(true)
  await expectAccessible()
  await dialog.check(/^I have stored it/)
  await dialog.press('Done')
  await noDialog()
  expect(document.documentElement.outerHTML).not.toContain(secret)

  const row = page.part('row', /^Reception tablet svc_live_/)
  await row.says('Open gates')
  await expectAccessible()
  await page.press('What to do with Reception tablet')
  await page.choose('menuitem', 'Revoke')
  await dialog.says('It could: See gates, Open gates.')
  await dialog.press('Revoke')
  await page.saysNot('Reception tablet')
  expect(cloud.count('revokeApiKey')).toBe(1)
  await page.press('Show 1 that has ended')
  await row.says(/^revoked \d/)
})

it('changes the Space, and loses no change of another person', async () => {
  let space: SpaceView = spaceOf()
  const cloud = await pages.open(pathOf('settings'), sessionOf(), {
    getSpace: () => ({ status: 200, body: { space } }),
    updateSpace({ body }) {
      space = { ...space, ...body }
      return { status: 200, body: { space } }
    },
  })
  const name = 'Name'
  await page.fill(name, 'See www.example.com')
  await page.fill('Contact name', 'Ana Pop')
  await page.press('Save')
  await page.says(/Leave out :\/\/ and www\./)
  await page.says('Fill in both, or neither.')
  await page.fill(name, 'Casa Lalelelor 14')
  await page.fill('Contact phone', '+40 21 555 0100')
  await page.press('Show them')
  await page.says(/own country, or of: Moldova, Romania\.$/)
  await page.check('Only numbers of the 2 usual countries')
  await page.select('Add a country', 'Japan')
  const keep = 'Keep names for'
  expect(await page.typed(keep)).toBe('P12M')
  await page.select(keep, '90 days')
  await expectAccessible()
  space = { ...space, name: 'Casa Mare', timezone: 'Europe/Vienna' }
  await page.press('Save')
  await page.says(/Somebody changed the Space meanwhile\./)
  await page.says('Somebody else has set this to “Casa Mare”.')
  expect(await page.typed(name)).toBe('Casa Lalelelor 14')
  expect(await page.typed('Time zone')).toBe('Europe/Vienna')
  await page.press('Save')
  await page.button('Remove Japan')
  expect(cloud.bodies('updateSpace')).toEqual([
    {
      name: 'Casa Lalelelor 14',
      contactName: 'Ana Pop',
      contactPhone: '+40 21 555 0100',
      allowedCountries: ['JP', 'MD', 'RO'],
      keepIdentities: 'P90D',
    },
  ])
})

it('shows an admin the Space and its plan, and allows no change of them', async () => {
  await pages.open(pathOf('settings'), sessionOf({ role: 'admin' }), {
    listUsers: () => ({ status: 200, body: { users: [], invitations: [] } }),
  })
  await page.says('Only an owner changes the Space.')
  expect(isDisabled(await page.field('Name'))).toBe(true)
  expect(screen.queryByRole('link', { name: 'Users' })).toBeNull()
  await page.follow('Plan')
  await page.says('This Space is on Business.')
  await expectAccessible()
  history.pushState(null, '', pathOf('settings/users'))
  await page.says('Only owners see this page')
  expect(screen.queryByText(/@example\.com/)).toBeNull()
})

const exampleInvitation: Invitation = {
  id: 'invite_01kdhw5r9t2v4x6z8b1d3f5h7j',
  email: '',
  name: '',
  role: 'admin',
  language: 'en',
  invitedBy: 'Ioana Dinu',
  createdAt: '2026-01-05T08:00:00.000Z',
  expiresAt: '2099-01-01T00:00:00.000Z',
}

/** Users, one of whom can be changed, and an invited person. */
function usersOf(): Answers {
  const member = { id: ids.memberId, name: 'Ion Popescu' }
  let elena = [
    userOf({
      id: another(ids.userId, 1),
      email: 'elena@example.com',
      name: 'Elena Stan',
      role: 'admin',
      isSelf: false,
    }),
  ]
  let invitations: Invitation[] = []
  return {
    listUsers: () => ({ status: 200, body: { users: [userOf({}), ...elena], invitations } }),
    listMemberViews: () => onePage(memberOf(member)),
    inviteUser({ body: { email, name, role } }) {
      if (email === 'elena@example.com') return refuse('user_known', { email })
      const invitation = { ...exampleInvitation, email, name, role }
      invitations = [invitation]
      return { status: 201, body: { invitation } }
    },
    cancelInvitation() {
      invitations = []
      return { status: 204 }
    },
    getUser: () => ({ status: 200, body: { user: elena[0] ?? userOf({}) } }),
    updateUser({ body: { memberId, role } }) {
      const [user = userOf({})] = elena
      elena = [{ ...user, ...(role && { role }), ...(memberId && { member }) }]
      return { status: 200, body: { user } }
    },
    removeUser() {
      elena = []
      return { status: 204 }
    },
  }
}

it('invites a person, gives a user another role and a member, and removes them', async () => {
  const cloud = await pages.open(pathOf('settings/users'), sessionOf({ name: 'Ioana Dinu' }), usersOf())
  cloud.forget()
  const row = (name: string | RegExp) => page.around('li', name)
  const choose = async (name: string, what: string) => {
    await page.press(`What to do with ${name}`)
    await page.choose('menuitem', what)
  }
  await page.press('What to do with Ioana Dinu')
  await page.says(/This is the only owner/)
  expect(screen.queryByRole('menuitem', { name: 'Remove' })).toBeNull()
  await page.key('{Escape}')

  await page.press('Invite')
  const dialog = page.part('dialog')
  await dialog.fill('E-mail', 'ana at example')
  await dialog.press('Invite')
  await dialog.says(/Type an e-mail address/)
  await dialog.fill('Name', 'Ana Pop')
  await dialog.fill('E-mail', 'elena@example.com')
  await dialog.press('Invite')
  await dialog.says(/This person is a user of the Space already\./)
  await expectAccessible()
  await dialog.fill('E-mail', 'ana@example.com')
  await dialog.press('Invite')
  await row(/^ana@example.com/).says(/works until/)
  await expectAccessible()
  await page.press('Withdraw Ana Pop')
  await dialog.press('Withdraw')
  await page.saysNot(/^ana@example.com/)

  await choose('Elena Stan', 'Link to a member')
  await dialog.tap('Ion Popescu')
  await expectAccessible()
  await dialog.press('Link')
  await row('Elena Stan').link('Ion Popescu')
  await choose('Elena Stan', 'Make owner')
  await page.part('dialog').press('Change role')
  await dialog.fill('Your password', password)
  await dialog.press('Confirm')
  await row('Elena Stan').says('Owner')
  await choose('Elena Stan', 'Remove')
  await dialog.says(/The link of the member Ion Popescu stays/)
  await dialog.press('Remove')
  await page.saysNot('Elena Stan')
  expect(cloud.bodies('updateUser')).toEqual([{ memberId: ids.memberId }, { role: 'owner' }])
})

it('makes a sandbox for an owner, and marks each of its pages', async () => {
  let spaces = sessionOf().spaces
  const sandbox = { ...spaces[0], id: 'space_01kdhx3m8e2w7q5v9z4r6t8y0b', name: 'Tests', mode: 'sandbox' }
  const cloud = await pages.open(pathOf('settings/keys'), sessionOf(), {
    ...keysOf(''),
    getSession: () => ({ status: 200, body: { ...sessionOf(), spaces } }),
    createSandbox({ body: { name } }) {
      spaces = [...spaces, sandbox as (typeof spaces)[number]]
      return { status: 201, body: { space: { id: sandbox.id, name } } }
    },
  })
  await page.saysNot('Nobody is called')
  await page.press('Make a sandbox')
  const dialog = page.part('dialog')
  expect(await dialog.typed('Name')).toBe('Tests')
  await expectAccessible()
  await dialog.press('Make a sandbox')
  await page.says('Nobody is called, and no mail is sent.')
  expect(cloud.bodies('createSandbox')).toEqual([{ name: 'Tests' }])
  await page.saysNot('Make a sandbox')
  await expectAccessible()
})
