import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  commitmentOf,
  fingerprintOf,
  loginBytes,
  offerBytes,
  proofBytes,
} from '@callgate/contract/enrolment/agreement'
import { newEnrolmentCode } from '@callgate/contract/enrolment/enrolmentCode'
import { signingKey, verifyingKey } from '@callgate/contract/wire/signature'
import { selfSigned } from '@callgate/mqtt/certificate.kit'
import { type FakeWorld, fakeWorld, settle } from '@callgate/world/fake'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cloudUrlFault } from '../cloudAddress.ts'
import { readYaml } from '../yamlFile.ts'
import { type EnrolmentGiven, type EnrolmentNews, enrol, readEnrolmentLink } from './enrol.ts'
import { cloudCalls } from './enrolmentCalls.ts'
import { storeLogin } from './newConfiguration.ts'

const cloudKey = signingKey(new Uint8Array(32).fill(9))
const otherKey = signingKey(new Uint8Array(32).fill(8))
const enrolmentId = 'enrol_01kdhx3m8e2w7q5v9z4r6t8y0a'
const cloudNonce = 'N'.repeat(22)
const cloudKeys = [cloudKey.publicKey]
const code = newEnrolmentCode(new Uint8Array(10).fill(3))
const login = {
  gatewayId: 'gw_01kdhx3m8e2w7q5v9z4r6t8y0b',
  mqttUrl: 'mqtts://gates.example.com:8883',
  mqttPassword: 'secret',
  cloudKeys,
}
const usual = {
  cloudUrl: 'https://gates.example.com',
  serialPort: '/dev/serial0',
  dataFolder: 'data',
  allowPlainMqtt: false,
}

type Answer = {
  readonly status: number
  readonly body?: object
  readonly page?: string
  readonly retryAfter?: string
  readonly location?: string
}
type EnrolmentBody = Record<string, string>

let server: Server
let folder: string
let world: FakeWorld
let cloudUrl: string
/** The answers of the simulated cloud, by the last step of the path. */
let answers: Record<string, (asked: EnrolmentBody) => Answer>
let asked: [string, EnrolmentBody][]
let news: EnrolmentNews[]

/** The offer to every gateway, signed by `key`. */
const offered =
  (key = cloudKey) =>
  ({ commitment = '', publicKey = '' }: EnrolmentBody): Answer => {
    const offer = { enrolmentId, cloudNonce, cloudKeys }
    const signature = key.sign(offerBytes({ ...offer, publicKey, commitment })).toString('base64url')
    return { status: 200, body: { ...offer, signature } }
  }
const waiting = (): Answer => ({ status: 200, body: { state: 'waiting', againInS: 3 } })
const confirmed =
  (key = cloudKey) =>
  (): Answer => {
    const signature = key.sign(loginBytes(enrolmentId, login)).toString('base64url')
    return { status: 200, body: { state: 'confirmed', login, signature } }
  }
