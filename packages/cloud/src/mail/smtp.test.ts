import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { readMime } from './mail.kit.ts'
import type { Delivery, Message } from './message.ts'
import { harmless, smtpTransport, writeMime } from './smtp.ts'
import type { SmtpServer } from './smtpServer.ts'

const from = { name: 'Gates, of "Lake view"', address: 'gates@example.com' }
const message: Message = {
  mailId: 'mail_1',
  to: { name: 'Ana', address: 'ana@example.com' },
  subject: 'Lake view: your link',
  text: 'Hello\n.\n..dots and ăîșțâ: https://gates.example/g/4yN3mS1mGrxXo5Wc0dLQJc1ilqBkqX3F\n',
  html: '<p>Привіт</p>',
  atMs: Date.UTC(2026, 8, 7, 8, 5, 9),
}

interface Arrived {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
  readonly user: string | undefined
}

let open: SMTPServer[] = []
afterEach(async () => {
  for (const server of open) await new Promise<void>(resolve => server.close(() => resolve()))
  open = []
})

function hangUp(): void {
  for (const server of open) for (const connection of server.connections) connection.close()
}

/** A real server on loopback, and the messages that it received. */
async function relay(options: SMTPServerOptions = {}) {
  const arrived: Arrived[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        arrived.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
          user: session.user,
        })
        done()
      })
    },
    ...options,
  })
  // A client that disconnects is an error for the server, but not for the test.
  server.on('error', () => {})
  open.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const here: SmtpServer = { host: '127.0.0.1', port, isTls: false, isLocal: true, login: undefined }
  const send = (given: Partial<SmtpServer> = {}, what: Partial<Message> = {}): Promise<Delivery> =>
    smtpTransport({ ...here, ...given }, from).send({ ...message, ...what }, new AbortController().signal)
  return { arrived, send }
}

const refusal = (code: number, words = 'no') => Object.assign(new Error(words), { responseCode: code })

it('delivers a mail as it was written: envelope, headers, both bodies', async () => {
  const { arrived, send } = await relay()
  expect(await send()).toEqual({ outcome: 'sent' })
  const [mail, ...more] = arrived
  expect(more).toEqual([])
  expect(mail).toMatchObject({ from: 'gates@example.com', to: ['ana@example.com'] })
  const { bodies, header, names } = readMime(mail?.raw ?? '')
  expect([...names].sort()).toEqual([
    ...['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'],
  ])
  expect(header('from')).toBe('"Gates, of \\"Lake view\\"" <gates@example.com>')
  expect(header('to')).toBe('Ana <ana@example.com>')
  expect(header('subject')).toBe(message.subject)
  expect(header('date')).toBe('Mon, 07 Sep 2026 08:05:09 +0000')
  expect(header('message-id')).toBe('<mail_1@example.com>')
  expect(header('auto-submitted')).toBe('auto-generated')
  expect(header('content-type')).toContain('multipart/alternative')
  expect(bodies['text/plain']?.trimEnd()).toBe(message.text.trimEnd())
  expect(bodies['text/html']?.trimEnd()).toBe(message.html)
  expect(bodies['image/png']).toContain('PNG')
  expect(mail?.raw).toMatch(/^Content-Id: <mark@callgate>\r$/im)
})

