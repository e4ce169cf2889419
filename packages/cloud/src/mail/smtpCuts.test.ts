// A mail server that disconnects after any byte of its replies: by a reset, by a half-close, or silently.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Delivery, Message } from './message.ts'
import { smtpTransport } from './smtp.ts'

const message: Message = {
  mailId: 'mail_1',
  to: { name: 'Ana', address: 'ana@example.com' },
  subject: 'Your link',
  text: 'Hello',
  html: '<p>Hello</p>',
  atMs: 0,
}
const from = { name: '', address: 'gates@example.com' }

/** The replies of the server: to the connection, EHLO, MAIL, RCPT, DATA and the whole message. */
const replies = [
  ...['220 mail.example.com\r\n', '250-mail.example.com\r\n250 8BITMIME\r\n', '250 ok\r\n', '250 ok\r\n'],
  ...['354 go on\r\n', '250 taken\r\n'],
]
/** The bytes before the last reply; until then the message is not accepted. */
const beforeTaken = replies.slice(0, -1).join('').length
const all = replies.join('').length

const cutWays = ['reset', 'halfClose', 'stall'] as const
type CutWay = (typeof cutWays)[number]
interface Cut {
  readonly after: number
  readonly way: CutWay
  /** Called when the server has sent its last byte. */
  done(): void
}

/** The end of the whole message. */
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

/** The outcome of a message. The mailer's limit ends a silence; here it applies as soon as the server is silent. */
async function sendThrough(after: number, way: CutWay): Promise<Delivery> {
  const { port } = server.address() as AddressInfo
  const attempt = new AbortController()
  // One turn later, so that the last bytes arrive first.
  cut = { after, way, done: () => way === 'stall' && setImmediate(() => attempt.abort()) }
  const given = { host: '127.0.0.1', port, isTls: false, isLocal: true, login: undefined }
  return smtpTransport(given, from).send(message, attempt.signal)
}

it('reports a mail as sent after the whole dialogue', async () => {
  expect(await sendThrough(all, 'halfClose')).toEqual({ outcome: 'sent' })
})

it.each(cutWays)(
  'never reports an unsent mail as sent, nor retries one that may have been sent: %s',
  async way => {
    for (let after = 0; after < all; after++) {
      const { outcome } = await sendThrough(after, way)
      const where = `after byte ${after} of ${all}`
      if (after < beforeTaken) expect(outcome, where).toBe('failed')
      // A reply without the end of its line does not count, so it is unknown whether the message was accepted.
      else if (after > beforeTaken) expect(outcome, where).toBe('unknown')
      // Once the message was requested, it may be on its way.
      else expect(['failed', 'unknown'], where).toContain(outcome)
    }
  },
)