const refusal = (status: number, reason?: string): Answer => {
  const error = { code: 'conflict', message: 'No.', ...(reason !== undefined && { reason }) }
  return { status, body: { error } }
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-enrol-'))
  world = fakeWorld(1)
  answers = { enrolments: offered(), login: confirmed(), stored: () => ({ status: 204 }) }
  asked = []
  news = []
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const step = request.url?.split('/').at(-1) ?? ''
      const sent = JSON.parse(Buffer.concat(chunks).toString()) as EnrolmentBody
      asked.push([step, sent])
      const { body, location, page, retryAfter, status } = answers[step]?.(sent) ?? { status: 404 }
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
      if (location !== undefined) response.setHeader('location', location)
      response.writeHead(status)
      response.end(body ? JSON.stringify(body) : page)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  cloudUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

const config = () => join(folder, 'callgate-gateway.yaml')
async function run(given: Partial<EnrolmentGiven> = {}) {
  let isOver = false
  const end = enrol({
    ...{
      world,
      cloudUrl,
      code,
      folder,
      device: async () => ({ device: { version: '0.1.0' }, says: 'Serial number: 1.' }),
    },
    tell: told => void news.push(told),
    store: stored => storeLogin(config(), stored, usual),
    ...given,
  }).finally(() => {
    isOver = true
  })
  for (await settle(10); !isOver; await settle(10)) await world.advance(1_000)
  return end
}
/** The stored configuration, whose values are texts and lists of texts. */
async function readStored() {
  const read = readYaml(await readFile(config(), 'utf8'))
  if (!read.ok) throw new Error('no YAML')
  return read.value as { privateKeyFile: string; [name: string]: unknown }
}
const steps = () => asked.map(([step]) => step)

it('uses the code, proves its key, stores the login readable by its owner only, and confirms that', async () => {
  let isConfirmed = false
  answers['login'] = () => {
    const answer = isConfirmed ? confirmed()() : waiting()
    isConfirmed = true
    return answer
  }
  expect(await run()).toMatchObject({ ok: true, login: { ...login, privateKeyFile: expect.any(String) } })
  expect(steps()).toEqual(['enrolments', 'login', 'login', 'stored'])
  const [first = {}, proof = {}, , stored = {}] = asked.map(([, sent]) => sent)
  const { commitment, publicKey } = first
  const { gatewayNonce = '', signature = '' } = proof
  expect(commitment).toBe(commitmentOf({ gatewayNonce, publicKey: publicKey ?? '' }))
  const holds = (kind: 'ask' | 'stored', by: string) =>
    verifyingKey(publicKey ?? '')?.verify(
      proofBytes(kind, { enrolmentId, gatewayNonce, cloudNonce }),
      Buffer.from(by, 'base64url'),
    )
  expect([holds('ask', signature), holds('stored', stored['signature'] ?? '')]).toEqual([true, true])
  const agreement = { enrolmentId, publicKey: publicKey ?? '', gatewayNonce, cloudNonce, cloudKeys }
  expect(news).toEqual([
    { kind: 'compare', fingerprint: fingerprintOf(agreement), ofDevice: 'Serial number: 1.' },
  ])
  const written = await readStored()
  expect(written).toMatchObject({ ...login, serialPort: '/dev/serial0' })
  for (const file of [config(), join(folder, written.privateKeyFile)])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await readdir(folder)).sort()).toEqual(['callgate-gateway.yaml', written.privateKeyFile].sort())
})

it('rejects every cloud but the one whose key came with the code or that has signed the offer', async () => {
  expect(await run({ cloudKey: otherKey.publicKey })).toMatchObject({ ok: false, code: 'other_cloud' })
  answers['enrolments'] = offered(otherKey)
  expect(await run()).toMatchObject({ ok: false, code: 'other_cloud' })
  answers['enrolments'] = offered()
  answers['login'] = confirmed(otherKey)
  expect(await run({ cloudKey: cloudKey.publicKey })).toMatchObject({ ok: false, code: 'other_cloud' })
  expect(await readdir(folder)).not.toContain('callgate-gateway.yaml')
})

it('retries while the cloud cannot be asked, reports every new reason once, and waits as Retry-After says', async () => {
  const failing: Answer[] = [{ status: 503, retryAfter: '60' }, { status: 429 }, { status: 503 }]
  answers['enrolments'] = sent => failing.shift() ?? offered()(sent)
  expect((await run()).ok).toBe(true)
  expect(world.monotonicMs()).toBeGreaterThan(60_000)
  expect(news.map(told => told.kind === 'trouble' && told.why)).toEqual([
    'it answers 503',
    'it answers 429',
    'it answers 503',
  ])
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  const noted: string[] = []
  const told = new Promise<string>(resolve => {
    void enrol({
      world: fakeWorld(2),
      cloudUrl,
      code,
      folder: join(folder, 'b'),
      device: async () => ({ device: { version: '1' }, says: '' }),
      tell: said => void (said.kind === 'trouble' && resolve(said.why)),
      store: async () => ({ ok: true }),
    })
  })
  noted.push(await told)
  expect(noted).toEqual(['nobody listens there: check the address'])
})

it('gives up after 10 minutes without the cloud where somebody waits, and reports each minute that it goes on', async () => {
  answers['enrolments'] = () => ({ status: 503 })
  const toldMs: number[] = []
  const tell = () => void toldMs.push(world.monotonicMs())
  expect(await run({ isAttended: true, tell })).toMatchObject({
    ok: false,
    code: 'not_reached',
    message: expect.stringContaining('could not be asked for 10 minutes: it answers 503'),
  })
  expect(world.monotonicMs()).toBeGreaterThanOrEqual(600_000)
  expect(toldMs.length).toBeGreaterThan(2)
  for (const [index, atMs] of toldMs.entries())
    expect(atMs - (toldMs[index - 1] ?? -60_000)).toBeGreaterThanOrEqual(60_000)
  answers['enrolments'] = offered()
  expect((await run({ isAttended: true })).ok).toBe(true)
})

