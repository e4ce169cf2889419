import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { fakeWorld } from '@callgate/world/fake'
import { version } from '@callgate/world/version'
import { Router } from '@koa/router'
import Koa from 'koa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveDashboard } from './dashboard.ts'

const servers: Server[] = []

/** Serves the dashboard from these folders, or from the usual ones. */
async function serve(folders?: readonly URL[]): Promise<string> {
  const router = new Router()
  serveDashboard(router, { world: fakeWorld(1), appUrl: 'http://127.0.0.1', ...(folders && { folders }) })
  const server = createServer(new Koa().use(router.routes()).callback())
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

let base = ''
beforeAll(async () => {
  base = await serve()
})
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
})

const read = (path: string, encoding = 'identity') =>
  fetch(base + path, { headers: { 'Accept-Encoding': encoding } })

it('answers each of its pages with the same HTML, which is never cached', async () => {
  const paths = Object.values(dashboardPaths).map(path => path.replaceAll(/:\w+/g, 'any'))
  const pages = await Promise.all(paths.map(path => read(path)))
  const texts = await Promise.all(pages.map(page => page.text()))
  expect(new Set(texts).size).toBe(1)
  expect(texts[0]).toContain(`<meta name="generator" content="Callgate ${version}" /></head>`)
  for (const { headers, status } of pages) {
    expect(status).toBe(200)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('Referrer-Policy')).toBe('same-origin')
    expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin')
    expect(headers.get('Content-Security-Policy')).toMatch(/script-src 'self'; style-src 'self';/)
    expect(headers.get('Content-Security-Policy')).not.toContain('unsafe')
  }
})

it('preloads the session only on pages that need it and for browsers that may have one', async () => {
  const linkOf = async (path: string, Cookie: string) =>
    (await fetch(base + path, { headers: { Cookie } })).headers.get('Link')
  const asks = '</app/v1/session>; rel=preload; as=fetch; crossorigin'
  expect(await linkOf(dashboardPaths.home, 'sid=secret')).toBe(asks)
  expect(await linkOf('/spaces/any/gates', 'a=b; sid=secret')).toBe(asks)
  expect(await linkOf(dashboardPaths.home, 'a=b')).toBeNull()
  expect(await linkOf(dashboardPaths.passwordReset, 'sid=secret')).toBeNull()
})

it('has no page at any other address', async () => {
  for (const path of ['/gates', '/spaces/any', '/spaces/any/gates/a/b', '/assets/', '/assets/none.js'])
    expect((await read(path)).status, path).toBe(404)
})

it('loads nothing from elsewhere, and its assets are cached for good', async () => {
  const html = await (await read(dashboardPaths.gates)).text()
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address)
  expect(loaded.length).toBeGreaterThan(2)
  for (const address of loaded) {
    expect(address).toMatch(/^\/assets\/[\w-]+\.(js|css|svg)$/)
    const { headers, status } = await read(address)
    expect([status, headers.get('Cache-Control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  }
})

it('sends a script as it was compressed at the build', async () => {
  const html = await (await read(dashboardPaths.gates)).text()
  const [script = ''] = /\/assets\/first-[\w-]+\.js/.exec(html) ?? []
  const plain = await read(script)
  expect(plain.headers.get('Content-Encoding')).toBeNull()
  const text = await plain.text()
  for (const encoding of ['gzip', 'br']) {
    const packed = await read(script, encoding)
    expect(packed.headers.get('Content-Encoding')).toBe(encoding)
    expect(packed.headers.get('Vary')).toBe('Accept-Encoding')
    expect(await packed.text()).toBe(text)
  }
  // As browsers ask.
  const asked = await read(script, 'gzip, deflate, br, zstd')
  expect(asked.headers.get('Content-Encoding')).toBe('br')
  expect((await read(script, 'gzip, br;q=0')).headers.get('Content-Encoding')).toBe('gzip')
})

it('serves no file beside the assets', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-dashboard-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  await writeFile(join(folder, 'secret.js'), 'secret')
  await writeFile(join(folder, 'assets/notes.txt'), 'secret')
  await writeFile(join(folder, 'assets/a.js'), 'a')
  const other = await serve([pathToFileURL(`${folder}/`)])
  expect(await (await fetch(`${other}/assets/a.js`)).text()).toBe('a')
  for (const path of ['/assets/..%2fsecret.js', '/assets/notes.txt', '/assets/%2e%2e/secret.js'])
    expect((await fetch(other + path)).status, path).toBe(404)
  await rm(folder, { recursive: true })
})

it('says how to build it where it is not built', async () => {
  const other = await serve([new URL('file:///nowhere/')])
  const answer = await fetch(`${other}/`)
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('npx -y pnpm@10.34.9 build:web')
  expect((await fetch(`${other}/assets/a.js`)).status).toBe(404)
})
