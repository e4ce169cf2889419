import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { reasons } from '@callgate/contract/call/reason'
import { openApiDocument } from '@callgate/contract/openapi/openapi'
import { activityActions } from '@callgate/contract/rest/activity'
import { GateCreate } from '@callgate/contract/rest/gate'
import { MemberCreate } from '@callgate/contract/rest/member'
import { operations } from '@callgate/contract/rest/operations'
import { problemCodes } from '@callgate/contract/rest/problem'
import { rateLimits } from '@callgate/contract/rest/rateLimits'
import { scopes } from '@callgate/contract/rest/scope'
import { webhookTypes } from '@callgate/contract/rest/webhook'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { Router } from '@koa/router'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html } from '../text/html.ts'
import { pageGroups, pageNames, readDoc } from './docPages.ts'
import { serveDocs } from './site.ts'
import { tokens } from './stylesheet.ts'

let server: Server
let base = ''
let world: FakeWorld
const texts = new Map<string, string>()
const htmlPaths = ['/docs', ...pageNames.filter(name => name !== 'start').map(name => `/docs/${name}`)]
const appUrl = 'https://callgate.test'

beforeAll(async () => {
  world = fakeWorld(1)
  const router = new Router()
  const fontFaces = async () => '@font-face{font-family:Inter Variable}\n'
  serveDocs(router, { document: () => openApiDocument(appUrl), fontFaces, world })
  server = createServer(new Koa().use(router.routes()).callback())
  // A machine that stalls for seconds must not lose the connection between two requests.
  server.keepAliveTimeout = 600_000
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  for (const path of htmlPaths) texts.set(path, await (await fetch(base + path)).text())
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

const textOf = (path: string) => texts.get(path) ?? ''
const hrefsOf = (text: string) => [...text.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)
const idsOf = (text: string) => [...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)

/** Elements that are not closed, or are closed in the wrong order. */
function unbalanced(text: string): string[] {
  const open: string[] = []
  const wrong: string[] = []
  for (const [, slash, tag = ''] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (/^(meta|link|br|wbr|hr|input|path)$/.test(tag)) continue
    if (!slash) open.push(tag)
    else if (open.pop() !== tag) wrong.push(tag)
  }
  return [...wrong, ...open]
}

it('sends its pages compressed to browsers that accept gzip', async () => {
  const encodingOf = async (accepted: string) => {
    const { headers } = await fetch(`${base}/docs/conventions`, { headers: { 'Accept-Encoding': accepted } })
    return [headers.get('content-encoding'), headers.get('vary')]
  }
  expect(await encodingOf('gzip, br')).toEqual(['gzip', 'Accept-Encoding'])
  expect(await encodingOf('identity')).toEqual([null, 'Accept-Encoding'])
})

describe.each(htmlPaths)('%s', path => {
  it('is a whole page, with our own style and script and nothing from elsewhere', async () => {
    const text = textOf(path)
    expect(text).toMatch(/^<!doctype html>/)
    expect(unbalanced(text)).toEqual([])
    expect(text.match(/<script[^>]*>[^<]*/g)).toEqual([
      '<script src="/docs/rail.js" defer>',
      '<script src="/docs/page.js" defer>',
    ])
    expect(text).not.toMatch(/<iframe|<img|\sstyle=|\son\w+=|@import|\[object|undefined/)
    expect([...text.matchAll(/<link [^>]*href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      '/docs/frame.css',
      '/docs/style.css',
    ])
    expect(idsOf(text)).toEqual([...new Set(idsOf(text))])
    const answer = await fetch(base + path)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("style-src 'self'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/unsafe|https?:/)
  })

  it('links only to existing targets', async () => {
    for (const href of hrefsOf(textOf(path))) {
      const [to = '', anchor] = href.split('#')
      const target = to === '' ? path : to
      // The document itself is served with the API; other sites cannot be checked here.
      if (target === '/api/v1/openapi.json' || /^https?:/.test(target)) continue
      // The reference's own script makes its anchors: see below.
      if (anchor !== undefined && target !== '/docs/reference')
        expect(idsOf(textOf(target)), href).toContain(anchor)
      else expect((await fetch(base + target)).status, href).toBe(200)
    }
  })
})

describe('the reference, before its script fills it', () => {
  let reference = ''
  beforeAll(async () => {
    reference = await (await fetch(`${base}/docs/reference`)).text()
  })

  it('is a whole page that says that its examples open real gates', () => {
    expect(unbalanced(reference)).toEqual([])
    expect(reference).toContain('<h1 id="operations">Every operation</h1>')
    expect(reference).toMatch(/an example\sis a real request: it opens the gate/)
  })

  it.each(Object.entries(operations))('leads to %s', (id, { method, path, summary, tag }) => {
    const href = `/docs/reference#tag/${tag}/${id}`
    const row = reference.split(`<li><a href="${href}"><small`).at(-1)?.split('</li>')[0] ?? ''
    expect(row).toContain(`>${method}</small>`)
    expect(row).toContain(html`<span>${summary}</span>`.text)
    // It is the title of the operation in the rail, too: a name, and no sentence.
    expect(summary).toMatch(/^[A-Z][^.,:;]{5,40}$/)
    expect(row.replaceAll('<wbr>', '')).toContain(`<code>${path.replace(/:(\w+)/g, '{$1}')}</code>`)
  })

  it('leads from its rail to every schema', () => {
    const { schemas } = openApiDocument(appUrl).components as { schemas: object }
    const rail = /<nav id="rail".*?<\/nav>/s.exec(reference)?.[0] ?? ''
    const led = hrefsOf(rail).filter(href => href.includes('#schemas/'))
    expect(led).toEqual(Object.keys(schemas).map(name => `/docs/reference#schemas/${name}`))
  })
})

describe('the pages', () => {
  it('name every reason with its sentence', () => {
    for (const [word, sentence] of Object.entries(reasons)) {
      expect(textOf('/docs/opening')).toContain(`<code>${word}</code>`)
      expect(textOf('/docs/opening')).toContain(html`${sentence}`.text)
    }
    expect(textOf('/docs/opening')).toMatch(/<code>busy<\/code><\/td><td[^>]*>[^<]*<\/td><td[^>]*>yes<\/td>/)
    expect(textOf('/docs/opening')).toMatch(
      /<code>gate_inactive<\/code><\/td><td[^>]*>[^<]*<\/td><td[^>]*><\/td>/,
    )
  })

  it('name every action with its target and the content of its entry', async () => {
    const page = (await (await fetch(`${base}/docs/events.md`)).text()).split('\n')
    for (const [action, { targetType }] of Object.entries(activityActions))
      expect(page).toContainEqual(expect.stringMatching(`^. .${action}. . .*. .${targetType}. . .+ .$`))
    expect(page).toContainEqual(
      expect.stringContaining(
        '| `member` | `changes` of `name`, `email`, `phone`, `note`, `externalId`, `metadata` |',
      ),
    )
  })

  it('name every event that is no action', () => {
    for (const type of webhookTypes) expect(textOf('/docs/events'), type).toContain(`<code>${type}</code>`)
    expect(textOf('/docs/events')).toContain('<h3 id="types">')
  })

  it('name every scope with what it allows', async () => {
    const page = await (await fetch(`${base}/docs/conventions.md`)).text()
    for (const [scope, allows] of Object.entries(scopes))
      expect(page).toContain(`| \`${scope}\` | ${allows} |`)
  })

  it('are for the service that they came from', async () => {
    expect(await (await fetch(`${base}/docs/start.md`)).text()).toContain(`export BASE_URL=${appUrl}\n`)
    for (const path of htmlPaths) expect(textOf(path), path).not.toContain('gates.example.com')
  })

  it('use only curl and the programs of Node and Python in their examples', async () => {
    const pages = await Promise.all(pageNames.map(async name => (await readDoc(`${name}.md`)) ?? ''))
    const examples = pages.flatMap(page =>
      [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code = '']) => code),
    )
    // A command is at the beginning of a line that does not continue another one, behind its variables; or behind "$(".
    const programs = /(?<!\\\n)^(?:[A-Z_]+=\S+ )*([a-z]\S*)|\$\((\S+)/gm
    const run = examples.flatMap(code =>
      [...code.matchAll(programs)].map(([, first, inner]) => first ?? inner),
    )
    expect([...new Set(run)].sort()).toEqual(['curl', 'export', 'node', 'npm', 'python3'])
  })

  it('name every code with its status, and no other', async () => {
    const text = (await readDoc('errors.md')) ?? ''
    const sections = text.split(/^### /m).slice(1)
    const told = sections.map(section => /^(\w+)\n\n\*\*(\d+)\.\*\*/.exec(section)?.slice(1))
    expect(told).toEqual(Object.entries(problemCodes).map(([code, { status }]) => [code, String(status)]))
  })

  it('name the actual lengths', async () => {
    const text = await (await fetch(`${base}/docs/limits.md`)).text()
    const told = [...text.matchAll(/^\| (gate|member) `(\w+)` \| (?:1 to|at most) (\d+)/gm)].map(row =>
      row.slice(1),
    )
    const schemas = { gate: GateCreate.properties, member: MemberCreate.properties }
    const limitOf = (field: unknown) => /"maxLength":(\d+)/.exec(JSON.stringify(field))?.[1]
    const limits = Object.entries(schemas).flatMap(([noun, fields]) =>
      Object.entries(fields).map(([name, field]) => [noun, name, limitOf(field)]),
    )
    // The rules for a phone number are in words, and accesses have no texts.
    const lengths = limits.filter(
      ([, name, length]) => length !== undefined && name !== 'phoneNumber' && name !== 'accesses',
    )
    expect(told.sort()).toEqual(lengths.sort())
  })

  it('name the actual rate limits', async () => {
    const text = (await readDoc('conventions.md')) ?? ''
    for (const { name, requests } of Object.values(rateLimits))
      expect(text).toContain(`| \`${name}\` | ${requests} |`)
  })
})

describe('the rail', () => {
  it('has every page once, in its group, and marks the one that is open', () => {
    for (const path of htmlPaths) {
      const rail = /<nav id="rail".*?<\/nav>/s.exec(textOf(path))?.[0] ?? ''
      expect(rail.match(/<h2>\w+/g)).toEqual(Object.keys(pageGroups).map(name => `<h2>${name}`))
      const links = hrefsOf(rail).slice(1)
      expect([...links].sort()).toEqual([...htmlPaths, '/docs/reference'].sort())
      expect([...rail.matchAll(/href="([^"]*)" aria-current/g)].map(([, href]) => href)).toEqual([path])
    }
  })

  it('leads from each page to the one before and the next one, in its order', () => {
    const rail = hrefsOf(/<nav id="rail".*?<\/nav>/s.exec(textOf('/docs'))?.[0] ?? '').slice(1)
    for (const path of htmlPaths) {
      const steps = /<nav class="steps".*?<\/nav>/s.exec(textOf(path))?.[0] ?? ''
      const place = rail.indexOf(path)
      const beside = [rail[place - 1], rail[place + 1]].filter(href => href !== undefined)
      expect(hrefsOf(steps), path).toEqual(beside)
    }
  })

  it('has the tokens of the dashboard', async () => {
    const sheet = await readFile(new URL('../../../web/src/theme/tokens.css', import.meta.url), 'utf8')
    for (const [name, [light, dark]] of Object.entries(tokens))
      expect(sheet).toContain(`--${name}: light-dark(${light}, ${dark});`)
  })
})

describe('the search', () => {
  const search = async (query: string) => {
    const answer = await fetch(`${base}/docs/search?q=${encodeURIComponent(query)}`)
    expect(answer.status).toBe(200)
    const text = await answer.text()
    expect(unbalanced(text)).toEqual([])
    return { text, found: hrefsOf(text.split('<main')[1] ?? '') }
  }

  it('finds sections with every word, those with the words in their heading first', async () => {
    const { found } = await search('idempotency')
    expect(found[0]).toBe('/docs/conventions#idempotency')
    expect((await search('magic number sandbox')).found).toContain(
      '/docs/sandbox#numbers-that-stand-for-an-end',
    )
    expect((await search('openGate')).found).toContain('/docs/reference#tag/Openings/openGate')
    expect((await search('rate_limited')).found).toContain('/docs/errors#rate_limited')
  })

  it('names an operation by what it does, and marks words where they begin', async () => {
    const { text } = await search('operator gate')
    expect(text).toContain('<mark>operator</mark> with callgate <mark>gate</mark> calibrate')
    const openGate = html`Open a <mark>gate</mark></a><small>POST /api/v1/gates/{gateId}/open</small>`.text
    expect((await search('gate')).text).toContain(openGate)
    expect((await search('(a|b) [c] \\')).text).toContain('Nothing has')
  })

  it('tells the rows of a table as sentences', async () => {
    const { text } = await search('wait respond-async not at all')
    expect(text).toMatch(
      /<mark>respond-async<\/mark>: <mark>not<\/mark> <mark>at<\/mark> <mark>all<\/mark>\. /,
    )
  })

  it('says how many it found, marks the words, and looks through the schemas', async () => {
    const { text } = await search('gate')
    expect(text).toMatch(/\d+ places have every word\. These are the best 20;/)
    expect(text).toContain('<a href="/docs/limits#gates"><mark>Gate</mark>s</a>')
    expect((await search('schedule-vectors')).text).toMatch(/place has every word\.|places have every word\./)
    expect((await search('phoneNumber schema')).found).toContain('/docs/reference#schemas/Gate')
  })

  it('finds a type of event, and shows the text around it where that has no blanks', async () => {
    expect((await search('incident.opened')).found).toContain('/docs/events#types')
    expect((await search('opening.ended')).text).toContain(
      '<mark>opening.ended</mark>&quot;,&quot;timestamp&quot;',
    )
  })

  it('links only to existing targets', async () => {
    for (const href of (await search('the')).found.filter(href => !href.startsWith('/docs/reference'))) {
      const [target = '', anchor] = href.split('#')
      if (anchor !== undefined) expect(idsOf(textOf(target)), href).toContain(anchor)
      else expect(htmlPaths).toContain(target)
    }
  })

  it('escapes what was typed, cuts a long text, and says where nothing is found', async () => {
    const { found, text } = await search('"><script>alert(1)</script>')
    expect(text).not.toContain('<script>')
    expect(text).toContain('Nothing has “&quot;&gt;&lt;script&gt;')
    expect(found).toEqual(['/docs/reference'])
    expect((await search('x'.repeat(10_000))).found).toEqual(['/docs/reference'])
    expect((await search('  ')).text).toContain('Type a word')
  })
})

describe('beside the pages', () => {
  it('are the stylesheet, the sources, the vectors and llms.txt', async () => {
    const get = async (path: string) => {
      const answer = await fetch(base + path)
      return { type: answer.headers.get('content-type'), text: await answer.text() }
    }
    expect((await get('/docs/page.js')).type).toBe('text/javascript; charset=utf-8')
    expect((await get('/docs/frame.css')).text).toMatch(
      /^@font-face\{font-family:Inter Variable\}\n.*\n:root \{/s,
    )
    for (const path of ['/docs/frame.css', '/docs/style.css']) {
      const style = await get(path)
      expect(style.type).toBe('text/css; charset=utf-8')
      expect(style.text).not.toMatch(/url\(|@import/)
    }
    const source = await get('/docs/opening.md')
    expect(source.type).toBe('text/markdown; charset=utf-8')
    expect(source.text).toContain('| `busy` |')
    expect(JSON.parse((await get('/docs/schedule-vectors.json')).text)).toBeTypeOf('object')
    const llms = await get('/llms.txt')
    expect(llms.type).toBe('text/plain; charset=utf-8')
    for (const [id, { tag }] of Object.entries(operations))
      expect(llms.text).toContain(`${appUrl}/docs/reference#tag/${tag}/${id}`)
    for (const name of pageNames) expect(llms.text).toContain(`${appUrl}/docs/${name}.md`)
  })

  it('is nothing else', async () => {
    const nothing = await fetch(`${base}/docs/install`)
    expect([nothing.status, nothing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    const page = await nothing.text()
    expect(page).toContain('There is no such page')
    expect(page).not.toContain('aria-current')
    expect(page).toContain('aria-label="Search again"')
    expect((await fetch(`${base}/docs/opening/more`)).status).toBe(404)
    expect((await fetch(`${base}/docs/..%2fpackage.json`)).status).toBe(404)
    expect(world.lines.filter(({ message }) => message.includes('missing'))).toEqual([])
  })
})

it('escapes texts, and joins HTML as it is', () => {
  expect(html`<p>${'<b>&"'}${html`<i>${1}</i>`}${undefined}${['a', html`<br>`]}</p>`.text).toBe(
    '<p>&lt;b&gt;&amp;&quot;<i>1</i>a<br></p>',
  )
})
