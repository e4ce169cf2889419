// What stands around the text of a page: its group, the list of its sections, and the pages before and after it.

import { type Html, html } from '../text/html.ts'
import type { Link, Rail } from './layout.ts'
import { anchorOf, partsOf, plainOf } from './markdown.ts'

/** Fewer sections are seen at once. */
const fewestListed = 3

/** The sections of a page as links, beside its text where the window has room. */
function contentsOf(markdown: string): Html | undefined {
  const listed = partsOf(markdown).filter(({ depth }) => depth === 2 || depth === 3)
  if (listed.length < fewestListed) return undefined
  const links = listed.map(
    ({ depth, heading }) =>
      html`<li class="depth${depth}"><a href="#${anchorOf(heading)}">${plainOf(heading)}</a></li>`,
  )
  return html`<nav class="contents" aria-labelledby="contents"><h2 id="contents">On this page</h2><ul>${links}</ul></nav>\n`
}

/** The pages before and after, in the order of the rail. */
function stepsOf(rail: Rail, here: string): Html {
  const links = Object.values(rail).flat()
  const place = links.findIndex(({ href }) => href === here)
  const stepTo = (link: Link | undefined, rel: 'prev' | 'next', word: string) =>
    link && html`<a rel="${rel}" href="${link.href}"><small>${word}</small>${link.label}</a>`
  return html`<nav class="steps" aria-label="Previous and next">${stepTo(links[place - 1], 'prev', 'Previous')}${stepTo(links[place + 1], 'next', 'Next')}</nav>`
}

interface Article {
  readonly rail: Rail
  readonly here: string
  /** The text as HTML, and what it was made from with the address of that. */
  readonly text: Html
  readonly markdown: string
  readonly source: string
}

/** The content of a page of text. */
export function article({ here, markdown, rail, source, text }: Article): Html {
  const group = Object.entries(rail).find(([, links]) => links.some(({ href }) => href === here))?.[0]
  return html`${contentsOf(markdown)}<article>
<p class="eyebrow">${group}</p>
${text}
<footer><a href="${source}">This page as Markdown</a></footer>
${stepsOf(rail, here)}
</article>`
}
