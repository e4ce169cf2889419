// Markdown to HTML, for our own pages; the only import of marked.

import { Marked, type Token, type Tokens } from 'marked'
import { type Html, html, trusted } from '../text/html.ts'

/** The anchor of a heading: `## Idempotency-Key` → `idempotency-key`. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s+/g, '-')
}

/** Markdown as it is read: without the signs of links, code, tables and lists. */
export const plainOf = (text: string) =>
  text
    .replace(/<!--.*?-->/g, ' ')
    .replace(/^```\w*$/gm, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\||^[-#>]+ |--/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const languages: Readonly<Record<string, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  json: 'JSON',
  http: 'HTTP',
}
/** The name of a language; of the examples in several, those for the shell are of curl. */
const languageOf = (lang: string, inShell = languages['sh']) => (lang === 'sh' ? inShell : languages[lang])

/** From the sign of a comment to the end of its line. */
const comments: Readonly<Record<string, RegExp>> = {
  sh: /((?:^|(?<=\s))#.*)$/,
  python: /((?:^|(?<=\s))#.*)$/,
  ts: /((?:^|(?<=\s))\/\/.*)$/,
}

/** Deeper lines than these are rare, and are wrapped as these are. */
const deepest = 16

/**
 * Code whose comments are set apart: in those for the shell stand the answers. Each line is a block with a class for its indent,
 * so that what does not fit goes on deeper than the line begins.
 */
function codeOf({ lang = '', text }: Tokens.Code): Html {
  const comment = comments[lang]
  const lineOf = (line: string) => {
    const indent = Math.min(deepest, line.length - line.trimStart().length)
    // A text that is split by a group has what was matched at each odd place.
    const parts = comment ? line.split(comment) : [line]
    return html`<span class="i${indent}">${parts.map((part, place) => (place % 2 === 1 ? html`<i>${part}</i>` : part))}\n</span>`
  }
  return html`${text.split('\n').map(lineOf)}`
}

/** How the lines of code are wrapped, as CSS. */
export const linesStyle = Array.from(
  { length: deepest + 1 },
  (_, indent) => `.i${indent} { padding-left: ${indent + 2}ch; text-indent: -${indent + 2}ch }`,
).join(' ')

/**
 * Examples of one thing in several languages, of which the radio buttons show one. They need no script. JSON among them is the
 * answer to each of them, and stands below.
 */
function tabsOf(all: readonly Tokens.Code[], group: string): Html {
  const examples = all.filter(({ lang }) => lang !== 'json')
  const tabs = examples.map(({ lang = '' }, place) => {
    const id = `${group}-${lang}`
    return html`<input type="radio" name="${group}" id="${id}"${place === 0 ? trusted(' checked') : ''}><label for="${id}">${languageOf(lang, 'curl')}</label>`
  })
  const texts = examples.map(example => html`<pre><code>${codeOf(example)}</code></pre>`)
  const answers = all
    .filter(({ lang }) => lang === 'json')
    .map(
      answer =>
        html`<div class="code answer"><span class="language">Answer</span><pre><code>${codeOf(answer)}</code></pre></div>\n`,
    )
  return html`<div class="code tabs">${tabs}${texts}</div>\n${answers}`
}

/** A cell and the name of its column that are no longer than this together fit one line of a phone. */
const shortCell = 32

/**
 * On a phone a row is a block: its first cell is the title, and each other cell stands below the name of its column, or beside it
 * where both are short.
 */
function cellOf(content: string, column: string, text: string): string {
  const kind = column.length + text.length <= shortCell ? trusted(' class="short"') : ''
  return html`<td data-column="${column}"${kind}>${trusted(content)}</td>`.text
}

/** The blocks below the comment `in each language`, as one part. */
function withTabs(tokens: readonly Token[]): Token[] {
  const made: Token[] = []
  let examples: Tokens.Code[] | undefined
  const end = () => {
    if (examples)
      made.push({
        type: 'html',
        raw: '',
        text: tabsOf(examples, `tabs-${made.length}`).text,
        block: true,
        pre: false,
      })
    examples = undefined
  }
  for (const token of tokens) {
    if (token.type === 'html' && token.raw.trim() === '<!-- in each language -->') examples = []
    else if (examples && token.type === 'code') examples.push(token as Tokens.Code)
    else if (!examples || token.type !== 'space') {
      end()
      made.push(token)
    }
  }
  end()
  return made
}

const marked = new Marked({
  hooks: { processAllTokens: tokens => withTabs(tokens) },
  renderer: {
    heading({ depth, text, tokens }: Tokens.Heading) {
      const anchor = anchorOf(text)
      const inner = this.parser.parseInline(tokens)
      // The heading is its own link, so that a reader can pass on the section.
      const linked = depth === 1 ? inner : `<a href="#${anchor}">${inner}</a>`
      return `<h${depth} id="${anchor}">${linked}</h${depth}>\n`
    },
    code(block: Tokens.Code) {
      const { lang = '' } = block
      return html`<div class="code"><span class="language">${languageOf(lang)}</span><pre><code class="language-${lang}">${codeOf(block)}</code></pre></div>\n`
        .text
    },
    // A wide table scrolls by itself, so that the page does not.
    table({ header, rows }: Tokens.Table) {
      const textOf = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens)
      const heads = header.map(cell => `<th>${textOf(cell)}</th>`).join('')
      const rowOf = (cells: readonly Tokens.TableCell[]) =>
        `<tr>${cells.map((cell, place) => cellOf(textOf(cell), plainOf(header[place]?.text ?? ''), plainOf(cell.text))).join('')}</tr>`
      const body = rows.map(rowOf).join('')
      return `<div class="wide"><table><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table></div>\n`
    },
  },
  walkTokens(token) {
    // Files link each other by file name, so that the links work in the repository as well. The first page is at /docs.
    if (token.type === 'link')
      token.href = token.href.replace(/^([\w-]+)\.md(?=#|$)/, '/docs/$1').replace(/^\/docs\/start\b/, '/docs')
    if (token.type === 'link') token.href = token.href.replace(/^([\w-]+\.json)$/, '/docs/$1')
  },
})

/** Converts a whole text. It must be our own, because HTML in it is not escaped. */
export function markdown(text: string): Html {
  return trusted(marked.parse(text, { async: false }))
}

/** A heading, and the Markdown below it up to the next one. */
export interface Part {
  readonly depth: number
  readonly heading: string
  readonly text: string
}

/** The parts of a text, in their order. A line of a code block is no heading. */
export function partsOf(text: string): readonly Part[] {
  const parts: Part[] = []
  for (const token of marked.lexer(text)) {
    const last = parts.at(-1)
    if (token.type === 'heading') parts.push({ depth: token.depth, heading: token.text, text: '' })
    else if (last) parts.splice(-1, 1, { ...last, text: `${last.text}${token.raw}` })
  }
  return parts
}
