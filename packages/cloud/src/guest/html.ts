// HTML by a template that escapes every text put into it.

/** HTML that may be sent as it is. */
export interface Html {
  readonly html: string
}

type Part = string | number | Html | readonly Html[] | undefined

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function render(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string') return part.replace(/[&<>"']/g, sign => entities[sign] ?? '')
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(({ html }) => html).join('')
}

/** Texts are escaped, for contents and for quoted attributes alike; HTML is not, and undefined is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const rest = parts.map((part, place) => render(part) + (strings[place + 1] ?? ''))
  return { html: (strings[0] ?? '') + rest.join('') }
}
