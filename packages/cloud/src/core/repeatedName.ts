// Repeated names: JSON.parse silently keeps the last of them, so the text itself is searched.

interface Inside {
  /** The names read so far; undefined inside a list. */
  readonly names: Set<string> | undefined
  /** The member that is being read: its name, or its index in the list. */
  member: string | number
}

/** Texts, each with the colon behind it where it is a name; brackets; and the commas of lists. */
const tokens = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}[\],]/g

/**
 * The path to the first member that an object has twice, such as `['accesses', '0', 'gateId']`; undefined when there is none.
 * `json` must be valid JSON. Names are compared after unescaping: `"a"` and `"\u0061"` are the same name.
 */
export function repeatedName(json: string): readonly string[] | undefined {
  const path: Inside[] = []
  for (const [token, text = '', colon] of json.matchAll(tokens)) {
    const inside = path.at(-1)
    if (token === '{') path.push({ names: new Set(), member: '' })
    else if (token === '[') path.push({ names: undefined, member: 0 })
    else if (token === '}' || token === ']') path.pop()
    else if (token === ',' && typeof inside?.member === 'number') inside.member++
    else if (colon !== undefined && inside?.names) {
      inside.member = JSON.parse(`"${text}"`) as string
      if (inside.names.has(inside.member)) return path.map(({ member }) => String(member))
      inside.names.add(inside.member)
    }
  }
  return undefined
}
