// The API behind a proxy: a small one that works like nginx and Caddy, on real sockets.

import { once } from 'node:events'
import { Agent, createServer, request, type Server } from 'node:http'
import { settle } from '@callgate/world/fake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readProxies, trustedProxies } from '../network/proxies.ts'
import { type ApiServer, listen, serveApi } from './server.kit.ts'

let api: ApiServer
let behind: Awaited<ReturnType<typeof listen>>
let proxy: Server
let proxyPort = 0
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** A proxy that forwards requests over one persistent connection, and adds the address of the client. */
function createProxy(to: string): Server {
  return createServer((asked, answer) => {
    const seen = [asked.headers['x-forwarded-for'], asked.socket.remoteAddress].filter(Boolean).join(', ')
    const { method, url } = asked
    const headers = { ...asked.headers, 'x-forwarded-for': seen, connection: 'keep-alive' }
    const passed = request(to + url, { method, headers, agent }, told => {
      answer.writeHead(told.statusCode ?? 0, told.headers)
      told.pipe(answer)
    })
    asked.pipe(passed)
  })
}

beforeEach(async () => {
  api = await serveApi()
  const read = readProxies('127.0.0.1')
  if (!read.ok) throw new Error(read.message)
  behind = await listen({ ...api, isTrustedProxy: trustedProxies(read.proxies) }, {})
  proxy = createProxy(behind.base).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  proxyPort = typeof address === 'object' && address ? address.port : 0
})
afterEach(async () => {
  agent.destroy()
  proxy.closeAllConnections()
  await new Promise(resolve => proxy.close(resolve))
  await behind.close()
  await api.stop()
})

/** Sends a request with a bad key from one of the machine's addresses; resolves with the status. */
function ask(from: string, port: number, forwardedFor?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-Api-Key': 'bad', ...(forwardedFor && { 'X-Forwarded-For': forwardedFor }) }
    const path = '/api/v1/gates'
    request({ host: '127.0.0.1', port, path, headers, localAddress: from }, answer => {
      answer.resume().once('end', () => resolve(answer.statusCode))
    })
      .once('error', reject)
      .end()
  })
}

const loggedAddress = async () => {
  await settle()
  return api.world.lines.filter(({ message }) => message === 'request').at(-1)?.fields['address']
}

it('logs the client that a trusted proxy names, and ignores what the client sends itself', async () => {
  expect(await ask('127.0.0.3', proxyPort)).toBe(401)
  expect(await loggedAddress()).toBe('127.0.0.3')
  expect(await ask('127.0.0.3', proxyPort, '6.6.6.6, 127.0.0.1')).toBe(401)
  expect(await loggedAddress()).toBe('127.0.0.3')
  const direct = Number(new URL(behind.base).port)
  expect(await ask('127.0.0.3', direct, '6.6.6.6')).toBe(401)
  expect(await loggedAddress()).toBe('127.0.0.3')
  // No proxy is trusted by default.
  const untrusting = Number(new URL(api.base).port)
  expect(await ask('127.0.0.1', untrusting, '6.6.6.6')).toBe(401)
  expect(await loggedAddress()).toBe('127.0.0.1')
})

it('delays only the client that keeps sending bad keys through the proxy', async () => {
  for (let times = 0; times < 20; times++)
    expect(await ask('127.0.0.3', proxyPort, `192.0.2.${times}`)).toBe(401)
  let isAnswered = false
  const late = ask('127.0.0.3', Number(new URL(behind.base).port), '192.0.2.99').then(status => {
    isAnswered = true
    return status
  })
  expect(await ask('127.0.0.4', proxyPort)).toBe(401)
  expect(await ask('127.0.0.4', proxyPort, '127.0.0.3')).toBe(401)
  expect(isAnswered).toBe(false)
  await api.world.until(() => isAnswered)
  expect(await late).toBe(401)
})
