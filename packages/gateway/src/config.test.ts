import { chmod, chown, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signingKey } from '@callgate/contract/wire/signature'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { readKeyFile, writeKeyFile } from './keyFile.ts'

const seed = new Uint8Array(32).fill(9)
const publicKey = signingKey(seed).publicKey
const gatewayId = 'gw_01kdhx3m8e2w7q5v9z4r6t8y0a'
/** The files of this test may belong to root; the daemon does not run as root. */
const uid = process.getuid?.() || 1_000
let folder = ''
let file = ''

const good = {
  gatewayId,
  mqttUrl: 'mqtts://cloud.example:8883',
  mqttPassword: 'of-256-bits',
  cloudKeys: [publicKey],
  privateKeyFile: 'key',
  serialPort: '/dev/ttyUSB0',
  dataFolder: 'data',
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-config-'))
  file = join(folder, 'gateway.json')
  await writeKeyFile(join(folder, 'key'), seed)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function read(changes: object, environment: Record<string, string> = {}) {
  await writeFile(file, JSON.stringify({ ...good, ...changes }), { mode: 0o600 })
  return readConfig(file, environment, uid)
}

describe('the configuration', () => {
  it('is taken as the page shows it', async () => {
    const page = await readFile(new URL('../docs/gateway.md', import.meta.url), 'utf8')
    const [, example = ''] = /```json\n(\{.*?^\})\n```/ms.exec(page) ?? []
    await writeKeyFile(join(folder, 'gateway.key'), seed)
    await writeFile(file, example, { mode: 0o600 })
    expect(await readConfig(file, {}, uid)).toMatchObject({
      ok: true,
      value: { mqttUrl: 'mqtts://gates.example.com:8883', serialPorts: ['/dev/serial0'], warnings: [] },
    })
  })

  it('is read with its defaults and paths from its folder, and the environment wins over the file', async () => {
    const result = await read({}, { CALLGATE_BAUD_RATE: '9600', CALLGATE_LOG_LEVEL: 'warn' })
    expect(result).toMatchObject({
      ok: true,
      value: { gatewayId, baudRate: 9600, logLevel: 'warn', dataFolder: join(folder, 'data'), warnings: [] },
    })
    expect(result.ok && result.value.signingKey.publicKey).toBe(publicKey)
    expect(await readConfig(undefined, { CALLGATE_GATEWAY_CONFIG: file })).toMatchObject({
      ok: true,
      value: { baudRate: 115_200, logLevel: 'info' },
    })
  })

  it.each<[string, object, Record<string, string>, string]>([
    ['a wrong id', { gatewayId: 'gateway-1' }, {}, 'gatewayId must be like "gw_'],
    ['a missing field', { serialPort: undefined }, {}, 'serialPort is required'],
    ['an unknown field', { serialport: '/dev/x' }, {}, 'serialport is not a known field'],
    ['a rate in words', {}, { CALLGATE_BAUD_RATE: 'fast' }, 'baudRate must be integer'],
    ['a web address', { mqttUrl: 'http://cloud' }, {}, 'mqttUrl must be mqtts://host:port'],
    ['a password in it', { mqttUrl: 'mqtts://a:b@cloud:1' }, {}, 'write it into mqttPassword'],
    ['a host elsewhere without encryption', { mqttUrl: 'mqtt://cloud:1' }, {}, 'set allowPlainMqtt to true'],
    ['a word half said', { allowPlainMqtt: 'yes' }, {}, 'allowPlainMqtt must be boolean'],
    ['a broken key', { cloudKeys: ['abc'] }, {}, 'cloudKeys[0] is no public key'],
    ['no key', { cloudKeys: [] }, {}, 'cloudKeys'],
    ['a PIN of letters', { simPin: 'abcd' }, {}, 'simPin has not the right form'],
    ['no private key', { privateKeyFile: 'nothing' }, {}, 'make it with the command keygen'],
    ['a hook that is none', { modemHooks: { power: ['x'] } }, {}, 'modemHooks.power is not a known field'],
    ['a hook in one text', { modemHooks: { reset: 'pull' } }, {}, 'modemHooks.reset must be array'],
    ['hooks that are no JSON', {}, { CALLGATE_MODEM_HOOKS: 'pull' }, 'modemHooks must be object'],
    ['a trace in between', {}, { CALLGATE_WIRE_TRACE: 'some' }, 'wireTrace must be boolean'],
    ['no port at all', { serialPort: [] }, {}, 'serialPort'],
    ['no authority', { ca: 'nothing.pem' }, {}, 'ca: cannot read'],
  ])('names the field for %s', async (_, changes, environment, message) => {
    const result = await read(changes, environment)
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining(message) })
    expect(JSON.stringify(result)).not.toContain(good.mqttPassword)
  })

  it('takes one port or several, with patterns, and hooks for the modem', async () => {
    const one = await read({ serialPort: 'modem-tty' })
    expect(one).toMatchObject({
      ok: true,
      value: { serialPorts: [join(folder, 'modem-tty')], modemHooks: {} },
    })
    const several = await read(
      { serialPort: ['/dev/serial/by-id/usb-1a86_*', '/dev/ttyAMA0'], modemHooks: { reset: ['pull', '17'] } },
      { CALLGATE_WIRE_TRACE: 'true' },
    )
    expect(several).toMatchObject({
      ok: true,
      value: {
        serialPorts: ['/dev/serial/by-id/usb-1a86_*', '/dev/ttyAMA0'],
        modemHooks: { reset: ['pull', '17'] },
        wireTrace: true,
      },
    })
    const environment = {
      CALLGATE_SERIAL_PORT: '/dev/a, /dev/b*',
      CALLGATE_MODEM_HOOKS: '{"supply": ["cut"]}',
    }
    expect(await read({}, environment)).toMatchObject({
      value: { serialPorts: ['/dev/a', '/dev/b*'], modemHooks: { supply: ['cut'] } },
    })
  })

  it('refuses a file that is missing, or is no JSON', async () => {
    expect(await readConfig(join(folder, 'none.json'), {})).toMatchObject({
      message: expect.stringContaining('there is no configuration'),
    })
    await writeFile(file, '{"gatewayId": ')
    expect(await readConfig(file, {})).toMatchObject({
      message: expect.stringContaining('not a JSON object'),
    })
  })

  it('lets MQTT leave the machine without encryption only when allowPlainMqtt says so', async () => {
    const plain = { CALLGATE_MQTT_URL: 'mqtt://10.0.0.5:1883' }
    expect(await read({}, plain)).toMatchObject({ ok: false })
    expect(await read({ allowPlainMqtt: true }, plain)).toMatchObject({ ok: true })
    expect(await read({}, { ...plain, CALLGATE_ALLOW_PLAIN_MQTT: 'true' })).toMatchObject({ ok: true })
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect(await read({ mqttUrl: `mqtt://${host}:1883` })).toMatchObject({ ok: true })
  })

  it('warns of a password that everybody can read, and of root', async () => {
    await read({})
    await chmod(file, 0o644)
    const result = await readConfig(file, {}, 0)
    expect(result.ok && result.value.warnings).toEqual([
      expect.stringMatching(/^the daemon runs as root: /),
      expect.stringMatching(/chmod 600/),
    ])
    await chmod(file, 0o600)
  })
})

