import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { groupedCode, newEnrolmentCode } from '@callgate/contract/enrolment/enrolmentCode'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { WireEvent } from '@callgate/modem/record/recording'
import { recordingLines } from '@callgate/modem/record/recordingText'
import { readReport } from '@callgate/modem/record/reportFile'
import { clcc, phoneNumber, readyModem, ringing } from '@callgate/modem/scriptedModem.kit'
import { fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../config.ts'
import { daemonRig } from '../daemon.kit.ts'
import type { DoctorParts } from '../doctor/doctor.ts'
import { writeKeyFile } from '../keyFile.ts'
import { openLocalServer } from '../local/localServer.ts'
import { lockForDaemon } from '../lock.ts'
import { redactor } from './redact.ts'
import { makeReport, reportOf } from './report.ts'
import { reportCommand } from './reportCommand.ts'

const world = realWorld({ logLevel: 'silent' })
/** The numbers of the scripted modem. */
const modemImei = '867200030000001'

/** A scripted modem that has placed a call. */
async function recordedModem() {
  const { far, modem, verdict } = await readyModem(fakeWorld())
  far.script = [...ringing, [8_000, 'BUSY'], [8_100, clcc(6)]]
  await verdict()
  return modem
}
const password = 'canary/pass"word é'
const pin = '7391'
const phone = '+40722123456'
const imsi = '226101234567890'
const hookSecret = 'canary-hook-argument'

async function arrange(fields: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-report-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const key = await writeKeyFile(join(folder, 'gateway.key'), new Uint8Array(32).fill(9))
  if (!key.ok) throw new Error(key.message)
  const config = {
    gatewayId: newId(world, 'gw'),
    mqttUrl: 'mqtt://127.0.0.1:9',
    mqttPassword: password,
    simPin: pin,
    cloudKeys: [key.key.publicKey],
    privateKeyFile: 'gateway.key',
    serialPort: 'none',
    dataFolder: '.',
    ...fields,
  }
  const configFile = join(folder, 'gateway.yaml')
  await writeFile(configFile, JSON.stringify(config), { mode: 0o600 })
  const parts: DoctorParts = {
    world,
    configFile,
    nodeVersion: '24',
    mayFix: false,
    isQuick: true,
    openAt: () => async () => ({ ok: false, code: 'port_missing', message: '' }),
  }
  return { folder, parts, seed: (await readFile(join(folder, 'gateway.key'), 'utf8')).trim() }
}

it('contains no secret, number, PIN, IMSI or message, whatever the log says', async () => {
  const { folder, parts, seed } = await arrange({ modemHooks: { reset: ['/bin/reset', hookSecret] } })
  await writeFile(join(folder, 'journal'), `damaged ${phone}\n`)
  const log = [
    `2026-11-22T10:00:00 callgate-gateway: ${JSON.stringify({ password, pin })} ${encodeURIComponent(password)} ${password}`,
    `AT+CPIN="${pin}" AT+CIMI ${imsi} ATD${phone}; ${phone.replace('+4', '')} +40 722 123 456 0722 123 456`,
    `0791448720003023440ED0 ${seed}`,
  ].join('\n')
  const { contents, text } = await makeReport(parts, log)
  for (const canary of [
    password,
    encodeURIComponent(password),
    'pass\\"word',
    pin,
    phone,
    '0722123456',
    '722 123 456',
    imsi,
    seed,
    hookSecret,
    '0791448720003023440ED0',
  ])
    expect(text).not.toContain(canary)
  expect(contents.map(({ title }) => title)).toEqual([
    'About',
    'Modem',
    'Doctor',
    'Configuration',
    'Journal',
    'Log',
  ])
  for (const kept of [
    '2026-11-22T10:00:00',
    'baudRate: 115200',
    'reset: /bin/reset',
    'line 1 is damaged',
    'ok       version',
  ])
    expect(text).toContain(kept)
})

it('leaves the log out where the secrets are unknown', async () => {
  const { parts } = await arrange({ gatewayId: 'x' })
  const { text } = await makeReport(parts, password)
  expect(text).toContain('the configuration cannot be read')
  expect(text).not.toContain(password)
})

/** A terminal on which `typed` is answered; null: it is none. */
function terminal(typed: string | null) {
  const input = Object.assign(Readable.from(typed === null ? [] : [typed]), { isTTY: typed !== null })
  const said: string[] = []
  const output = new Writable({
    write(text, _encoding, done) {
      said.push(String(text))
      done()
    },
  })
  let dropped = 0
  return {
    parts: { input, output, environment: {}, dropRoot: async () => void dropped++ },
    said: () => said.join(''),
    dropped: () => dropped,
  }
}

it('says what goes in and what is masked, and writes a new file for its owner alone after a yes', async () => {
  const { folder, parts } = await arrange()
  const out = join(folder, 'report.txt')
  const asked = terminal('Y\n')
  const environment = { SUDO_UID: '1234', SUDO_GID: '1234' }
  expect(await reportCommand(parts, { config: '', out }, { ...asked.parts, environment })).toEqual({
    ok: true,
  })
  const ownUid = (await stat(folder)).uid
  expect((await stat(out)).uid).toBe(ownUid === 0 ? 1234 : ownUid)
  expect(asked.said()).toMatch(
    /^This writes one file.*Nothing is sent anywhere[\s\S]*It masks\n {2}phone numbers[\s\S]*Write it to .*report\.txt\? \(y\/n\)[\s\S]*About: 4 lines\n/,
  )
  expect(asked.dropped()).toBe(1)
  expect((await stat(out)).mode & 0o777).toBe(0o600)
  const text = await readFile(out, 'utf8')
  expect(text).toMatch(/^callgate-gateway report, form 1\n[\s\S]*== Configuration ==[\s\S]*\n== End ==\n$/)
  expect(await reportCommand(parts, { config: '', out }, terminal('y\n').parts)).toMatchObject({
    ok: false,
    message: expect.stringContaining('exists already'),
  })
})

it('writes nothing after a no, at the end of the input, or where nobody can be asked', async () => {
  const { folder, parts } = await arrange()
  const out = join(folder, 'report.txt')
  for (const typed of ['n\n', 'yet\n', '\n', '']) {
    const asked = terminal(typed)
    expect(await reportCommand(parts, { config: '', out }, asked.parts)).toEqual({ ok: true })
    expect(asked.said()).toMatch(/Nothing was written\.\n$/)
    expect(asked.dropped()).toBe(0)
  }
  expect(await reportCommand(parts, { config: '', out }, terminal(null).parts)).toMatchObject({
    ok: false,
    message: expect.stringContaining('--yes'),
  })
  expect(await readdir(folder)).not.toContain('report.txt')
})

it('asks nothing with --yes, and says that there is no configuration where its folder is missing', async () => {
  const { folder, parts } = await arrange()
  const out = join(folder, 'report.txt')
  const dropRoot = () => Promise.reject(Object.assign(new Error('stat'), { code: 'ENOENT' }))
  const lost = { ...parts, configFile: '/nowhere/callgate-gateway.yaml' }
  const asked = terminal(null)
  const options = { config: '', out, yes: true }
  expect(await reportCommand(lost, options, { ...asked.parts, dropRoot })).toEqual({ ok: true })
  expect(asked.said()).toContain('It masks')
  expect(await readFile(out, 'utf8')).toContain('there is no /nowhere/callgate-gateway.yaml')
})

it('takes out the hosts of broker and cloud and the names of users, and lets no text begin a part', async () => {
  const { parts } = await arrange({
    mqttUrl: 'mqtts://gates.example.com:8883',
    cloudUrl: 'https://cloud.example.com',
  })
  const log = '== Call 1 ==\ncloud.example.com GATES.example.com mygates.example.com /home/ana/x +40*****456'
  const { text } = await makeReport(parts, log)
  expect(text).toContain('\n == Call 1 ==\n(host) (host) mygates.example.com /home/(name)/x (number)\n')
  expect(text).toContain('mqttUrl: mqtts://(host):8883')
})

it('has the calls and the modem of the daemon that runs, masked', async () => {
  const { folder, parts } = await arrange()
  const modem = await recordedModem()
  const rig = await daemonRig()
  const config = await readConfig(parts.configFile)
  if (!config.ok) throw new Error(config.message)
  const locked = await lockForDaemon(world, config.value, () => {})
  const answers = { ...rig.daemon.answers(), recording: () => recordingLines(modem.recording()) }
  const server = await openLocalServer({ world, folder, answers })
  onTestFinished(() => {
    server?.close()
    if (locked.ok) locked.release()
  })
  const { calls, numbers, text } = await makeReport(parts, '')
  expect(calls).toBe(1)
  expect(numbers).toBeGreaterThanOrEqual(2)
  expect(text).toContain('model: SIM800L\n')
  expect(text).toContain('signalDbm: -71\n')
  expect(text).toContain('> ATD+83050000001;\\r\n')
  for (const canary of [phoneNumber, phoneNumber.slice(3), modemImei]) expect(text).not.toContain(canary)
  expect(readReport(text)).toMatchObject({
    ok: true,
    recording: { calls: [{ phoneNumber: '+83050000001' }] },
  })
})

it('removes known secrets and long numbers everywhere', () => {
  // Without parentheses, which are part of the replacement texts.
  const secret = fc.stringMatching(/^[!-'*-~]{9,30}$/).filter(text => !'hexadecimal'.includes(text))
  fc.assert(
    fc.property(
      fc.string(),
      secret,
      fc.string(),
      fc.integer({ min: 100_000_000, max: 999_999_999 }),
      (before, hidden, after, digits) => {
        const clean = redactor([hidden])(`${before} ${hidden} ${after} ${digits}`)
        expect(clean).not.toContain(String(digits))
        expect(clean.includes(hidden)).toBe(false)
      },
    ),
  )
})

const digits = (min: number, max = min) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`))
const code = fc.uint8Array({ minLength: 10, maxLength: 10 }).map(newEnrolmentCode)
const base64url = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map(random => Buffer.from(random).toString('base64url'))
/** Every kind of private text, as a log could contain it. */
const hidden = fc.oneof(
  digits(8, 15).map(number => `+4${number}`),
  digits(3).map(number => `+40 722 ${number} ${number}`),
  digits(15),
  digits(19, 20),
  code.filter(text => /\d/.test(text)),
  code.map(groupedCode).filter(text => /\d/.test(text)),
  base64url(32),
  fc.stringMatching(/^[0-9A-F]{20,60}$/),
  fc.stringMatching(/^svc_live_[0-9A-Za-z]{36}$/),
)
const id = fc.oneof(
  fc
    .tuple(fc.constantFrom(...Object.values(idPrefix)), fc.integer())
    .map(([prefix, seed]) => newId(fakeWorld(seed), prefix)),
  fc.stringMatching(/^[0-9a-f]{15}[a-f]$/),
)

it('keeps ids whole, and removes every number, code, key and message beside them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(id, hidden, fc.constantFrom(' ', '"', ',', '\n', ': ')), {
        minLength: 1,
        maxLength: 6,
      }),
      parts => {
        const clean = redactor(['7391'])(
          parts.map(([one, secret, gap]) => [one, secret, '7391', ''].join(gap)).join(''),
        )
        for (const [one] of parts) expect(clean).toContain(one)
        const rest = parts.reduce((left, [one]) => left.replaceAll(one, ''), clean)
        expect(rest).not.toMatch(/\d{4}/)
        for (const [, secret] of parts)
          for (let place = 0; place + 6 <= secret.length; place++)
            expect(rest).not.toContain(secret.slice(place, place + 6))
      },
    ),
    {
      numRuns: 300,
      // A key that contains text like a message and a number: pieces of it once stayed.
      examples: [[[['00000000000000af', 'AAAAAAAAAAAA420000AAAAAAAAAAAAAAAAAABQAAAAA', ' ']]]],
    },
  )
})

it('lets no part of a report through with a number, code, key or name in it', () => {
  const withNames = fc.record({
    title: fc.constantFrom('Doctor', 'Log'),
    secret: hidden,
    before: fc.constantFrom('', 'dialling ', '== ', 'AT+CIMI\n'),
  })
  const call = (text: string): WireEvent => ({ atMs: 5, kind: 'from', text: `\r\n+CLIP: "${text}",129\r\n` })
  fc.assert(
    fc.property(fc.array(withNames, { maxLength: 4 }), digits(9, 14), (parts, number) => {
      const sections = parts.map(({ before, secret, title }) => ({ title, text: `${before}${secret}` }))
      const events = [call(number), call('gates.example.com')]
      const recording = { setUp: { events, isCut: false }, failedSetUp: null, calls: [] }
      const hosts = ['gates.example.com']
      const { text } = reportOf({ sections, recording, secrets: ['hunter2secret'], hosts })
      for (const canary of [number, 'example.com', ...parts.map(({ secret }) => secret)])
        expect(text).not.toContain(canary)
      expect(readReport(text)).toMatchObject({ ok: true, recording: { calls: [] } })
    }),
    { numRuns: 200 },
  )
})

it("removes the content of messages and of the network's answers, and keeps the name of the boot", () => {
  const bootId = 'A1b2C3d4E5123456789-_x'
  const clean = redactor([])(
    `baud 115200, 115201. 0115200 +40 722 115200\n+CUSD: 0,"Sold 12 lei",15\n+CMGR: 1,"REC",Ana\nbootId="${bootId}"`,
  )
  expect(clean).toBe(
    `baud 115200, (number). (number) (number)\n+CUSD: (message)\n+CMGR: (message)\nbootId="${bootId}"`,
  )
})

it('removes the names of callers and the place of the modem from the lines of a trace, as text and in JSON', () => {
  const clean = redactor([])
  const json = (line: string) => JSON.stringify({ line, msg: 'wire' })
  const cases = [
    ['+CLIP: "+40*****456",145,"",0,"Ion Popescu",0', '+CLIP: (name)'],
    ['+CLCC: 1,0,3,0,0,"",128,"Ion"', '+CLCC: 1,0,3,0,0,(name)'],
    ['+CNAP: "Ion Popescu"', '+CNAP: (name)'],
    ['+CPBR: 1,"",129,"Ion"', '+CPBR: 1,(name)'],
    ['+CREG: 2,1,"1A2B","01C3F2D4",7', '+CREG: 2,1,(place)'],
    ['+CEREG: 2,1,1a2b,1C3F2D4,7', '+CEREG: 2,1,(place)'],
    ['+CPSI: GSM,Online,226-10,0x182d,12401,27', '+CPSI: GSM,Online,226-10,(place)'],
    ['+CREG: 2,1', '+CREG: 2,1'],
    ['AT+CLIP=1', 'AT+CLIP=1'],
    ['+COPS: 0,0,"ORANGE"', '+COPS: 0,0,"ORANGE"'],
  ] as const
  for (const [line, expected] of cases) {
    expect(clean(`${line}\nnext "line"`)).toBe(`${expected}\nnext "line"`)
    expect(clean(json(line))).toBe(json(expected))
  }
})
