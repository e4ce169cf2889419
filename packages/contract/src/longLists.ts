// Lists that are far too long, before their items are looked at.

import type { TSchema } from 'typebox'

/**
 * The value with each of its lists that is too long cut to one item too many. It is as wrong, and a list of half a million items
 * does not get a fault for each.
 */
export function shortened(schema: TSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = value as Readonly<Record<string, unknown>>
  const { properties = {} } = schema as {
    readonly properties?: Readonly<Record<string, { readonly maxItems?: number }>>
  }
  const cut = Object.entries(properties).flatMap(([name, { maxItems }]) => {
    const list = fields[name]
    const isTooLong = maxItems !== undefined && Array.isArray(list) && list.length > maxItems + 1
    return isTooLong ? [[name, list.slice(0, maxItems + 1)] as const] : []
  })
  return cut.length === 0 ? value : { ...value, ...Object.fromEntries(cut) }
}
