// The command line: what is accepted, and the messages for mistakes.

import { expect, it } from 'vitest'
import { environmentOfParts, readArguments, unusedVariables } from './arguments.ts'

it('has default settings', () => {
  expect(readArguments([], {}, '/home/a')).toEqual({
    ok: true,
    value: {
      network: 'normal',
      dataFolder: '/home/a/.callgate',
      httpPort: 8080,
      mqttPort: 1883,
      logLevel: 'info',
    },
  })
})

it('accepts given values, also after two dashes', () => {
  const environment = { CALLGATE_DATA: '/data', PORT: '9000', MQTT_PORT: '9001', LOG_LEVEL: 'debug' }
  expect(readArguments(['--', '--network', 'fast'], environment, '/')).toEqual({
    ok: true,
    value: { network: 'fast', dataFolder: '/data', httpPort: 9000, mqttPort: 9001, logLevel: 'debug' },
  })
  expect(readArguments(['--help'], {}, '/')).toEqual({ ok: true, value: 'help' })
})

it.each([
  [['--network', 'slow'], {}, '--network is "slow"'],
  [['--fast'], {}, '--fast'],
  [['more'], {}, 'more'],
  [[], { PORT: '0' }, 'PORT is "0"'],
  [[], { MQTT_PORT: '70000' }, 'MQTT_PORT is "70000"'],
  [[], { DATABASE_URL: 'postgres://a:b@c/d' }, 'DATABASE_URL: set, but'],
  [[], { DATABASE_URL_FILE: '/run/url' }, 'env -u DATABASE_URL_FILE pnpm start'],
  [[], { MQTT_URL: 'mqtts://a', MQTT_URL_FILE: '/b' }, 'MQTT_URL, MQTT_URL_FILE: set, but'],
])('names the mistake in %j %j', (args, environment, words) => {
  expect(readArguments(args, environment, '/')).toEqual({
    ok: false,
    message: expect.stringContaining(words),
  })
})

it('accepts empty variables, and shows no secret of a variable that is set', () => {
  expect(readArguments([], { DATABASE_URL: '', MQTT_URL: '' }, '/').ok).toBe(true)
  const refused = readArguments([], { DATABASE_URL: 'postgres://me:hunter2@db/x' }, '/')
  expect(JSON.stringify(refused)).not.toContain('hunter2')
})

it('warns of an address that it cannot serve', () => {
  expect(unusedVariables({ PORT: '9000', HOST: '' })).toBeUndefined()
  expect(unusedVariables({ APP_URL: 'https://gates.example', HOST: '0.0.0.0' })).toMatch(
    /^APP_URL, HOST: not used\. /,
  )
})

it('does not pass on variables that would lead the parts out of the demo', () => {
  const environment = {
    PATH: '/bin',
    DATABASE_URL: 'a',
    DATABASE_URL_FILE: 'e',
    MQTT_URL: 'b',
    MQTT_TLS_CERT: 'd',
    HOST: '0.0.0.0',
    TRUST_PROXY: '10.0.0.1',
    NODE_ENV: 'production',
    CALLGATE_DATA: 'c',
    PORT: '1',
  }
  expect(environmentOfParts(environment)).toEqual({ PATH: '/bin' })
})
