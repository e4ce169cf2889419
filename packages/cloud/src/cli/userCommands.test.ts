import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { fillFolder } from '../database/tables.kit.ts'
import { readKeyring } from '../secrets/keyring.ts'
import { findInvitation, invitationUrl } from '../user/invitations.ts'
import { runCommand } from './terminal.kit.ts'

const secret = 'several words nobody puts together'
let folder = ''
let spaceId = ''

const callgate = (args: readonly string[], typed?: string) =>
  runCommand({ CALLGATE_DATA: folder }, ['user', ...args], undefined, typed)
const json = async (args: readonly string[], typed?: string) =>
  JSON.parse((await callgate([...args, '--json'], typed)).out)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-users-'))
  await fillFolder(folder)
  const space = ['space', 'create', '--name', 'Demo', '--plan', 'pro', '--json']
  spaceId = JSON.parse((await runCommand({ CALLGATE_DATA: folder }, space)).out).spaceId
})
afterEach(() => rmSync(folder, { recursive: true }))

const create = (email: string, more: readonly string[] = []) => [
  'create',
  ...['--email', email, '--name', 'Olga Marin', '--space', spaceId],
  ...more,
]

it('creates a user with the password that a person types, and stores and prints it nowhere', async () => {
  const made = await callgate(create('Olga@Example.com'), secret)
  expect(made).toEqual({ out: 'Olga Marin can sign in with olga@example.com as an owner.', err: '', code: 0 })
  expect(await json(['list'])).toMatchObject({
    users: [{ email: 'olga@example.com', deactivatedAt: null, roles: [{ spaceId, role: 'owner' }] }],
  })
  const kept = readFileSync(join(folder, 'callgate.sqlite'), 'latin1')
  expect(kept).not.toContain(secret)
  expect((await callgate(create('olga@example.com'), secret)).err).toContain('already')
  const refused = await callgate(['list', '--space', 'space_none'])
  expect(refused.out).toBe('There are none.')
})

it('reads the password from the first line of a pipe, and ends', async () => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  const environment = { ...process.env, CALLGATE_DATA: folder, LOG_LEVEL: 'silent' }
  const run = (input: string) =>
    spawnSync(process.execPath, ['--import', 'tsx', main, 'user', ...create('olga@example.com')], {
      env: environment,
      input,
      encoding: 'utf8',
      timeout: 50_000,
    })
  expect(run('')).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('there was none') })
  expect(run(`${secret}\nmore\n`)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('can sign in'),
  })
})

it('generates a password where it is requested, and shows it once', async () => {
  const { password, ...made } = await json(
    create('olga@example.com', ['--generate-password', '--role', 'admin']),
  )
  expect(password).toMatch(/^([a-z2-9]{4}-){4}[a-z2-9]{4}$/)
  expect(made).toMatchObject({ email: 'olga@example.com', role: 'admin', spaceId })
  const other = await json(['password', '--email', 'OLGA@example.com', '--generate-password'])
  expect(other.password).not.toBe(password)
})

it.each([
  ['create --email nobody --name A --space SPACE', secret, '--email is no address: nobody'],
  ['create --email a@example.com --name A --space space_none', secret, 'There is no Space space_none'],
  ['create --email a@example.com --name A --space SPACE', 'short', 'at least 15 characters'],
  ['create --email a@example.com --name A --space SPACE', 'a@example.com example', 'guessed first'],
  ['create --email a@example.com --name A --space SPACE', undefined, 'differ'],
  ['create --email a@example.com --name A --space SPACE --role king', secret, 'Allowed choices'],
  ['create --email a@example.com --name A --space SPACE --password x', secret, 'unknown option'],
  ['password --email b@example.com', secret, 'There is no user b@example.com'],
  ['set-role --email b@example.com --space SPACE --role admin', secret, 'There is no user b@example.com'],
  ['set-role --email b@example.com --space space_none --role admin', secret, 'There is no Space'],
  ['revoke-sessions --email b@example.com', secret, 'There is no user'],
  ['deactivate --email b@example.com', secret, 'There is no user'],
  ['reset-factors --email b@example.com', secret, 'There is no user'],
])('refuses user %s', async (line, typed, why) => {
  const { code, err, out } = await callgate(line.replace('SPACE', spaceId).split(' '), typed)
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(why)
  expect((await json(['list'])).users).toEqual([])
})

