// HTML by a template that escapes every text put into it, for the pages and the mails.

/** HTML that may be sent unchanged: made by `html`, or by `trusted` from text that is known to be safe. */
class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type { Html }

type Part = Html | string | number | undefined | readonly Part[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function textOf(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(textOf).join('')
  return String(part).replace(/[&<>"']/g, sign => entities[sign] ?? '')
}

/** Texts are escaped, for contents and for quoted attributes alike; lists are joined, undefined is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((string, place) => string + textOf(parts[place])).join(''))
}

/** Marks a text as safe HTML, which is not escaped. */
export function trusted(text: string): Html {
  return new Html(text)
}
