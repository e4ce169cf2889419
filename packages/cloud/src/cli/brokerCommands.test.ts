// `callgate broker setup`: creates accounts with new passwords, and replaces no existing file.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCommand } from './terminal.kit.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-broker-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const setup = (args: readonly string[], environment: Record<string, string> = {}) =>
  runCommand({ CALLGATE_DATA: join(folder, 'data'), ...environment }, ['broker', 'setup', ...args])
const contentOf = (file: string) => readFileSync(join(folder, 'broker', file), 'utf8')
const accountsOf = () => JSON.parse(contentOf('dynamic-security.json'))

it('writes two accounts with passwords of their own, which only the files contain', async () => {
  const to = join(folder, 'broker')
  const ran = await setup(['--host', 'broker.example.com:8884', '--to', to])
  expect(ran.code).toBe(0)
  const [cloud = '', admin = ''] = [
    ...contentOf('cloud.env').matchAll(/:([\w-]{43})@broker\.example\.com:8884$/gm),
  ].map(([, password]) => password)
  expect([cloud.length, admin.length, cloud === admin]).toEqual([43, 43, false])
  expect(ran.out + contentOf('dynamic-security.json')).not.toMatch(new RegExp(`${cloud}|${admin}`))
  const { clients, defaultACLAccess, roles } = accountsOf()
  expect(clients.map(({ username }: { username: string }) => username)).toEqual([
    'callgate-admin',
    'callgate',
  ])
  expect(Object.values(defaultACLAccess)).toEqual([false, false, false, false])
  const topics = roles[0].acls.map(({ topic }: { topic: string }) => topic)
  expect(new Set(topics.map((topic: string) => topic.replace('/response', '')))).toEqual(
    new Set(['$CONTROL/dynamic-security/v1', '$SYS/broker/version']),
  )
  for (const file of readdirSync(to)) expect(statSync(join(to, file)).mode & 0o777).toBe(0o600)
  const again = await setup(['--host', 'broker.example.com', '--to', to])
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('is there already, and is kept')])
})

it('writes the accounts of the configuration, for a broker that has lost them', async () => {
  const to = join(folder, 'broker')
  const ran = await setup(['--to', to], {
    MQTT_URL: 'mqtts://our-cloud:p%40ss@broker',
    MQTT_ADMIN_URL: 'mqtts://our-admin:w%40rd@broker',
  })
  expect([ran.code, readdirSync(to)]).toEqual([0, ['dynamic-security.json']])
  const names = accountsOf().clients.map(({ username }: { username: string }) => username)
  expect(names).toEqual(['our-admin', 'our-cloud'])
})

it.each([[], ['--host', 'mqtts://broker'], ['--host', 'me@broker'], ['--host', 'a b']])(
  'says what a host is: %j',
  async (...args: string[]) => {
    const ran = await setup([...args, '--to', join(folder, 'broker')])
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('--host must be the host of the broker')])
  },
)

it("says what to do where the broker's certificate authority is named before its address", async () => {
  const args = ['--host', 'broker', '--to', join(folder, 'broker')]
  const ran = await setup(args, { MQTT_CA: '/etc/callgate/authority.crt' })
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('leave MQTT_CA out until')])
})

it('says which folder cannot be written', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const ran = await setup(['--host', 'broker', '--to', join(file, 'broker')])
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('file/broker cannot be written (ENOTDIR)')])
})
