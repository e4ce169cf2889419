import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loginBytes, offerBytes } from '@callgate/contract/enrolment/agreement'
import { groupedCode, newEnrolmentCode } from '@callgate/contract/enrolment/enrolmentCode'
import { signingKey } from '@callgate/contract/wire/signature'
import { type FakeWorld, fakeWorld, settle } from '@callgate/world/fake'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readYaml } from '../yamlFile.ts'
import { type BootPartition, openBootPartition, plainly } from './bootPartition.ts'
import { noPort } from './device.kit.ts'
import { lockEnrolment } from './enrolmentFile.ts'
import { firstBoot, firstBootCommand } from './firstBoot.ts'
import { blankFor, readFirstBoot } from './firstBootFile.ts'

const key = signingKey(new Uint8Array(32).fill(9))
const cloudKeys = [key.publicKey]
const enrolmentId = 'enrol_01kdhx3m8e2w7q5v9z4r6t8y0a'
const login = {
  gatewayId: 'gw_01kdhx3m8e2w7q5v9z4r6t8y0b',
  mqttUrl: 'mqtts://gates.example.com:8883',
  mqttPassword: 'secret',
  cloudKeys,
}
const codeOf = (byte: number) => groupedCode(newEnrolmentCode(new Uint8Array(10).fill(byte)))
const code = codeOf(3)

/** `hangs`: no answer ever comes, as for a gateway whose power is cut. */
type Answer = { readonly status: number; readonly body?: object } | 'hangs'
let server: Server
let folder: string
let world: FakeWorld
let cloudUrl: string
let answers: Record<string, (sent: Record<string, string>) => Answer>
let steps: string[]
let printed: string[]
let ownAddresses: readonly string[]

