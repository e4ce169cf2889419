// Canonical JSON: one text for one value, in whatever order its members were written.

const nothing: ReadonlySet<string> = new Set()

/**
 * `value` as JSON with sorted members, without those that `leftOut` names at any depth; members that are undefined are
 * left out too, as in JSON.stringify.
 */
export function canonicalJson(value: unknown, leftOut = nothing): string {
  if (Array.isArray(value)) return `[${value.map(item => canonicalJson(item, leftOut)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([name, member]) => member !== undefined && !leftOut.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member, leftOut)}`)
  return `{${members.join(',')}}`
}
