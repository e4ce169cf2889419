import { readFile } from 'node:fs/promises'
import { createServer, get, type IncomingHttpHeaders, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gunzipSync } from 'node:zlib'
import { openApiDocument } from '@callgate/contract/openapi/openapi'
import { fakeWorld } from '@callgate/world/fake'
import { Router } from '@koa/router'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveDocs } from './site.ts'

let server: Server
let base = ''

beforeAll(async () => {
  const router = new Router()
  serveDocs(router, { document: () => openApiDocument('https://callgate.test'), world: fakeWorld(1) })
  server = createServer(new Koa().use(router.routes()).callback())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

interface Read {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** The answer as it is on the wire; `fetch` would unzip it. */
function read(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Read> {
  return new Promise((resolve, reject) => {
    get(base + path, { headers }, async answer => {
      const body = Buffer.concat(await answer.toArray())
      resolve({ status: answer.statusCode, headers: answer.headers, body })
    }).on('error', reject)
  })
}

describe('the page of the reference', () => {
  it('loads only our own scripts and style', async () => {
    const { body, headers } = await read('/docs/reference')
    const text = body.toString()
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toMatch(/^<!doctype html>\n<html lang="en" class="reference">/)
    expect(text).toContain('<title>Every operation · Callgate</title>')
    const scripts = [...text.matchAll(/<script([^>]*)>([^<]*)</g)].map(([, attributes, inner]) => [
      attributes,
      inner,
    ])
    expect(scripts).toEqual([
      [' src="/docs/rail.js" defer', ''],
      [' src="/docs/scalar.js" defer', ''],
      [' src="/docs/reference.js" defer', ''],
    ])
    const addresses = [...text.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, address]) => address)
    expect(addresses.filter(address => !/^[/#](?!\/)/.test(address ?? ''))).toEqual([])
    for (const path of ['/docs/rail.js', '/docs/scalar.js', '/docs/reference.js', '/docs/frame.css'])
      expect([path, (await read(path)).status]).toEqual([path, 200])
    expect(text).toMatch(/<noscript>.*<a href="\/api\/v1\/openapi\.json">/s)
  })

  it('may run no script and call no host but our own', async () => {
    const { headers } = await read('/docs/reference')
    const policy = Object.fromEntries(
      String(headers['content-security-policy'])
        .split('; ')
        .map(rule => [rule.slice(0, rule.indexOf(' ')), rule.slice(rule.indexOf(' ') + 1)]),
    )
    expect(policy).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'style-src': "'self' 'unsafe-inline'",
      'img-src': "'self' data:",
      'font-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
    })
  })
})

describe('the script of the library', () => {
  const path = '/docs/scalar.js'

  it('is that of the package, and is compressed for clients that accept that', async () => {
    const folder = dirname(createRequire(import.meta.url).resolve('@scalar/api-reference'))
    const script = await readFile(join(folder, 'browser/standalone.js'))
    const plain = await read(path)
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    })
    expect(plain.body.equals(script)).toBe(true)
    const zipped = await read(path, { 'Accept-Encoding': 'gzip, br' })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(zipped.body.length).toBeLessThan(script.length / 3)
    expect(gunzipSync(zipped.body).equals(script)).toBe(true)
  })

  it('is not sent again to a browser that has it', async () => {
    const { headers } = await read(path)
    const again = await read(path, { 'If-None-Match': String(headers.etag) })
    expect([again.status, again.body.length]).toEqual([304, 0])
    expect((await read(path, { 'If-None-Match': 'W/"other"' })).status).toBe(200)
  })
})

describe('the start of the reference', () => {
  interface Options {
    readonly [name: string]: unknown
    generateTagSlug(tag: object): string
    generateOperationSlug(operation: object): string
  }

  /** The options that the script gives to the library. */
  async function started(): Promise<{ readonly at: string; readonly options: Options }> {
    const calls: { at: string; options: Options }[] = []
    const Scalar = { createApiReference: (at: string, options: Options) => calls.push({ at, options }) }
    const MutationObserver = class {
      observe() {}
    }
    const document = { getElementById: () => undefined }
    const page = { addEventListener() {}, document, MutationObserver }
    const context = createContext({ ...page, Scalar, location: { origin: 'https://gates.example' } })
    runInContext((await read('/docs/reference.js')).body.toString(), context)
    const [call] = calls
    if (!call || calls.length > 1) throw new Error('the reference is not started once')
    return call
  }

  it('sends no request, and turns off everything that calls another host or stores something', async () => {
    const { at, options } = await started()
    expect((await read('/docs/reference')).body.toString()).toContain(`<div id="${at.slice(1)}"></div>`)
    expect(options).toMatchObject({
      url: '/api/v1/openapi.json',
      servers: [{ url: 'https://gates.example' }],
      persistAuth: false,
      telemetry: false,
      withDefaultFonts: false,
      hideClientButton: true,
      hideTestRequestButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    })
    expect(Object.keys(options)).not.toContain('proxyUrl')
  })

  it('names operations as our own pages link them', async () => {
    const { options } = await started()
    const slugs = [
      options.generateTagSlug({ name: 'Openings' }),
      options.generateOperationSlug({ operationId: 'openGate' }),
    ]
    expect((await read('/docs/reference')).body.toString()).toContain(
      `"/docs/reference#tag/${slugs.join('/')}"`,
    )
  })
})
