import { expect, it } from 'vitest'
import { environmentHelp, mqttUrlOf, readConfig } from './config.ts'

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

it('takes what is given', () => {
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

it.each([
  [{ PORT: 'eighty' }, 'PORT must be a whole number'],
  [{ PORT: '70000' }, 'PORT must be from 1 to 65535'],
  [{ MQTT_PORT: '0' }, 'MQTT_PORT must be from 1 to 65535'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of debug, info, warn, error, silent'],
  [{ APP_URL: 'gates.example' }, 'APP_URL must begin with http:// or https://'],
  [{ MQTT_URL: 'http://user:hunter2@broker' }, 'MQTT_URL must begin with mqtt:// or mqtts://'],
])('names the variable: %j', (environment, message) => {
  expect(read(environment)).toContain(message)
  expect(read(environment)).not.toContain('hunter2')
})

it('explains every variable', () => {
  for (const name of [
    'PORT',
    'APP_URL',
    'DATABASE_URL',
    'MQTT_URL',
    'MQTT_PORT',
    'CALLGATE_DATA',
    'LOG_LEVEL',
  ])
    expect(environmentHelp()).toContain(`  ${name} `)
})
