// The frame of every page of the documentation.

import { type Html, html } from '../text/html.ts'

export interface Link {
  readonly href: string
  readonly label: string
}

interface Page {
  readonly title: string
  readonly pages: readonly Link[]
  readonly here: string
  readonly main: Html
}

/** The head and the header of a whole page. */
function frame({ body, head, here, pages, title }: Omit<Page, 'main'> & { head: Html; body: Html }): string {
  const link = ({ href, label }: Link) =>
    href === here
      ? html`<a href="${href}" aria-current="page">${label}</a>`
      : html`<a href="${href}">${label}</a>`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Callgate</title>
${head}
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header><a class="home" href="/docs">Callgate</a><nav aria-label="Pages">${pages.map(link)}</nav></header>
${body}
</body>
</html>
`.text
}

const styleLink = (href: string) => html`<link rel="stylesheet" href="${href}">`

/** A page of text. */
export function layout(page: Page): string {
  const body = html`<main id="main">
${page.main}
</main>`
  return frame({
    ...page,
    head: html`${styleLink('/docs/frame.css')}
${styleLink('/docs/style.css')}`,
    body,
  })
}

/** A page that scripts fill. It has only the style of the frame. */
export function scriptedLayout(page: Page & { readonly scripts: readonly string[] }): string {
  const scripts = page.scripts.map(src => html`<script src="${src}" defer></script>\n`)
  const head = html`${styleLink('/docs/frame.css')}
${scripts}`
  return frame({ ...page, head, body: page.main })
}
