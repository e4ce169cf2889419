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
  file = join(folder, 'callgate-gateway.yaml')
  await writeKeyFile(join(folder, 'key'), seed)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** JSON is YAML, too. */
async function read(changes: object) {
  await writeFile(file, JSON.stringify({ ...good, ...changes }), { mode: 0o600 })
  return readConfig(file, uid)
}

/** The message for an invalid text, without the path of the file. */
async function refusalOf(text: string): Promise<string> {
  await writeFile(file, text, { mode: 0o600 })
  const result = await readConfig(file, uid)
  return result.ok ? 'taken' : result.message.replaceAll(file, 'file')
}

const text = `# The north gate
gatewayId: ${gatewayId}
mqttUrl: mqtts://cloud.example:8883 # with TLS
mqttPassword: of-256-bits
cloudKeys:
  - ${publicKey}
privateKeyFile: key
serialPort: /dev/ttyUSB0
dataFolder: data
`

describe('the configuration', () => {
  it('is accepted as the documentation shows it', async () => {
    const page = await readFile(new URL('../docs/gateway.md', import.meta.url), 'utf8')
    const [, example = ''] = /```yaml\n(gatewayId.*?)^```\n/ms.exec(page) ?? []
    await writeKeyFile(join(folder, 'gateway.key'), seed)
    await writeFile(file, example, { mode: 0o600 })
    expect(await readConfig(file, uid)).toMatchObject({
      ok: true,
      value: { mqttUrl: 'mqtts://gates.example.com:8883', serialPorts: ['/dev/serial0'], warnings: [] },
    })
  })

  it('is read with its defaults, and with paths relative to its folder', async () => {
    await writeFile(file, text, { mode: 0o600 })
    const result = await readConfig(file, uid)
    expect(result).toMatchObject({
      ok: true,
      value: {
        gatewayId,
        baudRate: 115_200,
        logLevel: 'info',
        dataFolder: join(folder, 'data'),
        warnings: [],
        simPin: undefined,
        wireTrace: false,
        modemHooks: {},
      },
    })
    expect(result.ok && result.value.signingKey.publicKey).toBe(publicKey)
  })

  it('keeps a PIN with leading zeros, and a password of digits, as they are written', async () => {
    await writeFile(
      file,
      `${text.replace('of-256-bits', '1e400')}simPin: 0042\nbaudRate: 9600\nlogLevel: warn\n`,
    )
    expect(await readConfig(file, uid)).toMatchObject({
      value: { simPin: '0042', mqttPassword: '1e400', baudRate: 9600, logLevel: 'warn' },
    })
  })

  it.each<[string, object, string]>([
    ['a wrong id', { gatewayId: 'gateway-1' }, 'gatewayId must be like "gw_'],
    ['a missing field', { serialPort: undefined }, 'serialPort is required'],
    [
      'a field spelled otherwise',
      { serial_port: '/dev/x' },
      'serial_port is not a known field: write serialPort',
    ],
    ['an unknown field', { port: '/dev/x' }, 'port is not a known field. The fields are gatewayId, mqttUrl'],
    ['a rate in words', { baudRate: 'fast' }, 'baudRate must be a whole number, such as 115200'],
    ['a rate too high', { baudRate: '9999999' }, 'baudRate must be at most 921600'],
    ['a web address', { mqttUrl: 'http://cloud' }, 'mqttUrl must be mqtts://host:port'],
    ['a password in it', { mqttUrl: 'mqtts://a:b@cloud:1' }, 'write it into mqttPassword'],
    ['a host elsewhere without encryption', { mqttUrl: 'mqtt://cloud:1' }, 'set allowPlainMqtt to true'],
    ['a word half said', { allowPlainMqtt: 'yes' }, 'allowPlainMqtt must be true or false'],
    ['a broken key', { cloudKeys: ['abc'] }, 'cloudKeys[0] is no public key'],
    ['no key', { cloudKeys: [] }, 'cloudKeys must have at least 1 item (one key of the cloud, or two'],
    ['a PIN of letters', { simPin: 'abcd' }, 'simPin must be like "1234" (4 to 8 digits)'],
    ['no private key', { privateKeyFile: 'nothing' }, 'make it with the command keygen'],
    ['a hook that is none', { modemHooks: { power: ['x'] } }, 'modemHooks.power is not a known field'],
    ['a hook in one text', { modemHooks: { reset: 'pull' } }, 'modemHooks.reset must be array'],
    ['hooks that are no object', { modemHooks: 'pull' }, 'modemHooks must be object'],
    ['a trace in between', { wireTrace: 'some' }, 'wireTrace must be true or false'],
    [
      'no port at all',
      { serialPort: [] },
      'serialPort must have at least 1 item (a path such as /dev/serial0',
    ],
    ['no authority', { ca: 'nothing.pem' }, 'ca: there is no'],
  ])('is rejected with the name of the field for %s', async (_, changes, message) => {
    const result = await read(changes)
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining(message) })
    expect(JSON.stringify(result)).not.toContain(good.mqttPassword)
  })

  it('is rejected with the line of each of several mistakes, in the order of the file', async () => {
    const wrong = text.replace('dataFolder: data', 'baudrate: 9600').replace(gatewayId, 'gateway-1')
    expect((await refusalOf(`${wrong}modemHooks:\n  reset:\n    - ''\n`)).split('\n')).toEqual([
      expect.stringMatching(/^file, line 2: gatewayId must be like "gw_/),
      'file, line 9: baudrate is not a known field: write baudRate',
      'file, line 12: modemHooks.reset[0] must have at least 1 character',
      'file: dataFolder is required',
    ])
    const leads = text.replace('mqtts:', 'mqtt:').replace(publicKey, 'abc').replace('File: key', 'File: none')
    expect(await refusalOf(leads)).toMatch(
      /^file, line 3: mqttUrl leaves .*\nfile, line 5: cloudKeys\[0\] .*\nfile, line 7: privateKeyFile: there is no .*$/,
    )
  })

  it('accepts one port or several, with patterns, and hooks for the modem', async () => {
    const one = await read({ serialPort: 'modem-tty' })
    expect(one).toMatchObject({
      ok: true,
      value: { serialPorts: [join(folder, 'modem-tty')], modemHooks: {} },
    })
    await writeFile(
      file,
      `${text.replace('serialPort: /dev/ttyUSB0', 'serialPort: [/dev/serial/by-id/usb-1a86_*, /dev/ttyAMA0]')}
modemHooks:
  reset: [gpioset, --mode=time, 17=0]
wireTrace: true
`,
      { mode: 0o600 },
    )
    expect(await readConfig(file, uid)).toMatchObject({
      ok: true,
      value: {
        serialPorts: ['/dev/serial/by-id/usb-1a86_*', '/dev/ttyAMA0'],
        modemHooks: { reset: ['gpioset', '--mode=time', '17=0'] },
        wireTrace: true,
      },
    })
  })

  it('is rejected when the file is missing or unreadable', async () => {
    expect(await readConfig(join(folder, 'none.yaml'))).toMatchObject({
      message: expect.stringMatching(/^the configuration: there is no .*none\.yaml$/),
    })
    expect(await readConfig(folder)).toMatchObject({
      message: expect.stringMatching(/^the configuration: cannot read .*: EISDIR$/),
    })
  })

  it('allows unencrypted MQTT over a network only with allowPlainMqtt', async () => {
    const plain = { mqttUrl: 'mqtt://10.0.0.5:1883' }
    expect(await read(plain)).toMatchObject({ ok: false })
    expect(await read({ ...plain, allowPlainMqtt: true })).toMatchObject({ ok: true })
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect(await read({ mqttUrl: `mqtt://${host}:1883` })).toMatchObject({ ok: true })
  })

  it('warns of a password that everybody can read, and of running as root', async () => {
    await read({})
    await chmod(file, 0o644)
    const result = await readConfig(file, 0)
    expect(result.ok && result.value.warnings).toEqual([
      expect.stringMatching(/^this runs as root: /),
      expect.stringMatching(/chmod 600/),
    ])
    await chmod(file, 0o600)
  })
})

