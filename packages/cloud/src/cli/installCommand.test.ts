// `callgate setup`, by options and by answers: what it tries, what it refuses, what it writes.

import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { renewed, selfSigned } from '@callgate/mqtt/certificate.kit'
import { Aedes } from 'aedes'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { knownSchema } from '../database/migrations/schemaState.ts'
import { fillFolder } from '../database/tables.kit.ts'
import { findInvitation } from '../user/invitations.ts'
import { runCommand } from './terminal.kit.ts'

const right = 'r1ght-w0rd'
const wrong = 'wr0ng-w0rd'
let folder = ''
const ends: (() => unknown)[] = []
let owner: readonly string[] = []
let whole: readonly string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-setup-'))
  // Nothing listens on the lowest port.
  writeFileSync(join(folder, 'more.env'), 'LOG_LEVEL=warn\nMQTT_PORT=1\n')
  owner = ['--space', 'Lake view', '--owner-email', 'olga@example.com', '--owner-name', 'Olga Marin']
  whole = ['--address', 'localhost', ...plain, ...owner, '--settings', join(folder, 'more.env')]
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  rmSync(folder, { recursive: true })
})

const settings = () => join(folder, 'etc/cloud.env')
const data = () => join(folder, 'data')
const written = () => readFileSync(settings(), 'utf8')
const setup = (args: readonly string[], answers: readonly string[] = []) =>
  runCommand(
    { CALLGATE_DATA: data(), CALLGATE_SETTINGS: settings(), NODE_ENV: 'production' },
    ['setup', ...args],
    undefined,
    undefined,
    answers,
  )

const plain = ['--database', 'sqlite', '--broker', 'embedded', '--certificate', 'none', '--mail', 'none']

/** A mail server that asks for a login. */
async function mailServer() {
  const server = new SMTPServer({
    disableReverseLookup: true,
    authMethods: ['PLAIN'],
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, done) =>
      done(password === right ? null : new Error('no'), { user: 'gates' }),
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  ends.push(() => new Promise<void>(resolve => server.close(() => resolve())))
  return (server.server.address() as AddressInfo).port
}

/** A broker with TLS that knows one password. */
async function broker() {
  const aedes = await Aedes.createBroker()
  aedes.authenticate = (_client, _user, password, done) => done(null, String(password) === right)
  const sockets = new Set<Socket>()
  const server = createServer(selfSigned, socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    aedes.handle(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    await new Promise<void>(resolve => aedes.close(() => resolve()))
  })
  return (server.address() as AddressInfo).port
}

/** The row of the invitation in the address that the command has printed. */
async function invited(out: string) {
  const [, token = ''] = /https:\/\/localhost\/invitation#([\w-]{43})/.exec(out) ?? []
  const database = await openDatabase({ url: join(data(), 'callgate.sqlite') })
  const row = await findInvitation(database.knex, token, Date.now())
  await database.close()
  return row
}

it('takes everything from options, and ends with an address that admits the owner', async () => {
  const { err, out } = await setup(whole)
  expect(await invited(out)).toMatchObject({ email: 'olga@example.com', name: 'Olga Marin', role: 'owner' })
  expect(written()).toMatch(/^METRICS_PORT=\d+\nTRUST_PROXY=loopback\n/m)
  expect(written()).toContain('APP_URL=https://localhost\n')
  expect(written()).toContain('ALLOW_MAIL_FILES=yes\n')
  expect(statSync(settings()).mode & 0o007).toBe(0)
  // Without a unit, nothing is started.
  expect(err).toContain('There is no systemd here, so nothing was started')
  expect(readdirSync(data()).filter(name => name.startsWith('.setup'))).toEqual([])
})

it('asks for what no option says, says at once what is wrong, and asks again', async () => {
  const [mailPort, brokerPort] = [await mailServer(), await broker()]
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, selfSigned.cert)
  const { err, out } = await setup(
    [],
    [
      ...['nowhere.invalid', 'http://localhost', 'localhost'],
      ...['mysql', 'postgres://callgate@127.0.0.1:1/callgate', right, ''],
      ...['http://localhost', `mqtts://callgate@localhost:${brokerPort}`, wrong, 'none', caFile],
      ...[`mqtts://callgate@localhost:${brokerPort}`, right, 'none', join(folder, 'none.pem')],
      ...[`mqtts://callgate@localhost:${brokerPort}`, right, 'none', caFile],
      ...['smtp://nowhere.invalid', '', ''],
      ...[`smtp://127.0.0.1:${mailPort}`, 'gates@example.com', wrong, ''],
      ...[`smtp://127.0.0.1:${mailPort}`, 'gates@example.com', right, 'Lake view <gates@example.com>'],
      ...['', 'Lake view', 'nobody', 'olga@example.com', 'Olga Marin'],
    ],
  )
  for (const said of [
    'nowhere.invalid leads nowhere',
    'The address is a name, such as gates.example.com.',
    'The database is sqlite, or begins with postgres://.',
    /WRONG +database/,
    'The broker is embedded, or begins with mqtts://.',
    `localhost:${brokerPort} answers, and refuses the login`,
    `${join(folder, 'none.pem')} cannot be read (ENOENT).`,
    `localhost:${brokerPort} lets the cloud in`,
    /WRONG +mail +nowhere.invalid/,
    'the server refused the login',
    'That is no e-mail address.',
  ])
    expect(err).toMatch(typeof said === 'string' ? new RegExp(said.replace(/[.()]/g, '\\$&')) : said)
  expect(err + out).not.toMatch(/r1ght-w0rd|wr0ng-w0rd/)
  expect(await invited(out)).toMatchObject({ email: 'olga@example.com' })
  expect(written()).toContain(`MQTT_URL=mqtts://callgate:${right}@localhost:${brokerPort}\n`)
  expect(written()).toContain(`SMTP_URL=smtp://gates%40example.com:${right}@127.0.0.1:${mailPort}\n`)
  expect(written()).toContain('MAIL_FROM="Lake view <gates@example.com>"\n')
  expect(written()).toContain(`MQTT_CA=${join(folder, 'etc/cloud/authority.pem')}\n`)
  expect(readFileSync(join(folder, 'etc/cloud/authority.pem'), 'utf8')).toBe(selfSigned.cert)
}, 60_000)

