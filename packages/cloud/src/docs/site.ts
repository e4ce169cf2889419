// The documentation as a site: /docs, its pages and data, and /llms.txt. Only the reference has scripts.

import type { Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Router } from '@koa/router'
import { answerProblem } from '../http/answerError.ts'
import { compressed } from '../http/compression.ts'
import { type Html, html } from '../text/html.ts'
import { type Page, pageNames, readDoc, readPage, vectorsFile } from './docPages.ts'
import { home } from './home.ts'
import { layout, scriptedLayout } from './layout.ts'
import { llmsText } from './llmsText.ts'
import { markdown } from './markdown.ts'
import type { OpenApi } from './openApi.ts'
import {
  type ReferenceScript,
  readReferenceScript,
  referenceMain,
  referencePath,
  referencePolicy,
  referenceScriptPath,
  referenceStart,
  referenceStartPath,
} from './reference.ts'
import { frameStyle, textStyle } from './stylesheet.ts'

interface Served {
  readonly type: string
  readonly text: string
  /** A policy that differs from that of the pages of text. */
  readonly policy?: string
}

/** Only our own stylesheets are loaded, and nothing runs. */
const textPolicy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const homePath = '/docs'
const hrefOf = (name: string) => `/docs/${name}`
const htmlOf = (text: string): Served => ({ type: 'text/html', text })

/** The served texts that need no file. */
const ownFiles: Readonly<Record<string, Served>> = {
  '/docs/frame.css': { type: 'text/css', text: frameStyle },
  '/docs/style.css': { type: 'text/css', text: textStyle },
  [referenceStartPath]: { type: 'text/javascript', text: referenceStart },
}

/** Everything that is served, by its path. A missing file is logged and left out. */
async function build(document: OpenApi, world: World): Promise<ReadonlyMap<string, Served>> {
  const read = await Promise.all(pageNames.map(readPage))
  const pages = read.filter((page): page is Page => page !== undefined)
  const vectors = await readDoc(vectorsFile)
  const missing = [
    ...pageNames.filter(name => !pages.some(page => page.name === name)),
    ...(vectors === undefined ? [vectorsFile] : []),
  ]
  if (missing.length > 0) world.log.warn('pages of the documentation are missing', { missing })

  const written = pages.map(({ name, title }) => ({ href: hrefOf(name), label: title }))
  const links = [{ href: referencePath, label: 'Reference' }, ...written]
  const textPage = (title: string, here: string, main: Html) =>
    htmlOf(layout({ title, pages: links, here, main }))
  const served = new Map<string, Served>(Object.entries(ownFiles))
  served.set(homePath, textPage(document.info.title, homePath, home(document, links)))
  served.set(referencePath, {
    ...htmlOf(
      scriptedLayout({
        title: 'Reference',
        pages: links,
        here: referencePath,
        main: referenceMain,
        scripts: [referenceScriptPath, referenceStartPath],
      }),
    ),
    policy: referencePolicy,
  })
  served.set('/llms.txt', { type: 'text/plain', text: llmsText(document, pages) })
  for (const { markdown: text, name, title } of pages) {
    served.set(hrefOf(name), textPage(title, hrefOf(name), markdown(text)))
    served.set(`${hrefOf(name)}.md`, { type: 'text/markdown', text })
  }
  const nothing = html`<h1>There is no such page</h1>
<p>The documentation begins at <a href="${homePath}">${homePath}</a>.</p>`
  served.set(anyOther, textPage('No such page', '', nothing))
  if (vectors !== undefined) served.set(hrefOf(vectorsFile), { type: 'application/json', text: vectors })
  return served
}

const missingFile: Problem = {
  problem: 'not_found',
  message: 'This page of the documentation is not installed here.',
}

/** Every other address below /docs. */
const anyOther = '/docs/*other'

const paths = [
  homePath,
  referencePath,
  ...Object.keys(ownFiles),
  '/llms.txt',
  ...pageNames.flatMap(name => [hrefOf(name), `${hrefOf(name)}.md`]),
  hrefOf(vectorsFile),
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

/**
 * Adds the documentation to `router`. It is rendered at the first request, so it costs neither start nor memory where nobody
 * reads it. `document` makes the OpenAPI document as it is served.
 */
export function serveDocs(
  router: Router,
  parts: { readonly document: () => object; readonly world: World },
): void {
  const { document, world } = parts
  let built: Promise<ReadonlyMap<string, Served>> | undefined
  serveReferenceScript(router, world)
  for (const path of paths)
    router.get(path, compressed, async ctx => {
      built ??= build(document() as OpenApi, world)
      const served = (await built).get(path)
      if (!served) return answerProblem(ctx, missingFile)
      ctx.set('Content-Security-Policy', served.policy ?? textPolicy)
      if (path === anyOther) ctx.status = 404
      else ctx.set('Cache-Control', 'public, max-age=300')
      ctx.type = served.type
      ctx.body = served.text
    })
}
