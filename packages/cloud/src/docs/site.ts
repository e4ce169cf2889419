// The documentation as a site: /docs, its pages, search and data, and /llms.txt.

import type { Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Router } from '@koa/router'
import { answerProblem } from '../http/answerError.ts'
import { compressed } from '../http/compression.ts'
import { type Html, html } from '../text/html.ts'
import { article } from './article.ts'
import { type Page, pageNames, readDoc, readPage, vectorsFile } from './docPages.ts'
import { homePath, layout, referencePath, scriptedLayout, searchForm, searchPath } from './layout.ts'
import { llmsText } from './llmsText.ts'
import { markdown, plainOf } from './markdown.ts'
import { type OpenApi, routesOf } from './openApi.ts'
import { operationIndex } from './operationIndex.ts'
import { pageScript, pageScriptPath } from './pageScript.ts'
import { hrefOf, operationsOf, railOf } from './rail.ts'
import { railScript, railScriptPath } from './railScript.ts'
import {
  hrefOfOperation,
  hrefOfSchema,
  type ReferenceScript,
  readReferenceScript,
  referenceMain,
  referencePolicy,
  referenceScriptPath,
  referenceStart,
  referenceStartPath,
} from './reference.ts'
import { type Section, searchResults, sectionsOf } from './search.ts'
import { frameStyle, textStyle } from './stylesheet.ts'

interface Served {
  readonly type: string
  readonly text: string
  /** A policy that differs from that of the pages of text. */
  readonly policy?: string
}

/** Only our own stylesheets, fonts and script are loaded, and the search goes to us. */
const textPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const sourceOf = (name: string) => `/docs/${name}.md`
const htmlOf = (text: string): Served => ({ type: 'text/html', text })

const framePath = '/docs/frame.css'
/** The served texts that need no file. */
const ownFiles: Readonly<Record<string, Served>> = {
  [framePath]: { type: 'text/css', text: frameStyle },
  '/docs/style.css': { type: 'text/css', text: textStyle },
  [pageScriptPath]: { type: 'text/javascript', text: pageScript },
  [referenceStartPath]: { type: 'text/javascript', text: referenceStart },
  [railScriptPath]: { type: 'text/javascript', text: railScript },
}

/** The fonts of English text and of code: the first rule of a family has their letters. */
function firstFonts(faces: string): readonly string[] {
  const rules = [...faces.matchAll(/font-family:\s*([^;]*);[^}]*url\(([^)]*)\)/g)]
  const families = new Set(rules.map(([, family]) => family))
  return [...families].map(of => rules.find(([, family]) => family === of)?.[2] ?? '')
}

/** What the search looks through: the sections of the pages, the operations and the schemas. */
function allSections(api: OpenApi, pages: readonly Page[]): readonly Section[] {
  const operations = routesOf(api).map(route => ({
    href: hrefOfOperation(route),
    page: `${route.method} ${route.path}`,
    heading: route.operation.summary,
    text: `${route.operation.operationId}: ${route.operation.summary}`,
  }))
  const schemas = Object.entries(api.components.schemas).map(
    ([name, { description = '', properties = {} }]) => ({
      href: hrefOfSchema(name),
      page: 'Every operation',
      heading: `${name} schema`,
      text: `${plainOf(description)} ${Object.keys(properties).join(', ')}`.trim(),
    }),
  )
  return [
    ...pages.flatMap(({ markdown: text, name, title }) => sectionsOf(title, hrefOf(name), text)),
    ...operations,
    ...schemas,
  ]
}

/** The page of an address that has none. */
const nothing = html`<h1>There is no such page</h1>
<p>It may have moved. Search for it, or begin with <a href="${homePath}">your first gate</a> or
<a href="${referencePath}">every operation</a>.</p>
${searchForm('', 'find')}`

interface Site {
  /** Everything that is served, by its path. */
  readonly served: ReadonlyMap<string, Served>
  /** The page of the search for a text. */
  search(query: string): Served
}

