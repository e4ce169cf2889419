// The search of the documentation: sections that contain every word that was typed. It runs in the service and needs no script.

import { type Html, html } from '../text/html.ts'
import { longestSearch, referencePath, searchForm } from './layout.ts'
import { anchorOf, partsOf, plainOf } from './markdown.ts'

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

/** The rows of tables as sentences, without their heads. */
const toldRows = (text: string) =>
  text
    .replace(/^\|.*\n\|[-| ]+$/gm, '')
    .replace(
      /^\| *(.*?) *\|$/gm,
      (_, row: string) => `${row.replace(/ *\| */, ': ').replace(/ *\| */g, '; ')}.`,
    )

/** The sections of a page: one for each heading. */
export function sectionsOf(page: string, href: string, markdown: string): readonly Section[] {
  return partsOf(markdown).map(({ depth, heading, text }) => ({
    href: depth === 1 ? href : `${href}#${anchorOf(heading)}`,
    page,
    heading: plainOf(heading),
    text: plainOf(toldRows(text)),
  }))
}

/** How many of the words begin a word of the text. */
const begunIn = (text: string, words: readonly string[]) => {
  const begins = text.toLowerCase().split(/[^\p{L}\d_]+/u)
  return words.filter(word => begins.some(begin => begin.startsWith(word))).length
}

/**
 * Sections with every word, those with most of them in the heading first, and of these the shortest heading. Words at the beginning
 * of a word count before those within one: `gate` does not mean `callgate`.
 */
export function found(sections: readonly Section[], query: string): readonly Section[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const ranked = sections.flatMap(section => {
    const heading = section.heading.toLowerCase()
    const whole = `${section.page} ${heading} ${section.text}`.toLowerCase()
    if (!words.every(word => whole.includes(word))) return []
    const inHeading = words.filter(word => heading.includes(word)).length
    return [{ section, rank: inHeading + begunIn(section.heading, words) }]
  })
  return ranked
    .sort((one, other) => other.rank - one.rank || one.section.heading.length - other.section.heading.length)
    .map(({ section }) => section)
}

/** The text around the first word. */
function excerptOf({ text }: Section, query: string): string {
  const [word = ''] = query.toLowerCase().split(/\s+/).filter(Boolean)
  const hit = text.toLowerCase().indexOf(word)
  const place = Math.max(0, hit - excerptLength / 3)
  // In a text without blanks, such as the body of a request, the cut goes through a word.
  const blank = text.indexOf(' ', place)
  const isBefore = place > 0 && blank !== -1 && blank < hit
  const begin = isBefore ? blank + 1 : place
  const cut = text.slice(begin, begin + excerptLength)
  const last = cut.lastIndexOf(' ')
  const end = begin + excerptLength < text.length && last > hit - begin ? last : cut.length
  return `${begin > 0 ? '… ' : ''}${cut.slice(0, end)}${end < text.length - begin ? ' …' : ''}`
}

/** The words of the search are marked where they begin a word. */
function marked(text: string, query: string): Html {
  const words = query.split(/\s+/).filter(Boolean)
  const anyWord = new RegExp(
    `((?<![\\p{L}\\d])(?:${words.map(word => word.replace(/[\^$.*+?()[\]{}|/\\]/g, '\\$&')).join('|')}))`,
    'iu',
  )
  // A text that is split by a group has what was matched at each odd place.
  const parts = text
    .split(anyWord)
    .map((part, place) => (place % 2 === 1 ? html`<mark>${part}</mark>` : part))
  return html`${parts}`
}

/** The page of what was found. */
export function searchResults(sections: readonly Section[], given: string): Html {
  const query = given.slice(0, longestSearch)
  const form = searchForm(query, 'find')
  if (query.trim() === '')
    return html`<h1>Search</h1>\n${form}\n<p>Type a word, such as a code of an error or the name of an operation.</p>`
  const all = found(sections, query)
  if (all.length === 0)
    return html`<h1>Nothing has “${query}”</h1>\n${form}\n<p>Try fewer words, or <a href="${referencePath}">look through every operation</a>.</p>`
  const rows = all
    .slice(0, mostFound)
    .map(
      section =>
        html`<li><a href="${section.href}">${marked(section.heading, query)}</a><small>${section.page}</small><p>${marked(excerptOf(section, query), query)}</p></li>\n`,
    )
  const places = all.length === 1 ? 'One place has' : `${all.length} places have`
  const cut = all.length > mostFound ? `. These are the best ${mostFound}; more words find fewer` : ''
  return html`<h1>“${query}”</h1>\n${form}\n<p class="count">${places} every word${cut}.</p>\n<ol class="found">${rows}</ol>`
}
