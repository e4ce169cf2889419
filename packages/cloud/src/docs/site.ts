// The documentation as a site: /docs, its pages, search and data, and /llms.txt.

import type { Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Router } from '@koa/router'
import { answerProblem } from '../http/answerError.ts'
import { compressed } from '../http/compression.ts'
import { type Html, html } from '../text/html.ts'
import { type Page, pageGroups, pageNames, readDoc, readPage, vectorsFile } from './docPages.ts'
import { home } from './home.ts'
import { homePath, layout, type Rail, scriptedLayout, searchPath } from './layout.ts'
import { llmsText } from './llmsText.ts'
import { markdown } from './markdown.ts'
import { type OpenApi, type Route, routesOf } from './openApi.ts'
import { pageScript, pageScriptPath } from './pageScript.ts'
import { railScript, railScriptPath } from './railScript.ts'
import {
  hrefOfOperation,
  type ReferenceScript,
  readReferenceScript,
  referenceMain,
  referencePath,
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

const hrefOf = (name: string) => (name === 'start' ? homePath : `/docs/${name}`)
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

/** The operations by their groups. The rail has room for what a summary says before its colon. */
function operationsOf(api: OpenApi): Rail {
  const routes = routesOf(api)
  const links = api.tags.map(({ name }) => {
    const own = routes.filter(({ operation: { tags } }) => tags.includes(name))
    const linkOf = (route: Route) => ({
      href: hrefOfOperation(route),
      label: route.operation.summary.split(':')[0] ?? '',
      method: route.method,
    })
    return [name, own.map(linkOf)] as const
  })
  return Object.fromEntries(links)
}

/** The links of the rail. The reference comes before the pages of its group. */
function railOf(pages: readonly Page[], api: OpenApi): Rail {
  const linksOf = (names: readonly string[]) =>
    pages
      .filter(({ name }) => names.includes(name))
      .map(({ name, title }) => ({ href: hrefOf(name), label: name === 'start' ? 'Your first gate' : title }))
  const groups = Object.entries(pageGroups).map(([group, names]) => [group, linksOf(names)] as const)
  const reference = { href: referencePath, label: 'Every operation', parts: operationsOf(api) }
  return Object.fromEntries(
    groups.map(([group, links]) => [group, group === 'Reference' ? [reference, ...links] : links]),
  )
}

interface Site {
  /** Everything that is served, by its path. */
  readonly served: ReadonlyMap<string, Served>
  /** The page of the search for a text. */
  search(query: string): Served
}

/** Renders all pages. A missing file is logged and left out. */
async function build({ document, fontFaces, world }: SiteParts): Promise<Site> {
  const api = document() as OpenApi
  const read = await Promise.all(pageNames.map(readPage))
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
  // The first rule is that of the letters of English.
  const font = /url\(([^)]*)\)/.exec(faces)?.[1]
  const textPage = (title: string, here: string, main: Html, query?: string) =>
    htmlOf(layout({ title, rail, font, here, main, ...(query !== undefined && { query }) }))
  const served = new Map<string, Served>(Object.entries(ownFiles))
  served.set(framePath, { type: 'text/css', text: `${faces}${frameStyle}` })
  const scripts = [railScriptPath, referenceScriptPath, referenceStartPath]
  const reference = { title: 'Reference', rail, font, here: referencePath, main: referenceMain, scripts }
  served.set(referencePath, { ...htmlOf(scriptedLayout(reference)), policy: referencePolicy })
  served.set('/llms.txt', { type: 'text/plain', text: llmsText(api, pages) })
  for (const { markdown: text, name, title } of pages) {
    const main = markdown(text)
    served.set(hrefOf(name), textPage(title, hrefOf(name), name === 'start' ? home(api, main) : main))
    served.set(sourceOf(name), { type: 'text/markdown', text })
  }
  const nothing = html`<h1>There is no such page</h1>
<p>The documentation begins at <a href="${homePath}">${homePath}</a>.</p>`
  served.set(anyOther, textPage('No such page', '', nothing))
  if (vectors !== undefined) served.set(`/docs/${vectorsFile}`, { type: 'application/json', text: vectors })

  const sections: readonly Section[] = [
    ...pages.flatMap(({ markdown: text, name, title }) => sectionsOf(title, hrefOf(name), text)),
    ...routesOf(api).map(route => ({
      href: hrefOfOperation(route),
      page: 'Reference',
      heading: `${route.method} ${route.path}`,
      text: `${route.operation.operationId}: ${route.operation.summary}`,
    })),
  ]
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