describe('a text that is not YAML', () => {
  it.each<[string, string, string]>([
    ['an empty file', '', 'line 1: each field stands on a line of its own'],
    ['a list', '- a\n- b\n', 'line 1: each field stands on a line of its own'],
    [
      'a field twice',
      `${text}mqttUrl: mqtts://b:1\n`,
      'line 10: this field is written twice: keep one of the two',
    ],
    ['a tab', text.replace('  - ', '\t- '), 'line 6: the line begins with a tab: use spaces'],
    ['an open quote', text.replace('of-256-bits', '"of-256-bits'), 'a quote or a closing bracket is missing'],
    [
      'a second colon',
      text.replace('of-256-bits', 'of: 256-bits'),
      'line 4: a value that holds ": " must be in quotes',
    ],
    ['an alias', text.replace('of-256-bits', '*of-256-bits'), 'line 4: a value that begins with & * or !'],
    ['an anchor', text.replace('of-256-bits', '&of-256-bits x'), 'line 4: a value that begins with & * or !'],
    ['a tag', text.replace('of-256-bits', '!of-256-bits x'), 'line 4: a value that begins with & * or !'],
    [
      'a percent sign',
      text.replace('of-256-bits', '@of-256-bits'),
      'line 4: a value begins with a character',
    ],
    ['a line without a colon', `${text}wireTrace\n`, 'line 10: a colon, a comma, a quote'],
    ['a second document', `${text}---\n${text}`, 'there must be one document: remove what follows ---'],
    ['a name that is a list', `${text}? [a]\n: b\n`, 'line 10: the name of a field must be a word'],
    ['a file of another kind', `${text}#${'x'.repeat(100_000)}`, 'too long to be a configuration'],
  ])('is rejected with its line: %s', async (_, wrong, message) => {
    const refusal = await refusalOf(wrong)
    expect(refusal).toContain(message)
    expect(refusal).not.toContain('256-bits')
  })
})