/** Renders all pages. A missing file is logged and left out. */
async function build({ document, fontFaces, world }: SiteParts): Promise<Site> {
  const api = document() as OpenApi
  const address = api.servers[0]?.url ?? ''
  const read = await Promise.all(pageNames.map(name => readPage(name, address)))
  const pages = read.filter((page): page is Page => page !== undefined)
  const vectors = await readDoc(vectorsFile)
  const missing = [
    ...pageNames.filter(name => !pages.some(page => page.name === name)),
    ...(vectors === undefined ? [vectorsFile] : []),
  ]
  if (missing.length > 0) world.log.warn('pages of the documentation are missing', { missing })

  const rail = railOf(pages, api)
  // A font that comes late is for the next page: a text that changes its font under the reader's eyes moves.
  const faces = ((await fontFaces?.()) ?? '').replaceAll('font-display:swap', 'font-display:optional')
  const fonts = firstFonts(faces)
  const textPage = (title: string, here: string, main: Html, query?: string) =>
    htmlOf(layout({ title, rail, fonts, here, main, ...(query !== undefined && { query }) }))
  const served = new Map<string, Served>(Object.entries(ownFiles))
  served.set(framePath, { type: 'text/css', text: `${faces}${frameStyle}` })
  const scripts = [railScriptPath, referenceScriptPath, referenceStartPath]
  const main = referenceMain(operationIndex(api, operationsOf(api)))
  const reference = { title: 'Every operation', rail, fonts, here: referencePath, main, scripts }
  served.set(referencePath, { ...htmlOf(scriptedLayout(reference)), policy: referencePolicy })
  served.set('/llms.txt', { type: 'text/plain', text: llmsText(api, pages) })
  for (const { markdown: text, name, title } of pages) {
    const here = hrefOf(name)
    const parts = { here, rail, markdown: text, text: markdown(text), source: sourceOf(name) }
    served.set(here, textPage(title, here, article(parts)))
    served.set(sourceOf(name), { type: 'text/markdown', text })
  }
  served.set(anyOther, textPage('No such page', '', nothing))
  if (vectors !== undefined) served.set(`/docs/${vectorsFile}`, { type: 'application/json', text: vectors })

  const sections = allSections(api, pages)
  return {
    served,
    search: query => textPage('Search', searchPath, searchResults(sections, query), query),
  }
}

const missingFile: Problem = {
  problem: 'not_found',
  message: 'This page of the documentation is not installed here.',
}

/** Every other address below /docs. */
const anyOther = '/docs/*other'

const paths = [
  referencePath,
  ...Object.keys(ownFiles),
  '/llms.txt',
  ...pageNames.flatMap(name => [hrefOf(name), sourceOf(name)]),
  `/docs/${vectorsFile}`,
  anyOther,
]

/** Serves the script of the reference. A browser that has it already gets 304. */
function serveReferenceScript(router: Router, world: World): void {
  let read: Promise<ReferenceScript | undefined> | undefined
  router.get(referenceScriptPath, async ctx => {
    read ??= readReferenceScript().then(script => {
      if (!script) world.log.warn('the script of the reference is missing', { path: referenceScriptPath })
      return script
    })
    const script = await read
    if (!script) return answerProblem(ctx, missingFile)
    ctx.set({ 'Cache-Control': 'public, max-age=300', ETag: script.tag, Vary: 'Accept-Encoding' })
    ctx.type = 'text/javascript'
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
      return
    }
    const isZipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
    if (isZipped) ctx.set('Content-Encoding', 'gzip')
    ctx.body = isZipped ? script.zipped : script.text
  })
}

export interface SiteParts {
  /** Makes the OpenAPI document as it is served. */
  readonly document: () => object
  /** The rules of the dashboard's fonts, as CSS; empty where it is not built. */
  readonly fontFaces?: () => Promise<string>
  readonly world: World
}

/**
 * Adds the documentation to `router`. It is rendered at the first request, so it costs neither start nor memory where nobody
 * reads it.
 */
export function serveDocs(router: Router, parts: SiteParts): void {
  let built: Promise<Site> | undefined
  const site = () => {
    built ??= build(parts)
    return built
  }
  serveReferenceScript(router, parts.world)
  router.get(searchPath, compressed, async ctx => {
    const { text, type } = (await site()).search(String(ctx.query['q'] ?? ''))
    ctx.set('Content-Security-Policy', textPolicy)
    ctx.type = type
    ctx.body = text
  })
  for (const path of paths)
    router.get(path, compressed, async ctx => {
      const served = (await site()).served.get(path)
      if (!served) return answerProblem(ctx, missingFile)
      ctx.set('Content-Security-Policy', served.policy ?? textPolicy)
      if (path === anyOther) ctx.status = 404
      else ctx.set('Cache-Control', 'public, max-age=300')
      ctx.type = served.type
      ctx.body = served.text
    })
}
