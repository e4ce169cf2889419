import { expect, it } from 'vitest'
import { mqttUrlOf, readConfig } from './config.ts'
import { environmentHelp } from './configVariables.ts'

const read = (environment: Record<string, string>) => {
  const given = readConfig(environment)
  return given.ok ? given.config : given.message
}

it('has a default for everything', () => {
  const given = readConfig({ HOME: '/root', PORT: '' })
  if (!given.ok) throw new Error(given.message)
  expect(given.config).toMatchObject({
    port: 8080,
    appUrl: 'http://localhost:8080',
    mqttUrl: undefined,
    mqttPort: 1883,
  })
  expect(given.config.databaseUrl).toBe(`${given.config.dataFolder}/callgate.sqlite`)
  expect(mqttUrlOf(given.config)).toBe('mqtt://localhost:1883')
})

it('uses the given values', () => {
  const config = read({
    PORT: '9000',
    APP_URL: 'https://gates.example/',
    MQTT_URL: 'mqtts://broker:8883',
    LOG_LEVEL: 'warn',
  })
  expect(config).toMatchObject({
    port: 9000,
    appUrl: 'https://gates.example',
    mqttUrl: 'mqtts://broker:8883',
    logLevel: 'warn',
  })
})

const MAIL_FROM = 'Gates <gates@example.com>'

it('reads the transport and the sender of mails', () => {
  expect(read({})).toMatchObject({ smtp: undefined, mailFrom: { address: 'callgate@localhost' } })
  expect(read({ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'gates@example.com' })).toMatchObject({
    smtp: { host: 'mail.example.com', port: 587, isTls: false, isLocal: false, login: undefined },
    mailFrom: { name: '', address: 'gates@example.com' },
  })
  const SMTP_URL = 'smtps://me%40example.com:p%2Fss%25@[::1]:2465/'
  expect(read({ SMTP_URL, MAIL_FROM: ' "Lake, view" <gates@example.com> ' })).toMatchObject({
    smtp: {
      host: '::1',
      port: 2465,
      isTls: true,
      isLocal: true,
      login: { user: 'me@example.com', password: 'p/ss%' },
    },
    mailFrom: { name: 'Lake, view', address: 'gates@example.com' },
  })
})

const broker = { MQTT_URL: 'mqtts://me:hunter2@broker' }

