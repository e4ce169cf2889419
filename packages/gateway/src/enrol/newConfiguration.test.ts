import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readYaml } from '../yamlFile.ts'
import { brokerFault, storeLogin } from './newConfiguration.ts'

const login = {
  gatewayId: 'gw_01kdhx3m8e2w7q5v9z4r6t8y0b',
  mqttUrl: 'mqtts://gates.example.com:8883',
  mqttPassword: 'secret',
  cloudKeys: ['key'],
}
const usual = {
  cloudUrl: 'https://gates.example.com',
  serialPort: '/dev/serial0',
  dataFolder: 'data',
  allowPlainMqtt: false,
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-configuration-'))
})
afterEach(() => rm(folder, { recursive: true }))

const config = () => join(folder, 'callgate-gateway.yaml')
async function readStored(): Promise<unknown> {
  const read = readYaml(await readFile(config(), 'utf8'))
  return read.ok ? read.value : undefined
}

it("keeps the modem's fields of an older configuration, and rejects a broker without encryption", async () => {
  const before = [
    '# The north gate',
    'gatewayId: old',
    'cloudKeys:',
    '  - old',
    'serialPort: /dev/ttyUSB0',
    'modemHooks:',
    '  reset: [pull]',
  ]
  await writeFile(config(), before.join('\n'))
  const own = { ...login, ca: 'PEM', privateKeyFile: join(folder, 'a.key') }
  expect(await storeLogin(config(), own, usual)).toEqual({ ok: true })
  expect(await readStored()).toEqual({
    ...{
      ...login,
      cloudUrl: usual.cloudUrl,
      serialPort: '/dev/ttyUSB0',
      modemHooks: { reset: ['pull'] },
      dataFolder: 'data',
    },
    privateKeyFile: 'a.key',
    ca: 'broker-authority.pem',
  })
  expect(await readFile(config(), 'utf8')).toContain('# The north gate')
  expect(await readFile(join(folder, 'broker-authority.pem'), 'utf8')).toBe('PEM')
  expect(brokerFault({ mqttUrl: 'mqtt://gates.example.com:1883' }, false)).toContain('without encryption')
  expect(brokerFault({ mqttUrl: 'mqtt://gates.example.com:1883' }, true)).toBeUndefined()
  expect(brokerFault({ mqttUrl: 'mqtt://127.0.0.1:1883' }, false)).toBeUndefined()
  for (const mqttUrl of [
    'gates.example.com',
    'ws://gates.example.com',
    'mqtts://ada:secret@gates.example.com',
  ])
    expect(await storeLogin(config(), { ...own, mqttUrl }, usual)).toMatchObject({
      ok: false,
      message: expect.stringContaining('must be like mqtts://'),
    })
  const blocked = await storeLogin(join(config(), 'x'), own, usual)
  expect(blocked).toMatchObject({ ok: false, message: expect.stringMatching(/cannot be written: E/) })
})

it('leaves a configuration unchanged when it cannot keep its other fields', async () => {
  const before = '{"gatewayId": "old",\n"serialPort": "/dev/ttyUSB0"}\n'
  await writeFile(config(), before)
  const own = { ...login, ca: 'PEM', privateKeyFile: join(folder, 'a.key') }
  const stored = await storeLogin(config(), own, usual)
  expect(stored).toEqual({ ok: false, message: expect.stringContaining('Move that file away') })
  expect(await readFile(config(), 'utf8')).toBe(before)
  expect(await readdir(folder)).toEqual(['callgate-gateway.yaml'])
})
