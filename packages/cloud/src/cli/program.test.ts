import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scopeNames } from '@callgate/contract/rest/scope'
import { signingKey } from '@callgate/contract/wire/signature'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isApiKey } from '../space/apiKeys.ts'
import { operatorProgram } from './program.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-operator-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** What happens once when a command complains. */
let atComplaint = () => {}

async function callgate(...args: string[]): Promise<{ out: string; err: string; code: number }> {
  const said = { out: '', err: '', code: 0 }
  const program = operatorProgram({
    environment: { CALLGATE_DATA: folder, LOG_LEVEL: 'silent' },
    print(text) {
      said.out += text
    },
    complain(text) {
      said.err += text
      atComplaint()
    },
    untilSignal: async () => 'SIGTERM',
    exitWith(code) {
      said.code = code
    },
  })
  await program.parseAsync(args, { from: 'user' })
  return said
}

const json = async (...args: string[]) => JSON.parse((await callgate(...args, '--json')).out)

it('waits with a message while another program writes to the database, and goes on after it', async () => {
  await callgate('migrate')
  const other = new BetterSqlite3(join(folder, 'callgate.sqlite'))
  other.exec('BEGIN IMMEDIATE')
  atComplaint = () => {
    if (other.inTransaction) other.exec('COMMIT')
  }
  const made = await callgate('space', 'create', '--name', 'Demo', '--plan', 'pro')
  atComplaint = () => {}
  other.close()
  expect(made.err).toBe('Another program writes to the database; waiting for up to 10 s.')
  expect(made.out).toMatch(/^The Space Demo is made/)
  expect(made.code).toBe(0)
})

it('sets up a Space from nothing, and takes it down again', async () => {
  const { spaceId } = await json('space', 'create', '--name', ' Demo ', '--plan', 'pro')
  const key = await json(
    'key',
    'create',
    '--space',
    spaceId,
    '--name',
    'Desk',
    '--scopes',
    'gates:read,gates:open',
  )
  expect(isApiKey(key.key)).toBe(true)
  expect(key).toMatchObject({ spaceId, scopes: ['gates:read', 'gates:open'], expiresAt: null })
  const all = ['key', 'create', '--space', spaceId, '--name', 'All', '--scopes']
  const { scopes } = await json(...all, 'all')
  expect([scopes.length, scopes.includes('gates:open')]).toEqual([scopeNames.length - 1, false])
  expect((await json(...all, 'all, gates:open,gates:read')).scopes).toEqual([...scopes, 'gates:open'])
  const typed = await callgate('key', 'revoke', '--key', key.key)
  expect(typed.err).toContain('not the key itself')
  expect(typed.err).not.toContain(key.key.slice(0, 12))
  expect((await callgate('key', 'list')).out).toContain(key.shownPrefix)
  expect((await callgate('key', 'list')).out).not.toContain(key.key)
  expect(await json('key', 'revoke', '--key', key.apiKeyId)).toEqual({
    apiKeyId: key.apiKeyId,
    isRevoked: true,
  })

  const { publicKey } = signingKey(new Uint8Array(32).fill(1))
  const gateway = await json('gateway', 'add', '--space', spaceId, '--name', 'Pi', '--public-key', publicKey)
  expect(gateway).toMatchObject({
    spaceId,
    mqttUrl: 'mqtt://localhost:1883',
    cloudKeys: [expect.stringMatching(/^[\w-]{43}$/)],
    warnings: [expect.stringMatching(/leads a gateway to its own machine/)],
  })
  expect(gateway.mqttPassword).toMatch(/^[\w-]{43}$/)
  await callgate('gateway', 'revoke', '--gateway', gateway.gatewayId)
  expect((await json('gateway', 'list')).gateways[0].revokedAt).not.toBeNull()

  expect(await json('space', 'set-plan', '--space', spaceId, '--plan', 'trial')).toMatchObject({
    name: 'Demo',
    plan: 'trial',
  })
  const contact = ['space', 'contact', '--space', spaceId]
  const told = { contactName: 'Front desk', contactPhone: '+40 21 555 0100' }
  expect(await json(...contact, '--name', told.contactName, '--phone', told.contactPhone)).toMatchObject(told)
  expect((await json('space', 'list')).spaces).toEqual([expect.objectContaining(told)])
  await callgate(...contact, '--nobody')
  expect((await json('space', 'list')).spaces).toMatchObject([{ contactName: null, contactPhone: null }])
  expect((await json('space', 'list')).spaces).toHaveLength(1)
  const plan = async (name: string) =>
    (await callgate('space', 'set-plan', '--space', spaceId, '--plan', name)).out
  expect(await plan('trial')).toMatch(
    /^The Space Demo has the plan trial until 20\d\d-\S+Z, and then free\.$/,
  )
  expect(await plan('pro')).toBe('The Space Demo has the plan pro.')
})

it('complains in one sentence, does nothing, and ends with 1', async () => {
  const { spaceId } = await json('space', 'create', '--name', 'Demo', '--plan', 'pro')
  writeFileSync(join(folder, 'profile'), '{"mode":"sometimes"}')
  writeFileSync(join(folder, 'reversed'), '{"mode":"reject","reactMinMs":9000,"reactMaxMs":8000}')
  const complaints: [string, string[]][] = [
    ['ISO 3166', ['space', 'create', '--name', 'x', '--plan', 'pro', '--country', 'XX']],
    ['IANA', ['space', 'create', '--name', 'x', '--plan', 'pro', '--timezone', 'Mars/Base']],
    ['at most 120', ['space', 'create', '--name', 'x'.repeat(121), '--plan', 'pro']],
    ['or --nobody alone', ['space', 'contact', '--space', spaceId, '--name', 'Desk']],
    [
      '--phone must be like "+40 21 555 0100"',
      ['space', 'contact', '--space', spaceId, '--name', 'Desk', '--phone', 'ext. 7'],
    ],
    ['no Space', ['space', 'contact', '--space', 'space_x', '--name', 'Desk', '--phone', '112']],
    ['no Space', ['key', 'create', '--space', 'space_x', '--name', 'x', '--scopes', 'all']],
    [
      'does not know "gates:all"',
      ['key', 'create', '--space', spaceId, '--name', 'x', '--scopes', 'gates:all'],
    ],
    [
      'in the future',
      ['key', 'create', '--space', spaceId, '--name', 'x', '--scopes', 'all', '--expires', '2020-01-01'],
    ],
    [
      'must be like',
      ['key', 'create', '--space', spaceId, '--name', 'x', '--scopes', 'all', '--expires', '2027-02-30'],
    ],
    ['no key', ['key', 'revoke', '--key', 'key_x']],
    ['keygen', ['gateway', 'add', '--space', spaceId, '--name', 'x', '--public-key', 'short']],
    ['mode must be one of', ['gate', 'profile', '--gate', 'gate_x', '--file', join(folder, 'profile')]],
    [
      'reactMinMs must be at most',
      ['gate', 'profile', '--gate', 'gate_x', '--file', join(folder, 'reversed')],
    ],
    ['ENOENT', ['gate', 'profile', '--gate', 'gate_x', '--file', join(folder, 'nothing')]],
  ]
  for (const [complaint, args] of complaints) {
    const { code, err, out } = await callgate(...args)
    expect([code, out], args.join(' ')).toEqual([1, ''])
    expect(err).toContain(complaint)
  }
  expect((await json('space', 'list')).spaces).toHaveLength(1)
  expect((await json('key', 'list')).apiKeys).toEqual([])
})