describe('a configuration that names commands', () => {
  const modemHooks = { reset: ['pull', '17'] }
  const refusal = async (path: string, user = uid) => {
    const result = await readConfig(path, {}, user)
    return result.ok ? 'taken' : result.message
  }

  it.each([0o620, 0o602, 0o666])('is refused when others may write it: mode %o', async mode => {
    await read({ modemHooks })
    await chmod(file, mode)
    expect(await refusal(file)).toContain(
      `names commands in modemHooks, but others may write to ${file}: chmod go-w`,
    )
    await read({})
    await chmod(file, mode)
    expect(await refusal(file)).toBe('taken')
    await read({ modemHooks: undefined })
    await chmod(file, mode)
    const environment = { CALLGATE_MODEM_HOOKS: '{"supply": ["cut"]}' }
    expect(await readConfig(file, environment, uid)).toMatchObject({ ok: true })
    await chmod(file, 0o600)
  })

  it('is refused in a folder where others could replace it, also behind a link', async () => {
    const [shared, safe] = [join(folder, 'shared'), join(folder, 'safe')]
    for (const made of [shared, safe]) await mkdir(made)
    const privateKeyFile = join(folder, 'key')
    const text = JSON.stringify({ ...good, privateKeyFile, modemHooks })
    for (const made of [shared, safe]) await writeFile(join(made, 'gateway.json'), text, { mode: 0o600 })
    await chmod(shared, 0o777)
    expect(await refusal(join(shared, 'gateway.json'))).toContain(`others may write to ${shared}`)
    await symlink(join(safe, 'gateway.json'), join(shared, 'link'))
    expect(await refusal(join(shared, 'link'))).toContain(`others may write to ${shared}`)
    await symlink(join(shared, 'gateway.json'), join(safe, 'link'))
    expect(await refusal(join(safe, 'link'))).toContain(`others may write to ${shared}`)
    // As in /tmp: others may add files, but they cannot change ours.
    await chmod(shared, 0o1777)
    expect(await refusal(join(shared, 'gateway.json'))).toBe('taken')
  })

  it.runIf(process.getuid?.() === 0)(
    'is refused when it, or its folder, belongs to another user',
    async () => {
      await read({ modemHooks })
      await chown(file, 4_711, 4_711)
      expect(await refusal(file)).toContain(`${file} belongs to another user`)
      expect(await refusal(file, 4_711)).toBe('taken')
      await chown(file, 0, 0)
      await chown(folder, 4_711, 4_711)
      expect(await refusal(file)).toContain(`${folder}, a folder above it, belongs to another user`)
      await chown(folder, 0, 0)
    },
  )
})

describe('a key file', () => {
  it('is never overwritten, and refused when everybody can read it', async () => {
    const path = join(folder, 'other')
    expect(await writeKeyFile(path, seed)).toMatchObject({ ok: true, key: { publicKey } })
    expect(await writeKeyFile(path, seed)).toMatchObject({
      ok: false,
      message: expect.stringContaining('exists'),
    })
    await chmod(path, 0o640)
    expect(await readKeyFile(path)).toMatchObject({ ok: true })
    await chmod(path, 0o604)
    expect(await readKeyFile(path)).toMatchObject({
      ok: false,
      message: expect.stringContaining('chmod 600'),
    })
    await writeFile(join(folder, 'empty'), '', { mode: 0o600 })
    expect(await readKeyFile(join(folder, 'empty'))).toMatchObject({ ok: false })
  })
})
