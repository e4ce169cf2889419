// The frame of every page of the documentation: the rail with its groups, which is a menu on a phone, and the search.

import { type Html, html, trusted } from '../text/html.ts'

export interface Link {
  readonly href: string
  readonly label: string
  /** The method and path of an operation. */
  readonly method?: string
  readonly path?: string
  /** The parts of the page by group, listed below its link while the page is shown. */
  readonly parts?: Rail
}

/** The links of the rail, by group. */
export interface Rail {
  readonly [group: string]: readonly Link[]
}

interface Page {
  readonly title: string
  readonly rail: Rail
  readonly here: string
  readonly main: Html
  /** The addresses of the fonts that every page is written in. */
  readonly fonts?: readonly string[]
  /** What the search field holds. */
  readonly query?: string
}

export const homePath = '/docs'
export const searchPath = '/docs/search'
export const referencePath = '/docs/reference'
/** Longer searches are refused by the field, and cut by the search. */
export const longestSearch = 100

const mark = trusted(
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M21.9 23.5A10.8 10.8 0 1 1 21.6 9.4"/><path class="leaf" d="M21.9 23.5L29.2 11.6"/></svg>',
)

/** The field of the search: in the rail, and on the pages that a search ends on. */
export function searchForm(query: string, kind: 'rail' | 'find'): Html {
  const [name, button] =
    kind === 'find'
      ? ['Search again', html`<button>Search</button>`]
      : ['Search the documentation', undefined]
  return html`<form class="${kind}" action="${searchPath}" role="search" aria-label="${name}"><input type="search" name="q" value="${query}" maxlength="${longestSearch}" placeholder="Search" aria-label="${name}">${button}</form>`
}

/** The rail is a popover, so that its button works without a script. On a wide window the style shows it as a part of the page. */
function railOf({ here, query = '', rail }: Pick<Page, 'here' | 'query' | 'rail'>): Html {
  const link = ({ href, label, method, parts = {} }: Link): Html => {
    const named = method && html` <small>${method}</small>`
    if (href !== here) return html`<li><a href="${href}">${label}${named}</a></li>`
    const groups = Object.entries(parts).map(
      ([name, links]) => html`<details><summary>${name}</summary><ul>${links.map(link)}</ul></details>`,
    )
    return html`<li><a href="${href}" aria-current="page">${label}</a>${groups}</li>`
  }
  const groups = Object.entries(rail).map(
    ([name, links]) => html`<h2>${name}</h2>\n<ul>${links.map(link)}</ul>\n`,
  )
  return html`<header class="top"><a class="home" href="${homePath}">${mark}Callgate</a><button type="button" popovertarget="rail">Menu</button></header>
<nav id="rail" popover aria-label="Documentation"><a class="home" href="${homePath}">${mark}Callgate</a>
${searchForm(query, 'rail')}
${groups}</nav>`
}

interface Frame extends Omit<Page, 'main'> {
  readonly head: Html
  readonly body: Html
  readonly kind: 'text' | 'reference'
}

function frame({ body, head, here, kind, query, rail, title }: Frame): string {
  return html`<!doctype html>
<html lang="en" class="${kind}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Callgate</title>
${head}
</head>
<body>
<a class="skip" href="#main">To the text</a>
${railOf({ here, rail, ...(query !== undefined && { query }) })}
${body}
</body>
</html>
`.text
}

/** Asked for at once, so that they are there before the first text is. */
const fontLinks = (hrefs: readonly string[] = []) =>
  hrefs.map(href => html`<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>\n`)
const styleLink = (href: string) => html`<link rel="stylesheet" href="${href}">`
const scriptLink = (src: string) => html`<script src="${src}" defer></script>\n`

/** A page of text. It needs no script: those that it has add what copies, and what shows where the reader is. */
export function layout(page: Page): string {
  const head = html`${fontLinks(page.fonts)}${styleLink('/docs/frame.css')}
${styleLink('/docs/style.css')}
${['/docs/rail.js', '/docs/page.js'].map(scriptLink)}`
  return frame({ ...page, kind: 'text', head, body: html`<main id="main">\n${page.main}\n</main>` })
}

/** A page that scripts fill. It has only the style of the frame. */
export function scriptedLayout(page: Page & { readonly scripts: readonly string[] }): string {
  const head = html`${fontLinks(page.fonts)}${styleLink('/docs/frame.css')}
${page.scripts.map(scriptLink)}`
  return frame({ ...page, kind: 'reference', head, body: page.main })
}
