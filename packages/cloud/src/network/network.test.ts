import { expect, it } from 'vitest'
import { mqttUrlOf, readConfig } from '../config.ts'
import { gatewayComplaints, networkComplaints } from './network.ts'

type Variables = Record<string, string>

const configOf = (environment: Variables) => {
  const read = readConfig(environment)
  if (!read.ok) throw new Error(read.message)
  return read.config
}
const refusal = (environment: Variables) => {
  const read = readConfig(environment)
  return read.ok ? 'taken' : read.message
}

it('listens on this machine only by default', () => {
  expect(configOf({})).toMatchObject({ host: '127.0.0.1', mqttHost: '127.0.0.1' })
  const named = configOf({ HOST: '0.0.0.0', MQTT_HOST: 'localhost' })
  expect(named).toMatchObject({ host: '0.0.0.0', mqttHost: '127.0.0.1' })
  expect(configOf({ HOST: '::', MQTT_HOST: '::1' })).toMatchObject({ host: '::', mqttHost: '::1' })
})

it.each([
  [{ HOST: 'gates.example' }, 'HOST must be an IP address of this machine'],
  [{ HOST: '127.0.0.1:8080' }, 'HOST must be an IP address of this machine'],
  [{ MQTT_HOST: 'all' }, 'MQTT_HOST must be an IP address of this machine'],
  [{ MQTT_HOST: '0.0.0.0' }, 'MQTT_HOST lets other machines connect without encryption'],
  [{ MQTT_HOST: '::' }, 'MQTT_HOST lets other machines connect without encryption'],
  [{ MQTT_URL: 'mqtt://me:hunter2@broker:1883' }, 'MQTT_URL leads to another machine without encryption'],
  [{ TRUST_PROXY: 'all' }, 'TRUST_PROXY must name each proxy'],
  [{ ALLOW_PLAIN_MQTT: 'true', MQTT_HOST: '0.0.0.0' }, 'ALLOW_PLAIN_MQTT must be yes'],
])('rejects settings that would expose it by accident: %j', (environment, message) => {
  expect(refusal(environment)).toContain(message)
  expect(refusal(environment)).not.toContain('hunter2')
})

it('allows unencrypted MQTT beyond this machine only with ALLOW_PLAIN_MQTT', () => {
  const ALLOW_PLAIN_MQTT = 'yes'
  expect(configOf({ MQTT_HOST: '10.0.0.5', ALLOW_PLAIN_MQTT })).toMatchObject({ mqttHost: '10.0.0.5' })
  expect(refusal({ MQTT_URL: 'mqtt://broker:1883', ALLOW_PLAIN_MQTT })).toBe('taken')
  expect(refusal({ MQTT_URL: 'mqtts://broker:8883' })).toBe('taken')
  expect(refusal({ MQTT_URL: 'mqtt://[::1]:1883' })).toBe('taken')
})

it('suggests that variable except in production', () => {
  for (const environment of [{ MQTT_HOST: '0.0.0.0' }, { MQTT_URL: 'mqtt://broker:1883' }]) {
    expect(refusal(environment)).toContain('or say ALLOW_PLAIN_MQTT=yes')
    expect(refusal({ ...environment, NODE_ENV: 'production' })).toMatch(/(mqtts:\/\/|MQTT_TLS_KEY)\.$/)
  }
})

it('warns of addresses that others cannot reach', () => {
  const complaints = (environment: Variables) => networkComplaints(configOf(environment)).join('\n')
  expect(complaints({})).toBe('')
  const APP_URL = 'https://gates.example'
  expect(complaints({ APP_URL })).toMatch(/APP_URL names gates\.example, .* HOST .*\n.* MQTT_HOST/)
  // Others reach the proxy on this machine.
  expect(complaints({ APP_URL, TRUST_PROXY: 'loopback' })).toMatch(/^Gateways .* MQTT_HOST [^\n]*$/)
  expect(complaints({ HOST: '0.0.0.0' })).toMatch(/lead to localhost: set APP_URL/)
  const MQTT_URL = 'mqtts://broker.example'
  expect(complaints({ APP_URL, HOST: '0.0.0.0', MQTT_URL })).toMatch(/^APP_URL .* TRUST_PROXY names none/)
  expect(complaints({ APP_URL, HOST: '0.0.0.0', MQTT_URL, TRUST_PROXY: '10.0.0.1' })).toBe('')
  expect(complaints({ APP_URL: 'http://10.0.0.5:8080', HOST: '0.0.0.0', MQTT_URL })).toBe('')
  const [told] = gatewayComplaints(configOf({}), mqttUrlOf(configOf({})))
  expect(told).toMatch(/^mqtt:\/\/localhost:1883 leads a gateway to its own machine/)
})

it('accepts a certificate for the embedded broker only with its key', () => {
  const pair = { MQTT_TLS_CERT: '/tls/chain.pem', MQTT_TLS_KEY: '/tls/key.pem' }
  const config = configOf({ ...pair, MQTT_HOST: '0.0.0.0', APP_URL: 'https://gates.example' })
  expect(config.mqttTls).toEqual({ certFile: '/tls/chain.pem', keyFile: '/tls/key.pem' })
  expect(mqttUrlOf(config)).toBe('mqtts://gates.example:1883')
  expect(refusal({ MQTT_TLS_CERT: 'a' })).toContain('MQTT_TLS_KEY is missing')
  expect(refusal({ MQTT_TLS_KEY: 'a' })).toContain('MQTT_TLS_CERT is missing')
  expect(refusal({ ...pair, MQTT_URL: 'mqtts://b' })).toContain('MQTT_TLS_CERT is for the embedded broker')
})

it('accepts the authority of an external broker', () => {
  const MQTT_CA = '/tls/ca.pem'
  expect(configOf({ MQTT_URL: 'mqtts://b', MQTT_CA }).mqttCaFile).toBe(MQTT_CA)
  expect(refusal({ MQTT_CA })).toContain('MQTT_CA is for an MQTT_URL')
  expect(refusal({ MQTT_CA, MQTT_URL: 'mqtt://localhost' })).toContain('MQTT_CA is for an MQTT_URL')
})

it("gives a gateway the broker's address without the cloud's own password", () => {
  const config = configOf({ MQTT_URL: 'mqtts://cloud:hunter2@broker.example:8883' })
  expect(mqttUrlOf(config)).toBe('mqtts://broker.example:8883')
  expect(config.mqttUrl).toContain('hunter2')
})