describe('a configuration that names commands', () => {
  const modemHooks = { reset: ['pull', '17'] }
  const refusal = async (path: string, user = uid) => {
    const result = await readConfig(path, user)
    return result.ok ? 'taken' : result.message
  }

  it.each([0o620, 0o602, 0o666])('is rejected when others may write it: mode %o', async mode => {
    await read({ modemHooks })
    await chmod(file, mode)
    expect(await refusal(file)).toContain(
      `names commands in modemHooks, but others may write to ${file}: chmod go-w`,
    )
    await read({})
    await chmod(file, mode)
    expect(await refusal(file)).toBe('taken')
    await chmod(file, 0o600)
  })

  it('is rejected in a folder where others could replace it, also behind a link', async () => {
    const [shared, safe] = [join(folder, 'shared'), join(folder, 'safe')]
    for (const made of [shared, safe]) await mkdir(made)
    const privateKeyFile = join(folder, 'key')
    const text = JSON.stringify({ ...good, privateKeyFile, modemHooks })
    for (const made of [shared, safe])
      await writeFile(join(made, 'callgate-gateway.yaml'), text, { mode: 0o600 })
    await chmod(shared, 0o777)
    expect(await refusal(join(shared, 'callgate-gateway.yaml'))).toContain(`others may write to ${shared}`)
    await symlink(join(safe, 'callgate-gateway.yaml'), join(shared, 'link'))
    expect(await refusal(join(shared, 'link'))).toContain(`others may write to ${shared}`)
    await symlink(join(shared, 'callgate-gateway.yaml'), join(safe, 'link'))
    expect(await refusal(join(safe, 'link'))).toContain(`others may write to ${shared}`)
    // As in /tmp: others may add files but cannot change ours.
    await chmod(shared, 0o1777)
    expect(await refusal(join(shared, 'callgate-gateway.yaml'))).toBe('taken')
  })

  it('is rejected when it, or its folder, belongs to another user', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root can give a file to another user')
    await read({ modemHooks })
    await chown(file, 4_711, 4_711)
    expect(await refusal(file)).toContain(`${file} belongs to another user`)
    expect(await refusal(file, 4_711)).toBe('taken')
    await chown(file, 0, 0)
    await chown(folder, 4_711, 4_711)
    expect(await refusal(file)).toContain(`${folder}, a folder above it, belongs to another user`)
    await chown(folder, 0, 0)
  })
})

describe('a key file', () => {
  it('is never overwritten, and is rejected when everybody can read it', async () => {
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
