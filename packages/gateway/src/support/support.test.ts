import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { groupedCode, newEnrolmentCode } from '@callgate/contract/enrolment/enrolmentCode'
import { idPrefix } from '@callgate/contract/idPrefix'
import { fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import type { DoctorParts } from '../doctor/doctor.ts'
import { writeKeyFile } from '../keyFile.ts'
import { redactor } from './redact.ts'
import { supportBundle } from './supportBundle.ts'
import { supportCommand } from './supportCommand.ts'

const world = realWorld({ logLevel: 'silent' })
const password = 'canary/pass"word é'
const pin = '7391'
const phone = '+40722123456'
const imsi = '226101234567890'
const hookSecret = 'canary-hook-argument'

async function arrange(fields: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-support-'))
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
  const { contents, text } = await supportBundle(parts, log)
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
  expect(contents.map(({ title }) => title)).toEqual(['Doctor', 'Configuration', 'Journal', 'Log'])
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
  const { text } = await supportBundle(parts, password)
  expect(text).toContain('the configuration cannot be read')
  expect(text).not.toContain(password)
})

it('shows everything, or lists its parts and writes a new file that only its owner can read', async () => {
  const { folder, parts } = await arrange()
  const shown: string[] = []
  let dropped = 0
  const printing = (texts: string[]) => ({
    print: (text: string) => void texts.push(text),
    dropRoot: async () => void dropped++,
  })
  expect(await supportCommand(parts, undefined, printing(shown))).toEqual({ ok: true })
  expect(shown.join()).toContain('== Configuration ==')
  const out = join(folder, 'bundle.txt')
  const said: string[] = []
  expect(await supportCommand(parts, out, printing(said))).toEqual({ ok: true })
  expect(said[0]).toMatch(/^Doctor: \d+ lines\nConfiguration: 12 lines/)
  expect(dropped).toBe(2)
  expect((await stat(out)).mode & 0o777).toBe(0o600)
  expect(await supportCommand(parts, out, printing([]))).toMatchObject({
    ok: false,
    message: expect.stringContaining('exists already'),
  })
})

it('says that there is no configuration where its folder is missing', async () => {
  const { parts } = await arrange()
  const shown: string[] = []
  const dropRoot = () => Promise.reject(Object.assign(new Error('stat'), { code: 'ENOENT' }))
  const lost = { ...parts, configFile: '/nowhere/callgate-gateway.yaml' }
  const print = (text: string) => void shown.push(text)
  expect(await supportCommand(lost, undefined, { print, dropRoot })).toEqual({ ok: true })
  expect(shown.join()).toContain('there is no /nowhere/callgate-gateway.yaml')
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

it("removes the content of messages and of the network's answers, and keeps the name of the boot", () => {
  const bootId = 'A1b2C3d4E5123456789-_x'
  const clean = redactor([])(
    `baud 115200, 115201. 0115200 +40 722 115200\n+CUSD: 0,"Sold 12 lei",15\n+CMGR: 1,"REC",Ana\nbootId="${bootId}"`,
  )
  expect(clean).toBe(
    `baud 115200, (number). (number) (number)\n+CUSD: (message)\n+CMGR: (message)\nbootId="${bootId}"`,
  )
})
