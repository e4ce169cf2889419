import { fakeWorld } from '@callgate/world/fake'
import { Router } from '@koa/router'
import Koa from 'koa'
import { afterEach, expect, it } from 'vitest'
import { createHttpServer } from '../http/server.ts'
import { serveSecurityTxt } from './securityTxt.ts'

let close = () => {}
afterEach(() => close())

async function served(appUrl: string, contact: string) {
  const world = fakeWorld(1)
  const router = new Router()
  serveSecurityTxt(router, { appUrl, contact, world })
  const server = createHttpServer(world, new Koa().use(router.routes()).callback())
  close = () => void server.close().closeAllConnections()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : ''
  const read = () => fetch(`http://127.0.0.1:${port}/.well-known/security.txt`)
  return { read, world }
}

it('names the contact, the address, and an end that is always half a year ahead', async () => {
  const { read, world } = await served('https://gates.example.com', 'mailto:security@example.com')
  const file = await read()
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(await file.text()).toBe(`Contact: mailto:security@example.com
Expires: 2026-07-04T00:00:00.000Z
Canonical: https://gates.example.com/.well-known/security.txt
`)
  await world.advance(400 * 24 * 60 * 60 * 1000)
  expect(await (await read()).text()).toContain('Expires: 2027-08-08T00:00:00.000Z')
})

it('does not name its own address without TLS, because that must be https', async () => {
  const { read } = await served('http://localhost:8080', 'tel:+40722123456')
  expect(await (await read()).text()).toBe('Contact: tel:+40722123456\nExpires: 2026-07-04T00:00:00.000Z\n')
})