it.each([
  ['--address', 'nowhere.invalid', /leads nowhere.*Nothing was changed/s],
  ['--database', 'postgres://callgate:s3cret@db.example.com/callgate', /others on this machine can read/],
  ['--database', 'postgres://127.0.0.1:1/callgate', /WRONG +database.*Nothing was changed/s],
  ['--broker', 'mqtts://127.0.0.1:1', /MQTT_URL has no user and password.*Nothing was changed/s],
  ['--mail', 'smtp://127.0.0.1:1', /WRONG +mail.*Nothing was changed/s],
  ['--certificate', '/none.pem', /cannot be read.*Nothing was changed/s],
  ['--owner-email', 'nobody', /That is no e-mail address.*Nothing was changed/s],
  ['--country', 'XX', /--country must be a code/],
  ['--join', '/none', /\/none cannot be read/],
])('changes nothing where %s is %s', async (option, value, why) => {
  const place = whole.indexOf(option)
  const args = place < 0 ? [...whole, option, value] : whole.with(place + 1, value)
  const { code, err, out } = await setup(args)
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(why)
  expect([existsSync(settings()), existsSync(join(data(), 'callgate.sqlite'))]).toEqual([false, false])
})

it('ends where the answers end, and names the option', async () => {
  const { code, err } = await setup(['--address', 'localhost'])
  expect([code, existsSync(settings())]).toEqual([1, false])
  expect(err).toContain('There is no answer to: Database')
  expect(err).toContain('Give it, or --database.')
})

it('copies the certificate of the embedded broker, once it is for the public name', async () => {
  const [cert, key] = ['given.crt', 'given.key'].map(name => join(folder, name)) as [string, string]
  writeFileSync(cert, selfSigned.cert)
  writeFileSync(key, renewed.key)
  const args = whole.with(whole.indexOf('none'), cert)
  expect((await setup(args)).err).toContain('does not belong to the first certificate')
  writeFileSync(key, selfSigned.key)
  expect((await setup(args.with(1, '127.0.0.1'))).err).toContain('The certificate is not for 127.0.0.1')
  expect(existsSync(settings())).toBe(false)
  await setup(args)
  const kept = join(folder, 'etc/cloud')
  expect(readdirSync(kept).sort()).toEqual(['certificate-from', 'fullchain.pem', 'privkey.pem'])
  expect(readFileSync(join(kept, 'certificate-from'), 'utf8')).toBe(`${cert}\n${key}\n`)
  expect(written()).toContain(`MQTT_TLS_KEY=${join(kept, 'privkey.pem')}\n`)
  expect(written()).toContain('LOG_LEVEL=warn\nMQTT_PORT=1\n')
})