it.each([
  [{ PORT: 'eighty' }, 'PORT must be a whole number'],
  [{ PORT: '70000' }, 'PORT must be from 1 to 65535'],
  [{ MQTT_PORT: '0' }, 'MQTT_PORT must be from 1 to 65535'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of debug, info, warn, error, silent'],
  [{ APP_URL: 'gates.example' }, 'APP_URL must begin with http:// or https://'],
  [{ APP_URL: 'https://gates.example/base' }, 'APP_URL must end with the host or its port'],
  [{ APP_URL: 'https://gates.example//' }, 'APP_URL must end with the host or its port'],
  [{ APP_URL: 'https://gates.example/?a' }, 'APP_URL must end with the host or its port'],
  [{ APP_URL: 'https://me:hunter2@gates.example' }, 'APP_URL must end with the host or its port'],
  [{ MQTT_URL: 'http://user:hunter2@broker' }, 'MQTT_URL must begin with mqtt:// or mqtts://'],
  [{ MQTT_URL: 'mqtt://me:hunter2%@broker' }, 'MQTT_URL must hold its user and password percent-encoded'],
  // Without the slashes it is a URL without a host.
  [{ MQTT_ADMIN_URL: 'mqtts://a:hunter2@broker' }, 'MQTT_ADMIN_URL is for the broker in MQTT_URL: give both'],
  [{ ...broker, MQTT_ADMIN_URL: 'mqtts://broker' }, 'MQTT_ADMIN_URL must hold the user and the password'],
  [{ ...broker, MQTT_ADMIN_URL: 'https://a:hunter2@broker' }, 'MQTT_ADMIN_URL must begin with mqtt://'],
  [{ ...broker, MQTT_ADMIN_URL: 'mqtts://a:hunter2%@broker' }, 'MQTT_ADMIN_URL must hold its user and'],
  [{ ...broker, MQTT_ADMIN_URL: 'mqtts://me:hunter2@broker' }, 'MQTT_ADMIN_URL must be another account'],
  [{ ...broker, MQTT_ADMIN_URL: 'mqtt://a:hunter2@broker' }, 'MQTT_ADMIN_URL leads to another machine'],
  [
    { MQTT_URL: 'mqtts://broker', MQTT_ADMIN_URL: 'mqtts://a:hunter2@broker' },
    'MQTT_URL must hold a user and a password where MQTT_ADMIN_URL is given',
  ],
  [{ ...broker, MQTT_CLIENT_CERT: 'cert.pem' }, 'MQTT_CLIENT_KEY is missing'],
  [
    { MQTT_CLIENT_CERT: 'cert.pem', MQTT_CLIENT_KEY: 'key.pem' },
    'MQTT_CLIENT_CERT is for an MQTT_URL that begins with mqtts://',
  ],
  [{ MQTT_URL: 'mqtt:user:hunter2@broker' }, 'MQTT_URL must begin with mqtt:// or mqtts:// and name a host'],
  [{ SMTP_URL: 'http://me:hunter2@mail', MAIL_FROM }, 'SMTP_URL must begin with smtp:// or smtps://'],
  [{ SMTP_URL: 'smtp://me:hunter2@mail' }, 'MAIL_FROM is needed with SMTP_URL'],
  [{ SMTP_URL: 'smtp://hunter2@mail', MAIL_FROM }, 'SMTP_URL must hold both a user and a password'],
  [{ SMTP_URL: 'smtp://me:hunter2%@mail', MAIL_FROM }, 'SMTP_URL must hold its user and password percent'],
  [{ SMTP_URL: 'smtp://me:hunter2@mail?tls=no', MAIL_FROM }, 'SMTP_URL must end with the host'],
  [{ MAIL_FROM: 'Gates' }, 'MAIL_FROM must be an address'],
  [{ MAIL_FROM: 'a@example.com, b@example.com' }, 'MAIL_FROM must be an address'],
  [{ MAIL_FROM: 'Gates\r\nBcc: x <a@example.com\r\nX: y>' }, 'MAIL_FROM must be an address'],
])('names the variable: %j', (environment, message) => {
  expect(read(environment)).toContain(message)
  expect(read(environment)).not.toContain('hunter2')
})

it('explains every variable', () => {
  for (const name of [
    'HOST',
    'PORT',
    'TRUST_PROXY',
    'APP_URL',
    'DATABASE_URL',
    'MQTT_URL',
    'MQTT_HOST',
    'MQTT_PORT',
    'MQTT_TLS_CERT',
    'MQTT_TLS_KEY',
    'MQTT_CA',
    'ALLOW_PLAIN_MQTT',
    'CALLGATE_DATA',
    'SMTP_URL',
    'MAIL_FROM',
    'LOG_LEVEL',
  ])
    expect(environmentHelp()).toContain(`  ${name} `)
})

it('reads where new gateways get their package', () => {
  const installer = (given: string) => {
    const config = read({ GATEWAY_INSTALLER: given })
    return typeof config === 'string' ? config : config.gatewayInstaller
  }
  const sha256 = '0123456789abcdef'.repeat(4)
  expect(installer('')).toBeUndefined()
  expect(installer(`https://packages.example.com/callgate/ ${sha256}`)).toEqual({
    repository: 'https://packages.example.com/callgate',
    sha256,
  })
  expect(installer('https://packages.example.com')).toContain('GATEWAY_INSTALLER must be an https:// address')
})

it('reads the contact for reports of weaknesses as a URI', () => {
  const contact = (given: string) => {
    const config = read({ SECURITY_CONTACT: given })
    return typeof config === 'string' ? config : config.securityContact
  }
  expect(contact('')).toBeUndefined()
  expect(contact(' security@example.com ')).toBe('mailto:security@example.com')
  expect(contact('mailto:security@example.com')).toBe('mailto:security@example.com')
  expect(contact('https://example.com/security')).toBe('https://example.com/security')
  expect(contact('tel:+40722123456')).toBe('tel:+40722123456')
  const right = 'SECURITY_CONTACT must be an e-mail address, or begin with https:// or tel:'
  for (const bad of ['http://example.com/security', 'security', 'Me <me@example.com>', 'javascript:alert(1)'])
    expect(contact(bad), bad).toBe(`The configuration is wrong: ${right}.`)
})