const hostile: readonly string[] = [
  'Ana\r\nBcc: eve@example.com',
  'Ana\nSubject: other\n\nbody',
  '"Ana" <eve@example.com>, eve@example.com',
  'eve@example.com,',
  'Ana\u2028Bcc: eve@example.com',
  '=?utf-8?Q?Ana=0D=0ABcc:_eve=40example.com?=',
  'Ștefan Țiriac 🚪 Їжак',
  'Łódź '.repeat(200),
  'x'.repeat(2_000),
  ';:\\()<>[]@,."',
]
it.each(hostile)('keeps a hostile name a mere name: %j', async name => {
  const { arrived, send } = await relay()
  const to = { name, address: 'ana@example.com' }
  expect(await send({}, { to, subject: `${name}: link` })).toEqual({ outcome: 'sent' })
  expect(arrived.map(mail => mail.to)).toEqual([['ana@example.com']])
  const raw = arrived[0]?.raw ?? ''
  const { header, names } = readMime(raw)
  expect(names).toHaveLength(8)
  // The only address is last; anything else that looks like one is quoted or encoded.
  const folded = /^To: (.*(?:\r\n[ \t].*)*)/m.exec(raw)?.[1] ?? ''
  expect(folded.replace(/"(?:[^"\\]|\\.)*"/g, '')).not.toMatch(/eve@example\.com/)
  expect(header('to')).toMatch(/<ana@example\.com>$/)
  expect(header('message-id')).toBe('<mail_1@example.com>')
  for (const line of raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
})

describe('the answer of the server', () => {
  it.each([
    ['a 5xx to the recipient', { onRcptTo: (_a, _s, done) => done(refusal(550)) }, 'refused', undefined],
    ['a 4xx to the recipient', { onRcptTo: (_a, _s, done) => done(refusal(450)) }, 'failed', false],
    ['a 5xx to the sender', { onMailFrom: (_a, _s, done) => done(refusal(550)) }, 'failed', true],
    [
      'a 5xx to the message',
      { onData: (stream, _s, done) => void stream.resume().on('end', () => done(refusal(554))) },
      'refused',
      undefined,
    ],
    [
      'a 4xx to the message',
      { onData: (stream, _s, done) => void stream.resume().on('end', () => done(refusal(451))) },
      'failed',
      false,
    ],
    ['a 5xx to the connection', { onConnect: (_s, done) => done(refusal(554)) }, 'failed', true],
  ] satisfies [string, SMTPServerOptions, string, boolean | undefined][])(
    '%s',
    async (_, options, outcome, isForAll) => {
      const { send } = await relay(options)
      const delivery = await send()
      expect(delivery.outcome).toBe(outcome)
      if (delivery.outcome === 'failed') expect(delivery.isForAll).toBe(isForAll)
    },
  )

  it('is recorded without link, token and address', async () => {
    const quoting = 'ana@example.com: https://gates.example/g/4yN3mS1mGrxXo5Wc0dLQJc1ilqBkqX3F looks bad'
    const { send } = await relay({ onRcptTo: (_a, _s, done) => done(refusal(550, quoting)) })
    expect(await send()).toEqual({
      outcome: 'refused',
      why: 'the server answered: 550 [address] [link] looks bad',
    })
    expect(harmless('token 4yN3mS1mGrxXo5Wc0dLQJc1ilqBkqX3F\r\nagain')).toBe('token [hidden] again')
    expect(harmless('no '.repeat(500)).length).toBeLessThanOrEqual(300)
  })

  it('leaves the outcome unknown where it is missing after the whole message', async () => {
    const { send } = await relay({
      onData(stream) {
        stream.resume().on('end', () => hangUp())
      },
    })
    expect((await send()).outcome).toBe('unknown')
  })

  it('means that the mail was not sent where it is missing before the message was requested', async () => {
    const { send } = await relay({
      onRcptTo: () => hangUp(),
    })
    expect(await send()).toMatchObject({ outcome: 'failed', isForAll: true })
  })

  it('is missing where nobody listens', async () => {
    const { send } = await relay()
    expect(await send({ port: 1 })).toMatchObject({ outcome: 'failed', isForAll: true })
  })
})

it('is no longer awaited after an abort, and the outcome says whether the message was handed over', async () => {
  const attempt = new AbortController()
  const { port } = await new Promise<AddressInfo>(resolve => {
    const server = new SMTPServer({ authOptional: true, hideSTARTTLS: true, onRcptTo: () => attempt.abort() })
    server.on('error', () => {})
    open.push(server)
    server.listen(0, '127.0.0.1', () => resolve(server.server.address() as AddressInfo))
  })
  const server: SmtpServer = { host: '127.0.0.1', port, isTls: false, isLocal: true, login: undefined }
  const delivery = await smtpTransport(server, from).send(message, attempt.signal)
  expect(delivery.outcome).toBe('failed')
})

describe('the login', () => {
  const login = { user: 'gates', password: 'hunter2' }
  const asked: string[] = []
  const checked: SMTPServerOptions = {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth(auth, _session, done) {
      asked.push(auth.password ?? '')
      if (auth.password === login.password) done(null, { user: auth.username ?? '' })
      else done(refusal(535, `no such password: ${auth.password}`))
    },
  }

  it('is sent on this machine also without encryption', async () => {
    const { arrived, send } = await relay(checked)
    expect(await send({ login })).toEqual({ outcome: 'sent' })
    expect(arrived[0]?.user).toBe('gates')
  })

  it('fails for all mails where it is wrong, and is not quoted', async () => {
    const { send } = await relay(checked)
    const delivery = await send({ login: { user: 'gates', password: 'letmein' } })
    expect(delivery).toMatchObject({ outcome: 'failed', isForAll: true })
    expect(JSON.stringify(delivery)).not.toContain('letmein')
  })

  it.each([
    ['offers no TLS', { ...checked, disabledCommands: ['STARTTLS'] }],
    ['has a certificate that nobody signed', { ...checked, disabledCommands: [] }],
  ])('is withheld from a server elsewhere that %s', async (_, options) => {
    asked.length = 0
    const { arrived, send } = await relay(options)
    expect(await send({ login, isLocal: false })).toMatchObject({ outcome: 'failed', isForAll: true })
    expect([asked, arrived]).toEqual([[], []])
  })

  it('uses TLS where this machine offers it', async () => {
    const { arrived, send } = await relay({ ...checked, disabledCommands: [], allowInsecureAuth: false })
    expect(await send({ login })).toEqual({ outcome: 'sent' })
    expect(arrived).toHaveLength(1)
  })
})

it('writes the same MIME message twice, except for the boundary', async () => {
  const plain = async () =>
    (await writeMime(message, from)).toString().replace(/--_NmP-[\w-]+|boundary="[^"]*"/g, '')
  expect(await plain()).toBe(await plain())
})

it('dates the mail by RFC 5322, section 3.3', async () => {
  const form = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} \+0000$/
  for (const atMs of [
    0,
    Date.UTC(2026, 0, 1),
    Date.UTC(2028, 1, 29, 23, 59, 59, 999),
    Date.UTC(2099, 11, 31),
  ]) {
    const date = readMime((await writeMime({ ...message, atMs }, from)).toString()).header('date')
    expect(date).toMatch(form)
    expect(Date.parse(date)).toBe(Math.floor(atMs / 1000) * 1000)
  }
})
