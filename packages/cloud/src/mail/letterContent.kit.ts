// For the tests of mails: what a mail says, as a list of lines, from its plain text or from its HTML.

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** The lines of a page, without the sender above the card, and without the button where words above the link replace it. */
function linesOfHtml(html: string): readonly string[] {
  return html
    .replace(/^.*<td class="card"[^>]*>/s, '')
    .replace(/<td class="press".*?<\/td>(?=[^<]*(<\/t[^>]*>[^<]*)*<p[^>]*>[^<])/s, '')
    .replace(/<tr><td class="ink2 line"[^>]*>(?:<t[^>]*>)*<div[^>]*>/g, '$&- ')
    .split(/<[^>]*>|\n/)
    .map(line => line.replace(/&[a-z#0-9]+;/g, entity => entities[entity] ?? entity))
}

/** The lines in their order; those of the HTML of a letter equal those of its plain text. */
export function contentOf(letter: string): readonly string[] {
  const lines = letter.startsWith('<!doctype') ? linesOfHtml(letter) : letter.split('\n')
  return lines.map(line => line.trim()).filter(line => line !== '')
}
