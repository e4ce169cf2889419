// JSON from other programs: read without trusting its shape.

/** The value of a JSON text; undefined when the text is no JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The member `name` of `value`; undefined when there is none or `value` is no object. */
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

/** The number that an object has under `name`. */
export function number(value: unknown, name: string): number | undefined {
  const found = member(value, name)
  return typeof found === 'number' ? found : undefined
}

export function texts(value: unknown, name: string): string[] {
  const found = member(value, name)
  return Array.isArray(found) ? found.filter(item => typeof item === 'string') : []
}
