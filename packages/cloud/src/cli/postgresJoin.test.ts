// Another machine joins a cloud on Postgres: by a file of its settings and keys, sealed by a passphrase.

import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Aedes } from 'aedes'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { emptyPostgres } from '../database/postgres.kit.ts'
import { runCommand } from './terminal.kit.ts'

const password = 'of-the-br0ker'
let folder = ''
const ends: (() => unknown)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-join-'))
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  rmSync(folder, { recursive: true })
})

/** A broker on this machine. */
async function broker(): Promise<string> {
  const aedes = await Aedes.createBroker()
  aedes.authenticate = (_client, _user, given, done) => done(null, String(given) === password)
  const server = createServer(socket => {
    socket.on('error', () => {})
    aedes.handle(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => {
    server.close()
    await new Promise<void>(resolve => aedes.close(() => resolve()))
  })
  return `mqtt://callgate:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The commands of one machine. */
function machine(name: string) {
  const at = (path: string) => join(folder, name, path)
  const environment = { CALLGATE_DATA: at('data'), CALLGATE_SETTINGS: at('etc/cloud.env') }
  return {
    at,
    /** As main.ts runs it, with the variables of the settings. */
    run(args: readonly string[], answers: readonly string[] = []) {
      const text = existsSync(at('etc/cloud.env')) ? readFileSync(at('etc/cloud.env'), 'utf8') : ''
      const lines = text.split('\n').filter(line => line !== '')
      const settings = Object.fromEntries(lines.map(line => line.split(/=(.*)/s).slice(0, 2)))
      return runCommand({ ...environment, ...settings }, args, undefined, undefined, answers)
    },
  }
}

async function firstMachine() {
  const first = machine('first')
  const settings = join(folder, 'settings.env')
  writeFileSync(
    settings,
    `DATABASE_URL=${await emptyPostgres()}\nMQTT_URL=${await broker()}\nLOG_LEVEL=warn\n`,
  )
  const owner = ['--space', 'Lake view', '--owner-email', 'olga@example.com', '--owner-name', 'Olga']
  const args = ['--address', 'localhost', '--mail', 'none', '--settings', settings, ...owner]
  expect((await first.run(['setup', ...args])).out).toContain('https://localhost/invitation#')
  const file = join(folder, 'join.callgate')
  const shared = await first.run(['share', file, '--json'])
  expect(shared).toMatchObject({ code: 0, err: '' })
  return { first, file, passphrase: String(JSON.parse(shared.out).passphrase) }
}

it('takes settings and keys over, tries them, and makes no owner', async () => {
  const { file, first, passphrase } = await firstMachine()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toContain(password)
  const second = machine('second')
  const { err, out } = await second.run(['setup', '--join', file, '--proxy', '192.0.2.7'], [passphrase])
  expect(err).toMatch(/ok +database.*ok +broker.*ok +signing key/s)
  expect(out).toContain('This machine serves https://localhost as well')
  for (const name of ['signing-key', 'sealing-keys']) {
    expect(readFileSync(second.at(`data/${name}`), 'utf8')).toBe(
      readFileSync(first.at(`data/${name}`), 'utf8'),
    )
    expect(statSync(second.at(`data/${name}`)).mode & 0o777).toBe(0o600)
  }
  const settings = readFileSync(second.at('etc/cloud.env'), 'utf8')
  expect(settings).toContain(`MQTT_URL=mqtt://callgate:${password}@127.0.0.1`)
  expect(settings).toMatch(/^TRUST_PROXY=192.0.2.7\nHOST=0.0.0.0$/m)
  expect((await second.run(['space', 'list'])).out).toContain('Lake view')
  expect((await first.run(['share', file])).err).toContain('is there already')
})

it('refuses a wrong passphrase, keys that are in the way, and a cloud that is there', async () => {
  const { file, first, passphrase } = await firstMachine()
  const second = machine('second')
  const join = (answer: string) => second.run(['setup', '--join', file], [answer])
  expect(await join('abcd-efgh')).toMatchObject({ code: 1, err: expect.stringContaining('does not open') })
  expect(await second.run(['setup', '--join', file])).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no answer to: Passphrase'),
  })
  expect(existsSync(second.at('etc/cloud.env'))).toBe(false)
  expect((await first.run(['setup', '--join', file], [passphrase])).err).toContain('this machine has a cloud')
  const other = machine('other')
  await other.run(['space', 'create', '--name', 'A', '--plan', 'pro'])
  await other.run(['gateway', 'add', '--name', 'A'])
  const refused = await other.run(['setup', '--join', file], [passphrase])
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('holds another key') })
  expect(existsSync(other.at('etc/cloud.env'))).toBe(false)
})
