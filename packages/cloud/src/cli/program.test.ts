import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scopeNames } from '@callgate/contract/rest/scope'
import { signingKey } from '@callgate/contract/wire/signature'
import { type DownKind, topicOf, type UpKind } from '@callgate/contract/wire/topics'
import { fullVersion } from '@callgate/world/version'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isApiKey } from '../space/apiKeys.ts'
import { runCommand } from './terminal.kit.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-operator-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Called once when a command complains. */
let atComplaint = () => {}

async function callgate(...args: string[]): Promise<{ out: string; err: string; code: number }> {
  return runCommand({ CALLGATE_DATA: folder }, args, () => atComplaint())
}

const json = async (...args: string[]) => JSON.parse((await callgate(...args, '--json')).out)

it('waits with a message while another program writes to the database, and continues after it', async () => {
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

it('uses the only Space where none is named, and asks for one where there are several', async () => {
  const commands = [
    ['key', 'create', '--name', 'Desk', '--scopes', 'gates:read'],
    ['gateway', 'add', '--name', 'Pi', '--public-key', signingKey(new Uint8Array(32).fill(1)).publicKey],
    ['user', 'create', '--email', 'olga@example.com', '--name', 'Olga', '--generate-password'],
    ['user', 'set-role', '--email', 'olga@example.com', '--role', 'owner'],
    ['space', 'set-plan', '--plan', 'business'],
    ['space', 'countries'],
    ['space', 'limits'],
    ['space', 'contact', '--nobody'],
  ]
  for (const code of [0, 1]) {
    await callgate('space', 'create', '--name', 'Demo', '--plan', 'pro')
    for (const command of commands) {
      const said = await callgate(...command)
      expect(said, command.join(' ')).toMatchObject({ code })
      if (code === 1) expect(said.err).toContain('There are 2 Spaces: say which one with --space')
    }
  }
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
  // The embedded broker knows it already.
  expect(gateway.broker).toBeUndefined()
  const again = ['gateway', 'add', '--space', spaceId, '--name', 'Pi 2', '--public-key', publicKey]
  expect(await callgate(...again)).toEqual({
    out: '',
    err: `The gateway Pi (${gateway.gatewayId}) of ${spaceId} has this public key already. Give each gateway a key of its own: "gateway keygen" makes one.`,
    code: 1,
  })
  await callgate('gateway', 'revoke', '--gateway', gateway.gatewayId)
  expect((await callgate(...again)).err).toContain('and is revoked. Its key may be in other hands')
  expect((await json('gateway', 'list')).gateways).toHaveLength(1)
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

const brokersPage = new URL('../../docs/brokers.md', import.meta.url)

it('prints the accounts for a broker of the operator, as the page has them, and none of its own', async () => {
  const environment = {
    CALLGATE_DATA: folder,
    MQTT_URL: 'mqtts://cloud-user:hunter2@broker.example:8883/?password=hunter2',
  }
  const given = (...args: string[]) => runCommand(environment, args)
  const { spaceId } = JSON.parse(
    (await given('space', 'create', '--name', 'A', '--plan', 'pro', '--json')).out,
  )
  const add = (byte: number, ...more: string[]) => {
    const { publicKey } = signingKey(new Uint8Array(32).fill(byte))
    return given('gateway', 'add', '--space', spaceId, '--name', 'Pi', '--public-key', publicKey, ...more)
  }
  const { out } = await add(1)
  expect(out).toMatch(/^ {2}mqttUrl {7}mqtts:\/\/broker\.example:8883$/m)
  expect(out).not.toMatch(/hunter2|cloud-user/)
  const [gatewayId = ''] = /gw_\w{26}/.exec(out) ?? []
  const told = out.slice(out.indexOf('Tell your broker')).trimEnd().replaceAll(gatewayId, 'GATEWAY')
  expect(readFileSync(brokersPage, 'utf8')).toContain(told)

  const json = (await add(2, '--json')).out
  expect(json).not.toMatch(/hunter2|cloud-user/)
  const { broker, ...second } = JSON.parse(json)
  const topics = (id: string, ...kinds: (UpKind | DownKind)[]) => kinds.map(kind => topicOf(id, kind))
  const { gatewayId: id } = second
  expect(broker).toEqual({
    gateway: {
      clientId: id,
      publishes: topics(id, 'claim', 'report', 'beat', 'told'),
      subscribes: topics(id, 'hint', 'grant', 'ack', 'task'),
    },
    cloud: {
      clientId: 'cloud',
      publishes: topics('+', 'hint', 'grant', 'ack', 'task'),
      subscribes: topics('+', 'claim', 'report', 'beat', 'told'),
    },
  })
})

describe('the command line', () => {
  it('prints its version', async () => {
    expect(await callgate('--version')).toEqual({ out: fullVersion, err: '', code: 0 })
  })

  it.each([
    ['gatewy add --space x', 'gatewy', /Did you mean gateway\?/],
    ['gatewy --help', 'gatewy', /Did you mean gateway\?/],
    ['help gatewy', 'gatewy', /Did you mean gateway\?/],
    [
      'press gate',
      'press',
      /The commands are serve, doctor, status, alerts, migrate, space, plan, key, user, gateway, broker, gate, member, access, opening, activity, mail,/,
    ],
    ['gateway lst -h', 'lst', /Did you mean list\?/],
    [
      'gate open',
      'open',
      /The commands are list, show, add, update, deactivate, reactivate, gateways, calibrate, setup-sms, profile, refused\./,
    ],
  ])('says that a command does not exist, and suggests a similar one: %s', async (args, word, near) => {
    const { code, err, out } = await callgate(...args.split(' '))
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(`unknown command '${word}'`)
    expect(err).toMatch(near)
  })

  it.each([
    ['--help', 'Usage: callgate [options] [command]'],
    ['gateway --help', 'Usage: callgate gateway [options] [command]'],
    ['help gateway', 'Usage: callgate gateway [options] [command]'],
    ['gateway add --help', 'Usage: callgate gateway add [options]'],
    ['backup --help', 'Usage: callgate backup [options] <folder>'],
  ])('prints help: %s', async (args, usage) => {
    const { code, err, out } = await callgate(...args.split(' '))
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(usage)
  })

  it('says which option is missing, and ends with 1', async () => {
    const { code, err } = await callgate('space', 'create', '--name', 'A')
    expect([code, err]).toEqual([1, expect.stringContaining("required option '--plan <plan>' not specified")])
  })
})
