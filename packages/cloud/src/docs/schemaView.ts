// Schemas as tables: what each member is, and what it may be.

import { type Html, html } from '../text/html.ts'
import { inlineMarkdown } from './markdown.ts'
import { nameOf, type Schema } from './openApi.ts'

/** What a value of the schema is, in a few words: `string or null`, `array of Access`. */
export function typeText(schema: Schema): Html {
  const { $ref, anyOf, items, type } = schema
  if ($ref !== undefined) return html`<a href="#schema-${nameOf($ref)}">${nameOf($ref)}</a>`
  if (anyOf) return html`${anyOf.map((each, place) => html`${place > 0 ? ' or ' : ''}${typeText(each)}`)}`
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum)
    return html`${schema.enum.map((word, place) => html`${place > 0 ? ', ' : ''}<code>${String(word)}</code>`)}`
  if (type === 'array' && items) return html`array of ${typeText(items)}`
  return html`${type ?? 'any'}`
}

function range(minimum: number | undefined, maximum: number | undefined, noun: string): string[] {
  if (minimum === undefined && maximum === undefined) return []
  if (minimum === undefined || (minimum === 0 && noun !== ''))
    return maximum === undefined ? [] : [`at most ${maximum}${noun}`]
  return [maximum === undefined ? `at least ${minimum}${noun}` : `${minimum} to ${maximum}${noun}`]
}

/** The limits of a value, in words. */
function limitsOf(schema: Schema): string[] {
  const { default: otherwise, maxItems, maxLength, maximum, minItems, minLength, minimum } = schema
  // The one alternative beside null has the limits.
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  if (only && others.length === 0) return limitsOf(only)
  return [
    ...range(minLength, maxLength, ' characters'),
    ...range(minimum, maximum, ''),
    ...range(minItems, maxItems, ' items'),
    ...(otherwise === undefined ? [] : [`default ${JSON.stringify(otherwise)}`]),
  ]
}

function descriptionOf({ anyOf = [], description }: Schema): string {
  return description ?? anyOf.find(each => each.description !== undefined)?.description ?? ''
}

/** Whether the description names the limit's last number itself. The number in `E.164` does not count. */
function tells(description: string, limit: string): boolean {
  const [number = ''] = limit.match(/\d+(?=\D*$)/) ?? []
  if (number === '') return false
  return new RegExp(`(?<![.\\d])${number}(?!\\d)`).test(description)
}

/** The text about one value: its description, then the limits that the description does not name. */
export function remarks(schema: Schema, description = descriptionOf(schema)): Html {
  const limits = limitsOf(schema)
    .filter(limit => !tells(description, limit))
    .join(', ')
  if (description === '' || limits === '') return html`${inlineMarkdown(description)}${limits}`
  return html`${inlineMarkdown(description)}; ${limits}`
}

/** The members of an object as a table. */
export function memberTable({ properties = {}, required = [] }: Schema): Html {
  const rows = Object.entries(properties).map(
    ([name, schema]) =>
      html`<tr><td><code>${name}</code>${required.includes(name) ? '' : html`<br><span class="soft">optional</span>`}</td><td>${typeText(schema)}</td><td>${remarks(schema)}</td></tr>`,
  )
  return html`<div class="wide"><table><thead><tr><th>Member</th><th>Type</th><th>Remarks</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

/** One named schema with its heading. */
export function schemaSection(name: string, schema: Schema): Html {
  const forms = schema.oneOf?.map(form => html`<h4><code>${form.title ?? ''}</code></h4>${memberTable(form)}`)
  const body = schema.properties
    ? memberTable(schema)
    : forms
      ? html`<p>${remarks(schema)}: one of ${forms.length} forms.</p>${forms}`
      : html`<p>${typeText(schema)}${schema.description === undefined ? '' : html`. ${remarks(schema)}`}</p>`
  return html`<h3 id="schema-${name}">${name}</h3>\n${body}\n`
}
