// The search of the documentation: sections that contain every word that was typed. It runs in the service and needs no script.

import { type Html, html } from '../text/html.ts'
import { longestSearch } from './layout.ts'
import { anchorOf, partsOf } from './markdown.ts'

/** A part of a page, or an operation. */
export interface Section {
  readonly href: string
  /** Of its page. */
  readonly page: string
  readonly heading: string
  /** Without markup. */
  readonly text: string
}

const mostFound = 20
const excerptLength = 180

/** Markdown as it is read: without the signs of links, code, tables and lists. */
const plainOf = (markdown: string) =>
  markdown
    .replace(/<!--.*?-->/g, ' ')
    .replace(/^```\w*$/gm, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]|^[-#>]+ |--/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** The sections of a page: one for each heading. */
export function sectionsOf(page: string, href: string, markdown: string): readonly Section[] {
  return partsOf(markdown).map(({ depth, heading, text }) => ({
    href: depth === 1 ? href : `${href}#${anchorOf(heading)}`,
    page,
    heading: plainOf(heading),
    text: plainOf(text),
  }))
}

/** Sections with every word, those with most of them in the heading first, and of these the shortest heading. */
export function found(sections: readonly Section[], query: string): readonly Section[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const ranked = sections.flatMap(section => {
    const heading = section.heading.toLowerCase()
    const whole = `${section.page} ${heading} ${section.text}`.toLowerCase()
    if (!words.every(word => whole.includes(word))) return []
    return [{ section, inHeading: words.filter(word => heading.includes(word)).length }]
  })
  return ranked
    .sort(
      (one, other) =>
        other.inHeading - one.inHeading || one.section.heading.length - other.section.heading.length,
    )
    .slice(0, mostFound)
    .map(({ section }) => section)
}

/** The text around the first word. */
function excerptOf({ text }: Section, query: string): string {
  const [word = ''] = query.toLowerCase().split(/\s+/).filter(Boolean)
  const place = Math.max(0, text.toLowerCase().indexOf(word) - excerptLength / 3)
  const begin = place === 0 ? 0 : text.indexOf(' ', place) + 1
  const cut = text.slice(begin, begin + excerptLength)
  const end = begin + excerptLength < text.length ? cut.lastIndexOf(' ') : cut.length
  return `${begin > 0 ? '… ' : ''}${cut.slice(0, end)}${end < text.length - begin ? ' …' : ''}`
}

/** The page of what was found. */
export function searchResults(sections: readonly Section[], given: string): Html {
  const query = given.slice(0, longestSearch)
  const results = found(sections, query)
  const rows = results.map(
    section =>
      html`<li><a href="${section.href}">${section.heading}</a><small>${section.page}</small><p>${excerptOf(section, query)}</p></li>\n`,
  )
  if (query.trim() === '')
    return html`<h1>Search</h1>\n<p>Type a word, such as a code of an error or the name of an operation.</p>`
  if (results.length === 0)
    return html`<h1>Nothing has “${query}”</h1>\n<p>Try fewer words, or <a href="/docs#operations">look through every operation</a>.</p>`
  return html`<h1>“${query}”</h1>\n<ol class="found">${rows}</ol>`
}