it('asks again after ten minutes at the latest, even if the cloud names a longer wait', async () => {
  const failing: Answer[] = [{ status: 429, retryAfter: '99999999999' }]
  answers['enrolments'] = sent => failing.shift() ?? offered()(sent)
  const waits = [{ state: 'waiting', againInS: 99_999_999_999 }]
  answers['login'] = () => {
    const body = waits.shift()
    return body ? { status: 200, body } : confirmed()()
  }
  const after = vi.spyOn(world, 'after')
  expect((await run()).ok).toBe(true)
  expect(after.mock.calls.map(([ms]) => ms)).toEqual([600_000, 600_000])
})

it.each<[string, Answer, string]>([
  ['what the cloud refuses, in its words', refusal(409, 'code_used'), 'code_used'],
  ['a refusal without a reason', refusal(400), 'not_understood'],
  ['an answer of something else', { status: 200, body: { hello: 1 } }, 'not_understood'],
  ['a page of something else', { status: 404 }, 'not_the_cloud'],
])('ends with %s', async (_, answer, expected) => {
  answers['enrolments'] = () => answer
  expect(await run()).toMatchObject({ ok: false, code: expected })
})

it.each<[string, Answer, RegExp]>([
  [
    'another address',
    { status: 301, location: 'https://www.example.com/enrol/v1/enrolments?x=1' },
    /sends this program on to https:\/\/www\.example\.com, and the code was not sent there\./,
  ],
  ['a redirect to nowhere', { status: 302, location: 'javascript:1' }, /it answers 302 with something else/],
  ['a page to sign in at', { status: 200, page: '<html>Hotel Wi-Fi</html>' }, /answers 200 with something/],
  ['a site without an enrolment', { status: 404, page: 'Not Found' }, /answers 404 with something else/],
  ['a proxy', { status: 407, page: 'Proxy Authentication Required' }, /it answers 407/],
])('sends the code to no other address, and gives advice, where %s answers', async (_, answer, words) => {
  answers['enrolments'] = () => answer
  const ended = await run()
  expect(ended).toMatchObject({ ok: false, code: 'not_the_cloud', message: expect.stringMatching(words) })
  expect(ended).toMatchObject({ message: expect.stringContaining(cloudUrl) })
  expect(ended).toMatchObject({ message: expect.not.stringMatching(/\p{Cc}|Hotel/u) })
  expect(steps()).toEqual(['enrolments'])
  answers['enrolments'] = offered()
  expect((await run()).ok).toBe(true)
})

it('ends where its login is malformed or cannot be stored, and goes on the next time without the code', async () => {
  answers['login'] = () => ({ status: 200, body: { state: 'confirmed' } })
  expect(await run()).toMatchObject({ ok: false, code: 'not_understood' })
  answers['login'] = confirmed()
  const store = async () => ({ ok: false as const, message: 'The disk is full.' })
  expect(await run({ store })).toEqual({ ok: false, code: 'not_stored', message: 'The disk is full.' })
  expect(await run({ code: undefined })).toMatchObject({ ok: true })
  expect(steps().filter(step => step === 'enrolments')).toHaveLength(1)
})

it('makes another key for another code, and keeps the key of the running gateway', async () => {
  expect((await run()).ok).toBe(true)
  const runs = (await readStored()).privateKeyFile
  answers['enrolments'] = () => refusal(409, 'code_expired')
  for (const byte of [4, 5]) await run({ code: newEnrolmentCode(new Uint8Array(10).fill(byte)) })
  const keys = (await readdir(folder)).filter(name => name.endsWith('.key'))
  expect(keys).toHaveLength(2)
  expect(keys).toContain(runs)
  const sent = asked.filter(([step]) => step === 'enrolments').map(([, { publicKey }]) => publicKey)
  expect(new Set(sent).size).toBe(3)
})

it('uses the authority of the cloud for a broker inside the cloud, and for no other', async () => {
  const authorityOf = async (named: Partial<typeof login> & { ca?: string }) => {
    answers['login'] = () => {
      const whole = { ...login, ...named }
      const signature = cloudKey.sign(loginBytes(enrolmentId, whole)).toString('base64url')
      return { status: 200, body: { state: 'confirmed', login: whole, signature } }
    }
    const enrolled = await run({ ca: 'OWN' })
    return enrolled.ok ? enrolled.login?.ca : enrolled.message
  }
  const mqttUrl = `mqtts://${new URL(cloudUrl).hostname}:8883`
  expect(await authorityOf({ mqttUrl })).toBe('OWN')
  expect(await readFile(join(folder, 'broker-authority.pem'), 'utf8')).toBe('OWN')
  expect(await authorityOf({ mqttUrl, ca: 'OF THE BROKER' })).toBe('OF THE BROKER')
  expect(await authorityOf({})).toBeUndefined()
})