it('changes roles, and leaves no Space without an owner', async () => {
  await callgate(create('olga@example.com'), secret)
  const setRole = (email: string, role: string) =>
    callgate(['set-role', '--email', email, '--space', spaceId, '--role', role])
  for (const role of ['admin', 'none']) {
    const refused = await setRole('olga@example.com', role)
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('the only owner')])
  }
  await callgate(create('dan@example.com', ['--role', 'admin']), secret)
  expect((await setRole('dan@example.com', 'owner')).out).toBe(`dan@example.com is an owner of ${spaceId}.`)
  expect((await setRole('olga@example.com', 'none')).out).toBe(`olga@example.com has no role in ${spaceId}.`)
  expect((await json(['list', '--space', spaceId])).users).toMatchObject([{ email: 'dan@example.com' }])
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  const entries = await database.knex('activity').orderBy('id').select('action', 'actor', 'targetLabel')
  await database.close()
  expect(entries.map(({ action, actor }) => `${actor} ${action}`)).toEqual([
    'operator user.joined',
    'operator user.joined',
    'operator user.role_changed',
    'operator user.removed',
  ])
})

it('shuts a user out and lets them in again, and ends sessions', async () => {
  await callgate(create('olga@example.com'), secret)
  expect((await callgate(['deactivate', '--email', 'olga@example.com'])).out).toContain('is shut out')
  expect((await callgate(['list'])).out).toMatch(/olga@example\.com +Olga Marin +deactivated/)
  expect((await callgate(['reactivate', '--email', 'olga@example.com'])).out).toContain('may sign in again')
  for (const command of ['revoke-sessions', 'reset-factors'])
    expect((await callgate([command, '--email', 'olga@example.com'])).code).toBe(0)
})

it('informs the user by mail of its changes', async () => {
  await callgate(create('olga@example.com'), secret)
  await callgate(['password', '--email', 'olga@example.com', '--generate-password'])
  await callgate(['reset-factors', '--email', 'olga@example.com'])
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  const kinds = await database.knex('outbox').orderBy(['createdAt', 'id']).pluck('kind')
  await database.close()
  expect(kinds).toEqual(['password_changed', 'factors_removed'])
})

it('admits the person whom the operator invites', async () => {
  const { invitation } = await json(['invite', '--email', 'dan@example.com', '--name', 'Dan'])
  const world = realWorld({ logLevel: 'silent' })
  const keys = await readKeyring(world, folder)
  if (!keys.ok) throw new Error(keys.message)
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  const parts = { appUrl: 'https://gates.example.com', seal: keys.keyring.seal }
  const url = await invitationUrl(database.knex, parts, invitation.id)
  const found = await findInvitation(database.knex, String(url?.split('#')[1]), world.nowMs())
  await database.close()
  expect(found).toMatchObject({ id: invitation.id, email: 'dan@example.com', madeById: 'operator' })
})

it('invites a person by mail, withdraws the invitation, and sets which member a user is', async () => {
  await callgate(create('olga@example.com'), secret)
  const { invitation } = await json(['invite', '--email', 'Dan@example.com', '--name', 'Dan'])
  expect(invitation).toMatchObject({ email: 'dan@example.com', role: 'admin', invitedBy: 'operator' })
  expect((await callgate(['invitations'])).out).toMatch(/dan@example\.com +Dan +admin +operator/)
  const cancel = ['cancel-invitation', '--invitation', invitation.id]
  expect((await callgate(cancel)).out).toContain('its link is dead')
  expect((await callgate(cancel)).err).toContain('see "callgate user invitations"')
  expect((await callgate(['invite', '--email', 'olga@example.com', '--name', 'O'])).err).toContain('already')
  expect((await callgate(['invite', '--email', 'nobody', '--name', 'O'])).err).toContain('email')

  const member = await runCommand({ CALLGATE_DATA: folder }, ['member', 'create', '--name', 'Olga', '--json'])
  const { id } = JSON.parse(member.out).member
  const link = (to: string) => callgate(['link', '--email', 'olga@example.com', '--member', to])
  expect((await link(id)).out).toBe(`olga@example.com is the member Olga (${id}).`)
  expect((await link('none')).out).toBe('olga@example.com is no member.')
  expect((await link('member_x')).err).toContain('memberId must be like')
})
