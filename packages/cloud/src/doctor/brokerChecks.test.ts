// The doctor at an operator's broker with TLS: a real broker, and every possible fault on the way to it.

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createPlainServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { expired, renewed, selfSigned } from '@callgate/mqtt/certificate.kit'
import { Aedes } from 'aedes'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCommand } from '../cli/terminal.kit.ts'
import type { Check } from './check.ts'

const right = 'r1ght-w0rd'
let folder = ''
let broker: Aedes
const ends: (() => unknown)[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-doctor-'))
  broker = await Aedes.createBroker()
})
afterEach(async () => {
  for (const end of ends.splice(0)) end()
  await new Promise<void>(resolve => broker.close(() => resolve()))
  rmSync(folder, { recursive: true })
})

interface Behaviour {
  readonly cert?: typeof selfSigned
  /** The retained text on the topic of its version. */
  readonly version?: string
  /** It refuses a connection with a longer keep-alive, seconds. */
  readonly maxKeepalive?: number
  /** It has no dynamic security that answers. */
  readonly isWithoutPlugin?: boolean
}

/** A broker with TLS and the accounts `callgate` and `callgate-admin`. Resolves with its port. */
async function serve({ cert = selfSigned, isWithoutPlugin, maxKeepalive, version }: Behaviour = {}) {
  broker.preConnect = (_client, { keepalive }, done) =>
    done(null, maxKeepalive === undefined || (keepalive ?? 0) <= maxKeepalive)
  broker.authenticate = (_client, _user, password, done) => done(null, String(password) === right)
  broker.authorizeSubscribe = (_client, subscription, done) =>
    done(null, isWithoutPlugin && subscription.topic.startsWith('$CONTROL') ? null : subscription)
  const kept = { cmd: 'publish', qos: 0, dup: false, retain: true, topic: '$SYS/broker/version' } as const
  if (version !== undefined)
    await new Promise(resolve => broker.publish({ ...kept, payload: version }, resolve))
  const sockets = new Set<Socket>()
  const server = createServer(cert, socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    broker.handle(socket)
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

interface BrokerSetup {
  readonly port: number
  readonly host?: string
  readonly ca?: string
  readonly word?: string
  readonly adminWord?: string
}

/** The doctor's checks of the broker, and of the accounts there. */
async function examined({
  adminWord = right,
  ca = selfSigned.cert,
  host = 'localhost',
  port,
  word = right,
}: BrokerSetup) {
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, ca)
  const { err, out } = await runCommand(
    {
      CALLGATE_DATA: join(folder, 'data'),
      PORT: '1',
      MQTT_CA: caFile,
      MQTT_URL: `mqtts://callgate:${word}@${host}:${port}`,
      MQTT_ADMIN_URL: `mqtts://callgate-admin:${adminWord}@${host}:${port}`,
    },
    ['doctor', '--json'],
  )
  expect(err + out).not.toMatch(/r1ght-w0rd|wr0ng-w0rd/)
  const { checks } = JSON.parse(out) as { readonly checks: readonly Check[] }
  const of = (name: string) => checks.find(check => check.name === name)
  return { broker: of('broker'), accounts: of('broker accounts') }
}

const found = (state: string, says: RegExp, advice: RegExp) => ({
  state,
  says: expect.stringMatching(says),
  advice: expect.stringMatching(advice),
})

it('accepts a broker with TLS and a Mosquitto that is new enough', async () => {
  const port = await serve({ version: 'mosquitto version 2.0.22' })
  const seen = await examined({ port })
  expect(seen.broker).toMatchObject({ state: 'ok', says: `localhost:${port} lets the cloud in` })
  expect(seen.accounts).toMatchObject({ state: 'ok', says: expect.stringContaining('Mosquitto 2.0.22') })
})

it('warns of an old Mosquitto that publishes its version', async () => {
  const { accounts } = await examined({ port: await serve({ version: 'mosquitto version 2.0.11' }) })
  expect(accounts).toMatchObject(
    found('warning', /Mosquitto 2\.0\.11, older than 2\.0\.22/, /^Update Mosquitto/),
  )
})

it('warns of a Mosquitto that does not publish it and lets a connection be silent for long', async () => {
  const { accounts } = await examined({ port: await serve() })
  expect(accounts).toMatchObject(
    found('warning', /600 s: it is older than Mosquitto 2\.0\.12/, /max_keepalive 120/),
  )
})

it('notes that a broker does not publish its version, which is no fault', async () => {
  const { accounts } = await examined({ port: await serve({ maxKeepalive: 120 }) })
  expect(accounts).toMatchObject({ state: 'ok', says: expect.stringContaining('does not tell its version') })
})

it.each([
  ['of another authority', { ca: renewed.cert }, /not of an authority that is trusted/, /MQTT_CA/],
  ['for another host', { host: '127.0.0.1' }, /is for another host/, /Write the host into MQTT_/],
])('says that the certificate is %s', async (_what, given, says, advice) => {
  const seen = await examined({ port: await serve(), ...given })
  expect(seen).toMatchObject({ broker: found('wrong', says, advice), accounts: found('wrong', says, advice) })
})

it('says that the certificate has expired', async () => {
  const seen = await examined({ port: await serve({ cert: expired }), ca: expired.cert })
  const whole = found('wrong', /is not valid today/, /Renew it at the broker, and check the clocks/)
  expect(seen).toMatchObject({ broker: whole, accounts: whole })
})

it('says which of the two logins is refused', async () => {
  const port = await serve({ maxKeepalive: 120 })
  const refused = /answers, and refuses the login/
  expect(await examined({ port, word: 'wr0ng-w0rd' })).toMatchObject({
    broker: found('wrong', refused, /password in MQTT_URL/),
    accounts: { state: 'ok' },
  })
  expect(await examined({ port, adminWord: 'wr0ng-w0rd' })).toMatchObject({
    broker: { state: 'ok' },
    accounts: found('wrong', refused, /password in MQTT_ADMIN_URL/),
  })
})

it('says that the account may not use the dynamic security', async () => {
  const { accounts } = await examined({ port: await serve({ isWithoutPlugin: true }) })
  expect(accounts).toMatchObject(found('wrong', /does not let it read the answers/, /Load the plugin/))
})

it('says that nothing listens there, that it does not speak TLS, or that it is silent', async () => {
  const gone = await examined({ port: 1 })
  expect(gone.broker).toMatchObject(
    found('wrong', /localhost:1 cannot be reached/, /the host and the port in MQTT_URL/),
  )
  const plain = createPlainServer(socket => socket.end('no TLS here'))
  plain.listen(0, '127.0.0.1')
  await once(plain, 'listening')
  ends.push(() => plain.close())
  const seen = await examined({ port: (plain.address() as AddressInfo).port })
  expect(seen.accounts).toMatchObject(
    found('wrong', /cannot be reached/, /the host and the port in MQTT_ADMIN_URL/),
  )
  const silent = createPlainServer(() => {})
  const sockets: Socket[] = []
  silent.on('connection', socket => sockets.push(socket))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  ends.push(() => {
    silent.close()
    for (const socket of sockets) socket.destroy()
  })
  const mute = await examined({ port: (silent.address() as AddressInfo).port })
  expect(mute.broker).toMatchObject(found('wrong', /has not answered within 8 s/, /the way to the broker/))
})