const offered = ({ commitment = '', publicKey = '' }: Record<string, string>): Answer => {
  const offer = { enrolmentId, cloudNonce: 'N'.repeat(22), cloudKeys }
  const signature = key.sign(offerBytes({ ...offer, publicKey, commitment })).toString('base64url')
  return { status: 200, body: { ...offer, signature } }
}
const confirmed = (): Answer => {
  const signature = key.sign(loginBytes(enrolmentId, login)).toString('base64url')
  return { status: 200, body: { state: 'confirmed', login, signature } }
}
const waiting = (): Answer => ({ status: 200, body: { state: 'waiting', againInS: 3 } })
const refused = (reason: string) => (): Answer => ({
  status: 409,
  body: { error: { code: 'conflict', message: 'The cloud says no.\u001b[2J', reason } },
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-first-boot-'))
  await mkdir(join(folder, 'boot'))
  await mkdir(join(folder, 'etc'))
  world = fakeWorld(1)
  answers = { enrolments: offered, login: confirmed, stored: () => ({ status: 204 }) }
  steps = []
  printed = []
  ownAddresses = ['192.168.1.20']
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const step = request.url?.split('/').at(-1) ?? ''
    steps.push(step)
    const answer = answers[step]?.(JSON.parse(text)) ?? { status: 404 }
    if (answer !== 'hangs') response.writeHead(answer.status).end(answer.body && JSON.stringify(answer.body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cloudUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await write()
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

const card = () => join(folder, 'boot/callgate-gateway.yaml')
const config = () => join(folder, 'etc/callgate-gateway.yaml')
const readCard = () => readFile(card(), 'utf8')
const result = () => readFile(join(folder, 'boot/callgate-gateway.txt'), 'utf8')
async function write(...more: string[]): Promise<string> {
  const lines = [
    '# The north gate',
    `cloud: ${cloudUrl}`,
    `code: ${code}`,
    `cloudKey: ${key.publicKey}`,
    ...more,
  ]
  const text = `${lines.join('\n')}\n`
  await writeFile(card(), text)
  return text
}
async function readStored(): Promise<Record<string, unknown>> {
  const read = readYaml(await readFile(config(), 'utf8'))
  return read.ok ? (read.value as Record<string, unknown>) : {}
}

/** Runs to the end, or until `isCut` says that the power is cut. The clock advances by `stepMs` whenever nothing else happens. */
async function run(change: Partial<BootPartition> = {}, isCut = () => false, stepMs = () => 1_000) {
  const opened = await openBootPartition({ folder: join(folder, 'boot'), console: '/nowhere' })
  if (!opened) throw new Error('no file')
  const boot = { ...opened, ...change }
  let isOver = false
  const addresses = () => ownAddresses
  const given = { world, addresses, boot, config: config(), dataFolder: 'data', openPlace: noPort }
  const end = firstBoot({ ...given, print: text => void printed.push(text) })
    .catch(() => 'cut' as const)
    .finally(() => {
      isOver = true
    })
  for (await settle(10); !isOver && !isCut(); await settle(10)) await world.advance(stepMs())
  if (!isOver) {
    world = fakeWorld(2)
    await opened.close()
    return 'cut'
  }
  const ended = await end
  await opened.close()
  return ended
}

it('enrols, shows the fingerprint, and deletes only the code and the PIN', async () => {
  const before = await write('serialPort: /dev/ttyUSB3', 'simPin: "0123"')
  await writeFile(config(), '# The modem\nserialPort:\n  - /dev/serial0\n')
  let shown = ''
  answers['login'] = () => {
    const answer = shown === '' ? waiting() : confirmed()
    shown = printed.join('\n')
    return answer
  }
  expect(await run()).toBe('enrolled')
  expect(shown).toMatch(/Fingerprint: \d{3} \d{3}\nCompare .*\n.* The IMEI of the modem is not known/)
  expect(await result()).toMatch(/^Callgate gateway\nEnrolled\./)
  const line = `code: ${code}`
  const pin = 'simPin: "0123"'
  expect(await readCard()).toBe(
    before
      .replace(line, '# The code was deleted.'.padEnd(line.length))
      .replace(pin, '# PIN taken.'.padEnd(pin.length)),
  )
  expect(await readStored()).toMatchObject({ ...login, serialPort: '/dev/ttyUSB3', simPin: '0123' })
  const asked = steps.length
  expect(await run()).toBe('nothing')
  expect([steps.length, await result()]).toEqual([asked, expect.stringContaining('Enrolled.')])
})

it('says why the cloud cannot be asked, and tries again', async () => {
  let tries = 0
  let said = ''
  answers['enrolments'] = sent => {
    if (tries++ < 3) return { status: 503 }
    said = printed.join('\n')
    return offered(sent)
  }
  expect(await run()).toBe('enrolled')
  expect(said).toContain(
    'The cloud cannot be asked: it answers 503.\nTrying again. This gateway has the address 192',
  )
})

it('says that it has no address in a network', async () => {
  ownAddresses = []
  answers['enrolments'] = sent => (steps.length < 2 ? { status: 503 } : offered(sent))
  expect(await run()).toBe('enrolled')
  expect(printed.join('\n')).toContain(
    'This gateway has no address in a network: look at the cable, or at the',
  )
})

it.each(['code_used', 'code_spent', 'code_expired', 'code_cancelled'])(
  'deletes a code that can be used no more: %s',
  async reason => {
    answers['enrolments'] = refused(reason)
    expect(await run()).toBe('failed')
    expect(await readCard()).not.toContain(code)
    expect(await result()).toBe(
      'Callgate gateway\nNot enrolled: The cloud says no. [2J\nThe code was deleted from the file: write a new one there, and start the gateway again.\n',
    )
  },
)

it('deletes a code whose gateway the admin has refused, and uses the next one', async () => {
  answers['login'] = refused('not_confirmed')
  expect(await run()).toBe('failed')
  expect(await readCard()).not.toContain(code)
  expect(await run()).toBe('nothing')
  answers['login'] = confirmed
  await writeFile(card(), `cloud: ${cloudUrl}/\r\ncode: "${codeOf(4)}"\r\n`)
  expect(await run()).toBe('enrolled')
})

it.each<[string, () => void, string]>([
  ['the cloud does not know', () => (answers['enrolments'] = refused('wrong_code')), 'The cloud says no.'],
  [
    'another cloud was asked with',
    () => (answers['enrolments'] = () => ({ status: 200, body: {} })),
    'does not know',
  ],
])('keeps a code that %s', async (_, change, words) => {
  change()
  expect(await run()).toBe('failed')
  expect(await readCard()).toContain(code)
  expect(await result()).toContain(words)
  expect(await result()).toContain('The code is still in the file.')
})

it('finds a typo without asking the cloud', async () => {
  await writeFile(card(), `cloud: ${cloudUrl}\ncode: ${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}\n`)
  expect(await run()).toBe('failed')
  expect([steps, await result()]).toEqual([[], expect.stringContaining('The code has a typo')])
})

describe('after a power cut', () => {
  const cut = () => Promise.reject(new Error('the power is cut'))
  it.each<[string, (overwrite: BootPartition['overwrite']) => Partial<BootPartition>, string | undefined]>([
    ['while the code is sent', () => ({}), 'enrolments'],
    ['while the admin is waited for', () => ({}), 'login'],
    ['before the code is deleted', () => ({ overwrite: cut }), undefined],
    ['after the code is deleted', real => ({ overwrite: place => real(place).then(cut) }), undefined],
    ['before the cloud knows that the login is stored', () => ({}), 'stored'],
  ])('%s, the enrolment goes on', async (_, change, hanging) => {
    const usual = answers
    if (hanging !== undefined) answers = { ...usual, [hanging]: () => 'hangs' }
    const opened = await openBootPartition({ folder: join(folder, 'boot'), console: '/nowhere' })
    if (!opened) throw new Error('no file')
    expect(await run(change(opened.overwrite), () => hanging !== undefined && steps.at(-1) === hanging)).toBe(
      'cut',
    )
    await opened.close()
    answers = usual
    expect(await run()).toBe('enrolled')
    expect(await readCard()).not.toContain(code)
    const { privateKeyFile } = await readStored()
    expect((await readdir(join(folder, 'etc'))).sort()).toEqual(['callgate-gateway.yaml', privateKeyFile])
    expect(await run()).toBe('nothing')
  })
})

describe('an enrolled gateway', () => {
  beforeEach(() => writeFile(config(), 'gatewayId: old\n'))

  it('is enrolled again only where the file says so', async () => {
    expect(await run()).toBe('failed')
    expect([steps, await result()]).toEqual([[], expect.stringContaining('write replace: true')])
    expect(await readCard()).toContain(code)
    await write('replace: true')
    expect(await run({}, undefined, () => 1)).toBe('enrolled')
    expect(await readStored()).toMatchObject(login)
  })

  it('starts unchanged when nobody confirms, and goes on with the enrolment at the next start', async () => {
    await write('replace: true')
    answers['login'] = waiting
    const slowUntilTaken = () => (steps.at(-1) === 'login' ? 1_000 : 1)
    expect(await run({}, undefined, slowUntilTaken)).toBe('failed')
    expect(await result()).toContain('nobody has confirmed it in 15 minutes')
    expect(await readStored()).toEqual({ gatewayId: 'old' })
    answers['login'] = confirmed
    world = fakeWorld(3)
    expect(await run({}, undefined, () => 1)).toBe('enrolled')
    expect(steps.filter(step => step === 'enrolments')).toHaveLength(1)
  })
})

describe('the file', () => {
  it('is rejected with its mistakes by line, and without a value', async () => {
    await writeFile(card(), `cloud: gates\ncode: ${code}\npin: 9876\nsimPin: 12x\n`)
    expect(await run()).toBe('failed')
    const said = await result()
    for (const line of ['line 1: ', 'line 3: ', 'line 4: ']) expect(said).toContain(line)
    expect(said).not.toMatch(new RegExp(`${code}|9876|12x`))
  })

  it.each([
    ['in brackets', `{cloud: https://a.example, code: ${code}}`],
    ['on the next line', `cloud: https://a.example\ncode:\n  ${code}`],
    ['with a quoted name', `cloud: https://a.example\n"code": ${code}`],
  ])('is rejected with a code %s, which could not be deleted', (_, text) => {
    expect(readFirstBoot(text)).toEqual({ ok: false, message: expect.stringContaining('a line of its own') })
  })

  it('loses its code and no other byte, whatever surrounds it', () => {
    const comment = fc.string({ unit: 'grapheme' }).map(text => `# ${text.replace(/[\p{C}\p{Z}]/gu, ' ')}`)
    const around = fc.array(comment, { maxLength: 4 })
    fc.assert(
      fc.property(
        around,
        around,
        fc.constantFrom('', '\uFEFF'),
        fc.constantFrom('\n', '\r\n'),
        (a, b, mark, end) => {
          const line = `code: ${code} # for 24 hours`
          const linesWith = (own: string) => mark + [...a, own, 'cloud: https://a.example', ...b].join(end)
          const read = readFirstBoot(linesWith(line))
          const place = read.ok ? read.value.places.code : undefined
          if (!place) throw new Error('not read')
          const bytes = Buffer.from(linesWith(line))
          bytes.write(blankFor(place), place.at)
          expect(bytes.toString()).toBe(linesWith('# The code was deleted.'.padEnd(line.length)))
        },
      ),
    )
  })

  it('must not be a link, a folder, or too long; and it may be missing', async () => {
    const open = () => openBootPartition({ folder: join(folder, 'boot'), console: '/nowhere' })
    await writeFile(card(), `#${' '.repeat(40_000)}`)
    expect(await run()).toBe('failed')
    expect(await result()).toContain('is too long')
    await rm(card())
    expect(await open()).toBeUndefined()
    await symlink(config(), card())
    await expect(open()).rejects.toMatchObject({ code: 'ELOOP' })
    await rm(card())
    await mkdir(card())
    await expect(open()).rejects.toMatchObject({ code: 'EISDIR' })
    await rm(card(), { recursive: true })
    await write()
    await rm(join(folder, 'boot/callgate-gateway.txt'))
    await symlink(config(), join(folder, 'boot/callgate-gateway.txt'))
    await expect(open()).rejects.toMatchObject({ code: 'ELOOP' })
  })

  it('is opened before the program becomes another user, and an unusable one is reported', async () => {
    const options = {
      folder: join(folder, 'boot'),
      config: config(),
      dataFolder: 'data',
      console: '/nowhere',
      said: join(folder, 'said.txt'),
    }
    let became = ''
    const dropRoot = async (of: string) => {
      became = of
      await rm(card())
    }
    const command = () =>
      firstBootCommand(
        { world, addresses: () => [], openPlace: noPort, print: text => void printed.push(text), dropRoot },
        options,
      )
    await writeFile(card(), `cloud: ${cloudUrl}\n`)
    const other = await lockEnrolment(join(folder, 'etc'))
    expect(await command()).toBe('failed')
    expect(printed.splice(0)).toEqual([expect.stringContaining('Another enrolment goes on')])
    if (other.ok) other.release()
    await writeFile(card(), `cloud: ${cloudUrl}\n`)
    expect(await command()).toBe('nothing')
    expect(became).toBe(join(folder, 'etc'))
    expect(await command()).toBe('nothing')
    await symlink(config(), card())
    expect(await command()).toBe('unusable')
    expect(printed).toEqual([
      `${card()} has no code: nothing to do.`,
      `There is no callgate-gateway.yaml in ${options.folder}: nothing to do.`,
      `A file cannot be used: ${card()} ELOOP. Run first-boot as root.`,
    ])
  })

  it('and the console show printable characters only', () => {
    expect(plainly('Poartă\u001b[2J\r\nb\u0007')).toBe('Poart??[2J?\nb?')
    expect(plainly('a'.repeat(5_000))).toHaveLength(2_000)
  })
})

it('may open the serial ports that the daemon may open, to read the IMEI of the modem', async () => {
  const units = join(import.meta.dirname, '../../../../deploy/pi/root/usr/lib/systemd/system')
  const portsIn = async (unit: string) =>
    [...(await readFile(join(units, unit), 'utf8')).matchAll(/^DeviceAllow=char-(tty\w+|pts) rw$/gm)].map(
      ([, name]) => name,
    )
  const ports = ['ttyS', 'ttyAMA', 'ttyUSB', 'ttyACM', 'pts']
  expect(await portsIn('callgate-gateway.service')).toEqual(ports)
  expect(await portsIn('callgate-gateway-first-boot.service')).toEqual(ports)
})
