import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { selfSigned } from '@callgate/mqtt/certificate.kit'
import { fakeWorld, settle } from '@callgate/world/fake'
import { afterEach, describe, expect, it } from 'vitest'
import { type Answering, doorOf, type Receiver, startReceiver } from './webhook.kit.ts'
import { createWebhookDoor, limitsOfAttempt, type ResolveName, resolveName } from './webhookRequest.ts'

const world = fakeWorld(1)
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function receive(answer?: Answering): Promise<Receiver> {
  const receiver = await startReceiver(answer)
  closing.push(receiver.close)
  return receiver
}

/** Sends one message to a path of a port of this machine. */
function post(port: number, door = doorOf(world), path = '/') {
  closing.push(() => door.close())
  const headers = { 'webhook-id': 'msg_1' }
  const { signal } = new AbortController()
  return door.post({ url: `https://localhost:${port}${path}`, headers, body: '{}', signal })
}

/** A TLS server that writes bytes as it likes. */
async function serveRaw(write: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer(selfSigned)
  server.on('secureConnection', socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => write(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** Moves the clock step by step until the attempt has ended. */
async function outlast<T>(attempt: Promise<T>): Promise<T> {
  let isOver = false
  const ended = attempt.finally(() => {
    isOver = true
  })
  while (!isOver) {
    await new Promise(resolve => setImmediate(resolve))
    await settle(20)
    await world.advance(500)
  }
  return ended
}

describe('an attempt', () => {
  it('tells the status, and keeps its connection for the next one', async () => {
    const receiver = await receive()
    const door = doorOf(world)
    expect(await post(receiver.port, door)).toMatchObject({ status: 204, error: null })
    expect(await post(receiver.port, door)).toMatchObject({ status: 204, error: null })
    expect(receiver.connections()).toBe(1)
    expect(receiver.received[0]).toMatchObject({
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
  })

  it('W2: fails at a redirect, and does not follow it', async () => {
    const other = await receive()
    const location = `https://localhost:${other.port}/`
    const receiver = await receive((_, response) => response.writeHead(307, { location }).end())
    expect(await post(receiver.port)).toMatchObject({ status: 307, error: 'answer_refused' })
    expect(other.received).toEqual([])
  })

  it('fails where nothing answers within 15 s, or no connection is made within 5 s', async () => {
    const silent = await receive(() => {})
    expect(await outlast(post(silent.port))).toMatchObject({ status: null, error: 'timed_out' })
    const sockets = new Set<Socket>()
    const mute = createTcpServer(socket => sockets.add(socket))
    await new Promise<void>(resolve => mute.listen(0, '127.0.0.1', resolve))
    closing.push(() => {
      for (const socket of sockets) socket.destroy()
      mute.close()
    })
    const beganMs = world.monotonicMs()
    const { port } = mute.address() as AddressInfo
    expect(await outlast(post(port))).toMatchObject({ error: 'timed_out' })
    expect(world.monotonicMs() - beganMs).toBeLessThan(limitsOfAttempt.statusMs)
    mute.close()
    expect(await post(1)).toMatchObject({ error: 'connect_failed' })
  })

  it('fails at a byte a second, and at headers without an end', async () => {
    const slow = await serveRaw(socket => {
      const write = () => {
        if (!socket.destroyed) socket.write('H')
        if (!socket.destroyed) setImmediate(write)
      }
      socket.write('HTTP/1.1 200 OK\r\nx-a: ')
      write()
    })
    expect(await outlast(post(slow))).toMatchObject({
      status: null,
      error: expect.stringMatching(/timed_out|answer_broken/),
    })
    const endless = await serveRaw(socket => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const line = `x: ${'y'.repeat(1_000)}\r\n`
      for (let count = 0; count < 1_000; count++) socket.write(line)
    })
    expect(await post(endless)).toMatchObject({ status: null, error: 'answer_broken' })
  })

  it('reads no more than 16 KB of an answer, however long it is, and no longer than a second', async () => {
    let sent = 0
    const receiver = await receive((_, response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    expect(await post(receiver.port)).toMatchObject({ status: 200, error: null })
    expect(sent).toBeLessThan(100_000_000)
    const dripping = await receive((_, response) => void response.writeHead(200).write('a'))
    const beganMs = world.monotonicMs()
    expect(await outlast(post(dripping.port))).toMatchObject({ status: 200, error: null })
    expect(world.monotonicMs() - beganMs).toBeLessThanOrEqual(2_000)
  })

  it('succeeds where the answer comes before the message was read', async () => {
    const early = await serveRaw(socket => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    expect(await post(early)).toMatchObject({ status: 200, error: null })
    const upgraded = await serveRaw(socket =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    )
    expect(await post(upgraded)).toMatchObject({ error: 'answer_broken' })
  })

  it('fails where the certificate does not fit', async () => {
    const receiver = await receive()
    const door = createWebhookDoor({ world, resolve: async () => ['127.0.0.1'], isNamed: () => true })
    expect(await post(receiver.port, door)).toMatchObject({ error: 'tls_failed' })
    expect(receiver.received).toEqual([])
  })
})

describe('the addresses of a name', () => {
  const publicOnly = (resolve: ResolveName) =>
    createWebhookDoor({ world, resolve, isNamed: () => false, ca: selfSigned.cert })

  it('W2: are checked again at each connection, and all of them', async () => {
    const receiver = await receive()
    const answers = [['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['::ffff:127.0.0.1'], ['127.0.0.1']]
    const asked: string[] = []
    const door = publicOnly(async name => {
      asked.push(name)
      return answers.shift() ?? []
    })
    for (let attempt = 0; attempt < 4; attempt++)
      expect(await post(receiver.port, door)).toMatchObject({ error: 'address_refused' })
    expect(asked).toEqual(['localhost', 'localhost', 'localhost', 'localhost'])
    expect(receiver.connections()).toBe(0)
  })

  it('W2: are those that are connected to: a name that leads inside a moment later changes nothing', async () => {
    const receiver = await receive()
    let isFirst = true
    const door = createWebhookDoor({
      world,
      ca: selfSigned.cert,
      isNamed: address => address === '127.0.0.1',
      async resolve() {
        const address = isFirst ? '127.0.0.1' : '127.0.0.2'
        isFirst = false
        return [address]
      },
    })
    expect(await post(receiver.port, door)).toMatchObject({ error: null })
    door.close()
    expect(await post(receiver.port, door)).toMatchObject({ error: 'address_refused' })
    expect(receiver.received).toHaveLength(1)
  })

  it('are those of name servers, and a name without any is told', async () => {
    await expect(resolveName('none.invalid')).rejects.toThrow()
    const door = publicOnly(() => Promise.reject(new Error('SERVFAIL')))
    expect(await post(443, door)).toMatchObject({ error: 'name_not_found' })
  })
})
