// Query strings: strict numbers, no repeated and no unknown fields.

import type { OperationShape } from '@callgate/contract/operations'
import { closed } from '@callgate/contract/text'
import { checker } from '@callgate/contract/validate'
import type { Read } from './body.ts'

/** How the texts of a query become values before the schema judges them; what does not fit stays text, and is refused. */
const fromText: Readonly<Record<string, (text: string) => unknown>> = {
  integer: text => (/^(0|[1-9][0-9]{0,9})$/.test(text) ? Number(text) : text),
  boolean: text => (text === 'true' ? true : text === 'false' ? false : text),
}

/** A reader of the query strings of one operation. */
export function queryReader(operation: OperationShape): (querystring: string) => Read {
  const schema = operation.query ?? closed({})
  const check = checker(schema, 'the query')
  const properties = ('properties' in schema ? schema.properties : {}) as Record<string, { type?: unknown }>
  const kindOf = (name: string) => (Object.hasOwn(properties, name) ? String(properties[name]?.type) : '')
  return querystring => {
    const given = [...new URLSearchParams(querystring)]
    const names = given.map(([name]) => name)
    const repeated = names.find((name, index) => names.indexOf(name) !== index)
    if (repeated !== undefined)
      return {
        ok: false,
        problem: { problem: 'validation_error', message: `${repeated} is given more than once` },
      }
    const values = given.map(([name, text]) => [name, fromText[kindOf(name)]?.(text) ?? text])
    const checked = check(Object.fromEntries(values))
    return checked.ok
      ? checked
      : { ok: false, problem: { problem: 'validation_error', message: checked.message } }
  }
}
