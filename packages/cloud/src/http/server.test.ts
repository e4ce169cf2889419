import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { fakeWorld } from '@callgate/world/fake'
import { afterEach, expect, it } from 'vitest'
import { usualLimits } from '../network/connections.ts'
import { createHttpServer } from './server.ts'

const running: ReturnType<typeof createHttpServer>[] = []
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
})

/** A server that answers every request with its path; resolves with its port. */
async function serve(given?: Parameters<typeof createHttpServer>[2], world = fakeWorld(1)): Promise<number> {
  const server = createHttpServer(
    world,
    ({ url }, response) => {
      response.setHeader('Connection', 'close').end(`here is ${url}`)
    },
    given,
  )
  running.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** Sends `bytes` to a server that answers every request with its path, and reads until the connection is closed. */
async function answerTo(bytes: string, given?: Parameters<typeof createHttpServer>[2]): Promise<string> {
  const port = await serve(given)
  return new Promise(resolve => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', chunk => {
      received += chunk.toString()
    })
    socket.on('close', () => resolve(received))
  })
}

/** Checks that the answer has our shape, with the headers of every answer. */
function expectProblem(answer: string, status: string, code: string, message: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(`HTTP/1.1 ${status}`)
  expect(head).toMatch(/\r\nX-Request-Id: [\w-]{16}\r\n/)
  expect(head).toMatch(/\r\nCache-Control: no-store\r\n/)
  expect(head).toContain(`\r\nContent-Length: ${body.length}`)
  expect(JSON.parse(body)).toEqual({ error: { code, message } })
}

it('serves a request without a Host, and one with an unknown expectation', async () => {
  expect(await answerTo('GET /a HTTP/1.1\r\n\r\n')).toContain('here is /a')
  expect(await answerTo('GET /b HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n')).toContain('here is /b')
})

it('refuses CONNECT with 405', async () => {
  const answer = await answerTo('CONNECT gates.example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')
  expectProblem(
    answer,
    '405 Method Not Allowed',
    'method_not_allowed',
    'The method CONNECT is not allowed here.',
  )
  expect(answer).toContain('\r\nAllow: \r\n')
})

it('survives the reset of a connection that it was about to answer', async () => {
  const port = await serve()
  for (const request of [
    'CONNECT a:1 HTTP/1.1\r\n\r\n',
    'GET /a HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: b\r\n\r\n',
  ])
    for (let count = 0; count < 100; count++) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(request, () => socket.resetAndDestroy())
      await new Promise(resolve => socket.once('close', resolve))
    }
})

it('handles every error of a connection that Node has handed over', async () => {
  const port = await serve()
  const [server] = running
  const given = new Promise<Duplex>(resolve =>
    server?.prependOnceListener('connect', (_, socket) => resolve(socket)),
  )
  const client = connect(port, '127.0.0.1')
  client.on('error', () => {})
  client.write('CONNECT a:1 HTTP/1.1\r\n\r\n')
  const socket = await given
  expect(() => socket.emit('error', new Error('read ECONNRESET'))).not.toThrow()
  client.destroy()
})

it('ends the connection of a CONNECT although its client keeps it open', async () => {
  const server = createHttpServer(fakeWorld(1), () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  client.write('CONNECT gates.example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')
  await new Promise(resolve => client.once('end', resolve).resume())
  await new Promise(resolve => server.close(resolve))
  client.destroy()
})

it('answers headers that do not arrive in time with 408', async () => {
  const short = { headersMs: 20, wholeMs: 40, checkMs: 5 }
  const answer = await answerTo('GET /a HTTP/1.1\r\nHost: x\r\n', short)
  expectProblem(answer, '408 Request Timeout', 'validation_error', 'The request did not arrive in time.')
})

it('answers bytes that are not HTTP with 400, and headers that are too large with 431', async () => {
  const wrong = await answerTo('NONSENSE\r\n\r\n')
  expectProblem(wrong, '400 Bad Request', 'validation_error', 'This is not a valid HTTP request.')
  const large = await answerTo(`GET /a HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)
  expectProblem(
    large,
    '431 Request Header Fields Too Large',
    'validation_error',
    'The headers are too large.',
  )
})

it('answers a prompt request from another address through a flood of slow ones', async () => {
  const rules = { limits: { perAddress: 30, total: 40, promptMs: 2_000 } }
  const port = await serve({ rules })
  const slow = Array.from({ length: 60 }, (_, index) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: index < 30 ? '127.0.0.2' : '127.0.0.3' })
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nX-Slow: ')
    return socket
  })
  // 40 have a place. The others are closed, each time one of the address with the most.
  await expect.poll(() => slow.filter(socket => socket.closed).length, { timeout: 20_000 }).toBe(20)
  const answer = await new Promise(resolve => {
    const prompt = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.4' })
    prompt.on('data', resolve).on('close', () => resolve('closed'))
    prompt.write('GET /a HTTP/1.1\r\n\r\n')
  })
  expect(String(answer)).toContain('here is /a')
  for (const socket of slow) socket.destroy()
})

it('closes a connection that waits between two requests before one with a running request', async () => {
  const rules = { limits: { perAddress: 2, total: 40, promptMs: 2_000 } }
  const server = createHttpServer(
    fakeWorld(1),
    ({ url }, response) => {
      if (url === '/quick') response.end('quick')
    },
    { rules },
  )
  running.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const asked = (path: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).write(`GET ${path} HTTP/1.1\r\n\r\n`)
    return socket
  }
  const working = asked('/slow')
  await new Promise(resolve => server.once('request', resolve))
  const idle = asked('/quick')
  await new Promise(resolve => idle.once('data', resolve))
  const third = asked('/quick')
  await new Promise(resolve => third.once('data', resolve))
  await expect.poll(() => idle.closed).toBe(true)
  expect(working.closed).toBe(false)
})

it('keeps a connection between two requests for longer than a proxy does', () => {
  // Caddy closes an idle connection after 120 s, nginx after 60 s. A request is lost if we close its connection at that moment.
  expect(createHttpServer(fakeWorld(1), () => {}).keepAliveTimeout).toBeGreaterThan(120_000)
})

it('cuts a connection that is silent amid a request', async () => {
  const server = createHttpServer(fakeWorld(1), () => {}, { silentMs: 30 })
  running.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const client = connect(port, '127.0.0.1', () => client.write('GET /a HTTP/1.1\r\nHost: x\r\n\r\n'))
  await new Promise(resolve => client.once('close', resolve).resume())
})

it('has the limits of the documentation for operators', () => {
  const page = readFileSync(new URL('../../docs/install.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## Connections')
  const { headersTimeout, keepAliveTimeout, requestTimeout, timeout } = createHttpServer(
    fakeWorld(1),
    () => {},
  )
  const cells = [...section.matchAll(/^\| ([^|]+) \| (\d+) s \|/gm)].map(
    ([, , seconds]) => Number(seconds) * 1000,
  )
  expect(cells).toEqual([headersTimeout, requestTimeout, timeout, keepAliveTimeout])
  const { perAddress, total } = usualLimits
  const said = [total, perAddress].map(count => count.toLocaleString('en-US'))
  for (const count of said) expect(section).toContain(count)
})
