// Query strings: strict numbers, no repeated fields and no unknown ones.

import type { CallShape } from '@callgate/contract/rest/operation'
import type { Problem } from '@callgate/contract/rest/problem'
import { closed } from '@callgate/contract/text'
import { checker, shownName } from '@callgate/contract/validate'
import type { Read } from './body.ts'

/** Converts the texts of a query to values before the schema checks them. A text that does not fit stays text, and is refused. */
const fromText: Readonly<Record<string, (text: string) => unknown>> = {
  integer: text => (/^(0|-?[1-9][0-9]{0,9})$/.test(text) ? Number(text) : text),
  boolean: text => (text === 'true' ? true : text === 'false' ? false : text),
}

function invalid(message: string, refusals?: Problem['refusals']): Read {
  return { ok: false, problem: { problem: 'validation_error', message, refusals } }
}

/** A reader of the query strings of one operation. */
export function queryReader(operation: CallShape): (querystring: string) => Read {
  const schema = operation.query ?? closed({})
  const check = checker(schema, 'the query')
  const properties = ('properties' in schema ? schema.properties : {}) as Record<string, { type?: unknown }>
  const kindOf = (name: string) => String(properties[name]?.type)
  return querystring => {
    const values: [string, unknown][] = []
    const names = new Set<string>()
    for (const [name, text] of new URLSearchParams(querystring)) {
      if (names.has(name)) return invalid(`${shownName(name)} is given more than once`)
      names.add(name)
      if (!Object.hasOwn(properties, name)) return invalid(`${shownName(name)} is not a known field`)
      values.push([name, fromText[kindOf(name)]?.(text) ?? text])
    }
    const checked = check(Object.fromEntries(values))
    return checked.ok ? checked : invalid(checked.message, checked.refusals)
  }
}
