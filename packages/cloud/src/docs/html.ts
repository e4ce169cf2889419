// HTML as a template tag that escapes whatever it is given, unless it is HTML already.

export class Html {
  constructor(readonly text: string) {}
}

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
  return String(part).replace(/[&<>"']/g, character => entities[character] ?? character)
}

/** Escapes strings; lists are joined, undefined is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((string, place) => string + textOf(parts[place])).join(''))
}
