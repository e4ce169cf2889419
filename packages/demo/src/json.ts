// JSON of others: read without trusting its shape.

/** The value of a JSON text; undefined when it is none. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The member of an object, whatever either is. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

/** The text that an object has under `name`. */
export function text(value: unknown, name: string): string | undefined {
  const found = member(value, name)
  return typeof found === 'string' ? found : undefined
}

export function texts(value: unknown, name: string): string[] {
  const found = member(value, name)
  return Array.isArray(found) ? found.filter(item => typeof item === 'string') : []
}
