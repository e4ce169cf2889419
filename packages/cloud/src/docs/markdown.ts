// Markdown to HTML, for our own pages; the only import of marked.

import { Marked, type Tokens } from 'marked'
import { type Html, trusted } from '../text/html.ts'

/** The anchor of a heading: `## Idempotency-Key` → `idempotency-key`. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s+/g, '-')
}

const marked = new Marked({
  renderer: {
    heading({ depth, text, tokens }: Tokens.Heading) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    // A wide table scrolls by itself, so that the page does not.
    table(token: Tokens.Table) {
      const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
      const rows = token.rows.map(cells => row(cells, 'td')).join('')
      const head = `<thead>${row(token.header, 'th')}</thead>`
      return `<div class="wide"><table>${head}<tbody>${rows}</tbody></table></div>\n`
    },
  },
  walkTokens(token) {
    // Files link each other by file name, so that the links work in the repository as well.
    if (token.type === 'link') token.href = token.href.replace(/^([\w-]+)\.md(?=#|$)/, '/docs/$1')
    if (token.type === 'link') token.href = token.href.replace(/^([\w-]+\.json)$/, '/docs/$1')
  },
})

/** Converts a whole text. It must be our own, because HTML in it is not escaped. */
export function markdown(text: string): Html {
  return trusted(marked.parse(text, { async: false }))
}