describe('a second time', () => {
  it('keeps what is answered with nothing, and makes no second Space', async () => {
    await setup(whole)
    writeFileSync(settings(), `# Ours\n${written()}`)
    const before = written()
    const { code, out } = await setup([], ['', '', 'embedded', '', ''])
    expect([code, written()]).toEqual([0, before])
    expect(out).toContain('Open this address:\n\n  https://localhost')
  })

  it('leaves no data behind in the former database', async () => {
    await setup(whole)
    const before = written()
    const other = join(folder, 'other.env')
    writeFileSync(other, `DATABASE_URL=${join(folder, 'other.sqlite')}\n`)
    const { code, err } = await setup(['--settings', other])
    expect([code, written()]).toEqual([1, before])
    expect(err).toContain(`is in ${join(data(), 'callgate.sqlite')}, and the other database has none`)
    expect(existsSync(join(folder, 'other.sqlite'))).toBe(false)
  })

  it('turns to no empty database while the data cannot be read', async () => {
    await setup(whole)
    const other = join(folder, 'other.env')
    writeFileSync(other, `DATABASE_URL=${join(folder, 'other.sqlite')}\n`)
    writeFileSync(join(data(), 'callgate.sqlite'), 'damaged'.repeat(1_000))
    const before = written()
    const { code, err } = await setup(['--settings', other])
    expect([code, written()]).toEqual([1, before])
    expect(err).toContain(`is in ${join(data(), 'callgate.sqlite')}, which cannot be read`)
    // There is no data any more.
    rmSync(data(), { recursive: true })
    expect((await setup([...owner, '--settings', other])).err).not.toContain('cannot be read')
  })

  it('takes another certificate, and another proxy', async () => {
    await setup(whole)
    const [cert, key] = ['given.crt', 'given.key'].map(name => join(folder, name)) as [string, string]
    writeFileSync(cert, selfSigned.cert)
    writeFileSync(key, selfSigned.key)
    await setup(['--broker', 'embedded', '--certificate', cert])
    writeFileSync(cert, renewed.cert)
    writeFileSync(key, renewed.key)
    await setup(['--broker', 'embedded', '--certificate', cert, '--proxy', '192.0.2.7'])
    expect(readFileSync(join(folder, 'etc/cloud/fullchain.pem'), 'utf8')).toBe(renewed.cert)
    expect(written()).toMatch(/^TRUST_PROXY=192.0.2.7$.*^HOST=0.0.0.0$/ms)
    await setup(['--proxy', 'loopback'])
    expect(written()).toMatch(/^TRUST_PROXY=loopback$.*^HOST=127.0.0.1$/ms)
  })

  it('changes one answer, and leaves the others', async () => {
    await setup(whole)
    const port = await mailServer()
    const given = join(folder, 'mail.env')
    writeFileSync(given, `SMTP_URL=smtp://gates:${right}@127.0.0.1:${port}\nMAIL_FROM=gates@example.com\n`)
    expect((await setup(['--settings', given])).err).toMatch(/^ok +mail [^→]*login\.unknown +cloud /)
    expect(written()).toContain('MAIL_FROM=gates@example.com\n')
    expect(written()).not.toContain('ALLOW_MAIL_FILES')
    expect(written()).toContain('APP_URL=https://localhost\n')
    writeFileSync(given, 'SMPT_URL=smtp://127.0.0.1\n')
    expect((await setup(['--settings', given])).err).toContain('SMPT_URL is no variable of the cloud')
  })
})

it('belongs to the package, and another cloud joins only where several can serve', async () => {
  const environment = { CALLGATE_DATA: data() }
  expect((await runCommand(environment, ['setup'])).err).toContain('belongs to the package callgate-cloud')
  const shared = await runCommand(environment, ['share', join(folder, 'file')])
  expect(shared).toMatchObject({ code: 1, err: expect.stringContaining('Several clouds share a Postgres') })
})

it('says which older program can work with the data', async () => {
  await fillFolder(folder)
  const ask = (migration: string) => runCommand({ CALLGATE_DATA: folder }, ['readable-by', migration])
  expect(await ask(knownSchema)).toMatchObject({ code: 0, err: '' })
  expect(await ask('0050-none')).toMatchObject({ code: 0 })
  expect(await ask('0010-users')).toMatchObject({ code: 3, out: expect.stringContaining('too old') })
  expect((await runCommand({ CALLGATE_DATA: data() }, ['readable-by', knownSchema])).code).toBe(1)
})
