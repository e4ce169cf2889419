// The documentation as a site: /docs, its pages and data, and /llms.txt. Static HTML and one stylesheet, no script.

import type { Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Router } from '@koa/router'
import { answerProblem } from '../http/answerError.ts'
import { html } from '../text/html.ts'
import { type Link, layout } from './layout.ts'
import { llmsText } from './llmsText.ts'
import { markdown } from './markdown.ts'
import type { OpenApi } from './openApi.ts'
import { type Page, pageNames, readDoc, readPage, vectorsFile } from './pages.ts'
import { reference } from './reference.ts'
import { stylesheet } from './stylesheet.ts'

interface Served {
  readonly type: string
  readonly text: string
}

/** Nothing but our own stylesheet is loaded, and nothing runs. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const home: Link = { href: '/docs', label: 'Reference' }
const hrefOf = (name: string) => `/docs/${name}`

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

  const links = [home, ...pages.map(({ name, title }) => ({ href: hrefOf(name), label: title }))]
  const htmlOf = (text: string): Served => ({ type: 'text/html', text })
  const served = new Map<string, Served>([
    [
      home.href,
      htmlOf(layout({ title: 'Reference', pages: links, here: home.href, ...reference(document) })),
    ],
    ['/docs/style.css', { type: 'text/css', text: stylesheet }],
    ['/llms.txt', { type: 'text/plain', text: llmsText(document, pages) }],
  ])
  for (const { markdown: text, name, title } of pages) {
    const here = hrefOf(name)
    served.set(here, htmlOf(layout({ title, pages: links, here, main: markdown(text) })))
    served.set(`${here}.md`, { type: 'text/markdown', text })
  }
  const nothing = html`<h1>There is no such page</h1>
<p>The documentation begins at <a href="${home.href}">${home.label}</a>.</p>`
  served.set(anyOther, htmlOf(layout({ title: 'No such page', pages: links, here: '', main: nothing })))
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
  home.href,
  '/docs/style.css',
  '/llms.txt',
  ...pageNames.flatMap(name => [hrefOf(name), `${hrefOf(name)}.md`]),
  hrefOf(vectorsFile),
  anyOther,
]

/**
 * Adds the documentation to `router`, and a redirect to it from the bare address. It is rendered at the first request,
 * so it costs neither start nor memory where nobody reads it. `document` makes the OpenAPI document as it is served.
 */
export function serveDocs(
  router: Router,
  parts: { readonly document: () => object; readonly world: World },
): void {
  const { document, world } = parts
  let built: Promise<ReadonlyMap<string, Served>> | undefined
  router.get('/', ctx => ctx.redirect(home.href))
  for (const path of paths)
    router.get(path, async ctx => {
      built ??= build(document() as OpenApi, world)
      const served = (await built).get(path)
      if (!served) return answerProblem(ctx, missingFile)
      ctx.set('Content-Security-Policy', contentSecurityPolicy)
      if (path === anyOther) ctx.status = 404
      else ctx.set('Cache-Control', 'public, max-age=300')
      ctx.type = served.type
      ctx.body = served.text
    })
}
