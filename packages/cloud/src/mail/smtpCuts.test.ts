// A server of mails that goes away after any byte of what it says: by a reset, by a half-close, or without a word.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Delivery, Message } from './message.ts'
import { smtpTransport } from './smtp.ts'

const message: Message = {
  ...{ mailId: 'mail_1', to: { name: 'Ana', address: 'ana@example.com' } },
  ...{ subject: 'Your link', text: 'Hello', html: '<p>Hello</p>', atMs: 0 },
}
const from = { name: '', address: 'gates@example.com' }

/** What the server says: at the connection, to EHLO, MAIL, RCPT, DATA and the whole message. */
const replies = [
  ...['220 mail.example.com\r\n', '250-mail.example.com\r\n250 8BITMIME\r\n', '250 ok\r\n', '250 ok\r\n'],
  ...['354 go on\r\n', '250 taken\r\n'],
]
/** The bytes before the last reply: until then nobody has taken the message. */
const beforeTaken = replies.slice(0, -1).join('').length
const all = replies.join('').length

const cutWays = ['reset', 'halfClose', 'stall'] as const
type CutWay = (typeof cutWays)[number]
interface Cut {
  readonly after: number
  readonly way: CutWay
  /** Called when the server has said all that it says. */
  done(): void
}

/** The whole message has come in. */
const messageEnd = '\r\n.\r\n'

function serve(socket: Socket, { after, done, way }: Cut): void {
  let left = after
  let turn = 0
  let heard = ''
  const end = () => {
    if (way === 'reset') socket.resetAndDestroy()
    else if (way === 'halfClose') socket.end()
    done()
  }
  const say = () => {
    const reply = replies[turn++] ?? ''
    const said = reply.slice(0, left)
    left -= said.length
    socket.write(said, () => left === 0 && end())
  }
  socket.on('error', () => {})
  socket.on('data', chunk => {
    heard += chunk
    const isWhole = turn === replies.length - 1 ? heard.endsWith(messageEnd) : heard.endsWith('\r\n')
    if (!isWhole || left === 0) return
    heard = ''
    say()
  })
  if (left === 0) end()
  else say()
}

/** How the next connection is cut; there is one at a time. */
let cut: Cut | undefined
const sockets = new Set<Socket>()
const server = createServer({ allowHalfOpen: true, noDelay: true }, socket => {
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  if (cut) serve(socket, cut)
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

/** What becomes of a message; silence is ended by the mailer's limit, which here comes as soon as the server is silent. */
async function sendThrough(after: number, way: CutWay): Promise<Delivery> {
  const { port } = server.address() as AddressInfo
  const attempt = new AbortController()
  // A turn later, so that what was said arrives first.
  cut = { after, way, done: () => way === 'stall' && setImmediate(() => attempt.abort()) }
  const given = { host: '127.0.0.1', port, isTls: false, isLocal: true, login: undefined }
  return smtpTransport(given, from).send(message, attempt.signal)
}

it('takes the whole dialogue for a mail that was sent', async () => {
  expect(await sendThrough(all, 'halfClose')).toEqual({ outcome: 'sent' })
})

it.each(cutWays)('never calls sent what was not, nor tries again what may have been: %s', async way => {
  for (let after = 0; after < all; after++) {
    const { outcome } = await sendThrough(after, way)
    const where = `after byte ${after} of ${all}`
    if (after < beforeTaken) expect(outcome, where).toBe('failed')
    // A reply without the end of its line is no reply: nobody knows whether the message was taken.
    else if (after > beforeTaken) expect(outcome, where).toBe('unknown')
    // Once the message was asked for, it may be on its way.
    else expect(['failed', 'unknown'], where).toContain(outcome)
  }
})
