// Canonical JSON: one text for one value, whatever the order in which its members were written.

const nothing: ReadonlySet<string> = new Set()

/** Whether a value is in canonical order already: it has no nested values, and its members are sorted. Most are: `{from, to}`. */
function isSorted(value: object, names: readonly string[], leftOut: ReadonlySet<string>): boolean {
  let before = ''
  for (const name of names) {
    if (name < before || typeof (value as Record<string, unknown>)[name] === 'object' || leftOut.has(name))
      return false
    before = name
  }
  return true
}

/** The value with sorted members: a copy, because one pass of `JSON.stringify` is much quicker than many. */
function sorted(value: unknown, leftOut: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map(item => sorted(item, leftOut))
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value)
  if (isSorted(value, names, leftOut)) return value
  const copy: Record<string, unknown> = {}
  for (const name of names.sort()) {
    if (leftOut.has(name)) continue
    const member = sorted((value as Record<string, unknown>)[name], leftOut)
    // A plain assignment would set the prototype instead of a member.
    if (name === '__proto__') Object.defineProperty(copy, name, { value: member, enumerable: true })
    else copy[name] = member
  }
  return copy
}

/**
 * `value` as JSON with sorted members, without those that `leftOut` names at any depth; members that are undefined are
 * left out too, as in JSON.stringify. Names that are whole numbers come first, by size.
 */
export function canonicalJson(value: unknown, leftOut = nothing): string {
  return JSON.stringify(sorted(value, leftOut)) ?? 'null'
}
