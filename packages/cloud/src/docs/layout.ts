// The frame of every page of the documentation.

import { type Html, html } from '../text/html.ts'

export interface Link {
  readonly href: string
  readonly label: string
}

/** A whole page. `beside` is its table of contents. */
export function layout(page: {
  readonly title: string
  readonly pages: readonly Link[]
  readonly here: string
  readonly beside?: Html
  readonly main: Html
}): string {
  const { beside, here, main, pages, title } = page
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
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header><a class="home" href="/docs">Callgate</a><nav aria-label="Pages">${pages.map(link)}</nav></header>
<div class="columns">${beside && html`<nav class="beside" aria-label="On this page">${beside}</nav>`}
<main id="main">
${main}
</main></div>
</body>
</html>
`.text
}