it('keeps the key that is in the configuration when it was interrupted before it noted that and another code comes', async () => {
  const store: EnrolmentGiven['store'] = async stored => {
    await storeLogin(config(), stored, usual)
    return { ok: false, message: 'cut off' }
  }
  expect(await run({ store })).toMatchObject({ ok: false, message: 'cut off' })
  answers['enrolments'] = () => refusal(409, 'code_expired')
  expect(await run({ code: newEnrolmentCode(new Uint8Array(10).fill(4)) })).toMatchObject({ ok: false })
  expect(await readdir(folder)).toContain((await readStored()).privateKeyFile)
})

it('checks the key of the cloud also in an enrolment that began without it', async () => {
  const store = async () => ({ ok: false as const, message: 'The disk is full.' })
  await run({ store })
  expect(await run({ cloudKey: otherKey.publicKey })).toMatchObject({ ok: false, code: 'other_cloud' })
  expect(await run({ cloudKey: cloudKey.publicKey })).toMatchObject({ ok: true })
})

it('removes control characters from the text of a refusal', async () => {
  const error = {
    code: 'conflict',
    message: `No.\u001b[2J\u009b1m\r\n${'x'.repeat(1_000)}`,
    reason: 'code_used',
  }
  answers['enrolments'] = () => ({ status: 409, body: { error } })
  const refused = await run()
  expect(refused).toMatchObject({ message: expect.stringMatching(/^No\. \[2J 1m x{400,}$/) })
  expect(refused).toMatchObject({ message: expect.not.stringMatching(/\p{Cc}/u) })
})

it('trusts a cloud over HTTPS by the given authority, and names what is missing without it', async () => {
  const secure = createTlsServer(selfSigned, (_, response) => response.end('{}'))
  await new Promise<void>(resolve => secure.listen(0, resolve))
  const { port } = secure.address() as AddressInfo
  const post = (host: string, ca?: string) => cloudCalls(`https://${host}:${port}`, ca)('/enrol', {})
  expect(await post('localhost', selfSigned.cert)).toMatchObject({ isAnswer: true, status: 200, body: {} })
  expect(await post('localhost')).toMatchObject({ isAnswer: false, why: expect.stringContaining('--ca') })
  expect(await post('127.0.0.1', selfSigned.cert)).toMatchObject({
    isAnswer: false,
    why: 'its certificate is of another name: check the address',
  })
  secure.closeAllConnections()
  await new Promise(resolve => secure.close(resolve))
})

describe('a typed code or address', () => {
  it('is rejected before the cloud is asked', async () => {
    expect(await run({ code: 'ABC' })).toMatchObject({ ok: false, code: 'bad_code' })
    expect(await run({ code: undefined })).toMatchObject({ ok: false, code: 'nothing_begun' })
    expect(await run({ cloudUrl: 'http://gates.example.com' })).toMatchObject({
      ok: false,
      code: 'bad_address',
    })
    expect(asked).toEqual([])
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    ['https://gates.example.com', undefined],
    ['https://gates.example.com:8443', undefined],
    ['http://localhost:8080', undefined],
    ['http://gates.example.com', 'must begin with https://'],
    ['gates.example.com', 'must be like https://'],
    ['ftp://gates.example.com', 'must be like https://'],
    ['https://gates.example.com/app', 'must end with its host'],
    ['https://ada@gates.example.com', 'must end with its host'],
  ])('is checked as an address: %s', (address, fault) => {
    const said = cloudUrlFault(address)
    if (fault === undefined) expect(said).toBeUndefined()
    else expect(said).toContain(fault)
  })

  it('may be the link of a QR code', () => {
    const link = `https://gates.example.com/enrol#${code}.${cloudKey.publicKey}`
    const read = { cloudUrl: 'https://gates.example.com', code, cloudKey: cloudKey.publicKey }
    expect(readEnrolmentLink(` ${link}\n`)).toEqual(read)
    expect(readEnrolmentLink(code)).toBeUndefined()
  })
})
