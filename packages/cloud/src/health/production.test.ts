import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../cli/terminal.kit.ts'
import { readConfig } from '../config.ts'
import { productionFaults } from './production.ts'

let dataFolder = ''
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'callgate-production-'))
})
afterEach(() => rmSync(dataFolder, { recursive: true }))

const random = 'pV3xQ9tLm2'
const safe = {
  APP_URL: 'https://gates.example.com',
  TRUST_PROXY: 'loopback',
  SMTP_URL: `smtps://gates:${random}@mail.example.com`,
  MAIL_FROM: 'gates@example.com',
}

async function faultsOf(changed: Record<string, string>): Promise<readonly string[]> {
  const read = readConfig({ ...safe, CALLGATE_DATA: dataFolder, ...changed })
  if (!read.ok) throw new Error(read.message)
  return productionFaults(read.config)
}

describe('production', () => {
  it('accepts a safe configuration', async () => {
    expect(await faultsOf({})).toEqual([])
    expect(await faultsOf({ MQTT_URL: `mqtts://cloud:${random}@broker.example.com` })).toEqual([])
    expect(await faultsOf({ MQTT_URL: `mqtt://cloud:${random}@127.0.0.1` })).toEqual([])
    expect(await faultsOf({ SMTP_URL: '', MAIL_FROM: '', ALLOW_MAIL_FILES: 'yes' })).toEqual([])
    expect(await faultsOf({ SMTP_URL: 'smtp://localhost:25' })).toEqual([])
  })

  it.each([
    ['APP_URL', { APP_URL: 'http://gates.example.com' }, 'https://'],
    ['APP_URL', { APP_URL: '' }, 'https://'],
    ['MQTT_URL', { MQTT_URL: 'mqtts://broker.example.com' }, 'lets anybody in'],
    ['MQTT_URL', { MQTT_URL: 'mqtts://cloud@broker.example.com' }, 'lets anybody in'],
    ['MQTT_URL', { MQTT_URL: 'mqtts://cloud:Change-Me@broker.example.com' }, 'everybody tries first'],
    ['MQTT_URL', { MQTT_URL: 'mqtts://cloud-cloud:cloud-cloud@broker.example.com' }, 'everybody tries first'],
    [
      'MQTT_URL',
      { MQTT_URL: `mqtt://cloud:${random}@broker.example.com`, ALLOW_PLAIN_MQTT: 'yes' },
      'begin it with mqtts://',
    ],
    [
      'MQTT_ADMIN_URL',
      {
        MQTT_URL: `mqtts://cloud:${random}@broker.example.com`,
        MQTT_ADMIN_URL: 'mqtts://admin:Change-Me@broker.example.com',
      },
      'everybody tries first',
    ],
    [
      'MQTT_ADMIN_URL',
      {
        MQTT_URL: `mqtts://cloud:${random}@broker.example.com`,
        MQTT_ADMIN_URL: `mqtt://admin:${random}@broker.example.com`,
        ALLOW_PLAIN_MQTT: 'yes',
      },
      'begin it with mqtts://',
    ],
    ['MQTT_HOST', { MQTT_HOST: '0.0.0.0', ALLOW_PLAIN_MQTT: 'yes' }, 'MQTT_TLS_CERT'],
    ['SMTP_URL', { SMTP_URL: '', MAIL_FROM: '' }, 'ALLOW_MAIL_FILES=yes'],
    ['SMTP_URL', { SMTP_URL: 'smtps://gates:password@mail.example.com' }, 'everybody tries first'],
    [
      'DATABASE_URL',
      { DATABASE_URL: 'postgres://callgate:postgres@db/callgate?sslmode=verify-full' },
      'everybody tries first',
    ],
  ])('refuses %s in %j', async (variable, changed, words) => {
    const faults = await faultsOf(changed)
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^${variable}\\b`))])
    expect(faults[0]).toContain(words)
    expect(faults[0]).not.toMatch(/Change-Me|cloud-cloud/)
  })

  it('accepts a connection to Postgres that stays on the machine, checks the server, or is declared as trusted', async () => {
    const to = (rest: string) => ({ DATABASE_URL: `postgres://callgate:${random}@${rest}` })
    for (const rest of [
      '127.0.0.1/callgate',
      '[::1]:5432/callgate',
      'localhost/callgate',
      '/callgate?host=/run/postgresql',
      '%2Frun%2Fpostgresql/callgate',
      'db.example.com/callgate?sslmode=verify-full&sslrootcert=/ca.pem',
    ])
      expect([rest, await faultsOf(to(rest))]).toEqual([rest, []])
    expect(await faultsOf({ ...to('db/callgate'), ALLOW_PLAIN_POSTGRES: 'yes' })).toEqual([])
    for (const rest of ['db/callgate', 'db/callgate?sslmode=no-verify', '127.0.0.1/callgate?host=db'])
      expect(await faultsOf(to(rest))).toEqual([
        expect.stringMatching(/^DATABASE_URL leaves .*sslmode=verify-full, or say ALLOW_PLAIN_POSTGRES=yes/),
      ])
  })

  it('checks a password that is not percent-encoded as it is', async () => {
    expect(
      await faultsOf({ DATABASE_URL: `postgres://callgate:100%${random}@db/callgate?sslmode=verify-full` }),
    ).toEqual([])
    expect(await faultsOf({ DATABASE_URL: 'postgres://callgate:%root@localhost/callgate' })).toEqual([
      expect.stringContaining('everybody tries first'),
    ])
  })

  it('refuses keys that everybody on the machine can read, and the data of a demo', async () => {
    for (const name of ['signing-key', 'key.pem', 'cert.pem']) writeFileSync(join(dataFolder, name), 'x')
    chmodSync(join(dataFolder, 'signing-key'), 0o644)
    chmodSync(join(dataFolder, 'key.pem'), 0o644)
    const tls = { MQTT_TLS_CERT: join(dataFolder, 'cert.pem'), MQTT_TLS_KEY: join(dataFolder, 'key.pem') }
    expect(await faultsOf(tls)).toEqual([
      `CALLGATE_DATA: everybody on this machine can read ${join(dataFolder, 'signing-key')}: chmod 600 ${join(dataFolder, 'signing-key')}`,
      `MQTT_TLS_KEY: everybody on this machine can read ${tls.MQTT_TLS_KEY}: chmod 600 ${tls.MQTT_TLS_KEY}`,
    ])
    chmodSync(join(dataFolder, 'signing-key'), 0o640)
    chmodSync(join(dataFolder, 'key.pem'), 0o600)
    expect(await faultsOf(tls)).toEqual([])
    writeFileSync(join(dataFolder, 'demo.json'), '{}')
    expect(await faultsOf(tls)).toEqual([expect.stringMatching(/^CALLGATE_DATA is the data of a demo/)])
  })
})

it('does not start, says each reason in one line, and does not touch the data', async () => {
  const environment = {
    NODE_ENV: 'production',
    CALLGATE_DATA: join(dataFolder, 'none'),
    MQTT_URL: 'mqtts://broker',
  }
  const { code, err, out } = await runCommand(environment, ['serve'])
  expect([code, out]).toEqual([1, ''])
  expect(err.match(/NODE_ENV=production: (APP_URL|MQTT_URL|SMTP_URL) /g)).toHaveLength(3)
  await expect(async () => rmSync(environment.CALLGATE_DATA, { recursive: true })).rejects.toThrow('ENOENT')
})
