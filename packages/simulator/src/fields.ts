// Reads untrusted JSON field by field: every problem names its field and what would be right.

/** Returns what was read. What is wrong is added to `problems`; the returned value is meaningless then. */
export type Reader<T> = (value: unknown, path: string, problems: string[]) => T | undefined

export type ReadResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string }

interface Field<T> {
  readonly reader: Reader<T>
  readonly isRequired: boolean
}

type Fields<T> = { readonly [K in keyof T]-?: Field<Exclude<T[K], undefined>> }

const maxProblems = 20

export function required<T>(reader: Reader<T>): Field<T> {
  return { reader, isRequired: true }
}

export function optional<T>(reader: Reader<T>): Field<T> {
  return { reader, isRequired: false }
}

/** Reads the whole. */
export function read<T>(reader: Reader<T>, value: unknown): ReadResult<T> {
  const problems: string[] = []
  const found = reader(value, '', problems)
  if (problems.length > 0 || found === undefined)
    return { ok: false, message: problems.slice(0, maxProblems).join('\n') }
  return { ok: true, value: found }
}

/** A reader of what `is` recognises. */
function plain<T>(is: (value: unknown) => value is T, expected: string): Reader<T> {
  return (value, path, problems) => {
    if (is(value)) return value
    problems.push(`${path} must be ${expected}`)
    return undefined
  }
}

/** A number as it is dialled or shown: digits, with or without a leading +. */
export const phoneNumber = plain(
  (value): value is string => typeof value === 'string' && /^\+?[0-9]{3,15}$/.test(value),
  'text like +40722000001',
)

/** A number as ATD takes it; the network connects no other. */
export const dialledNumber = plain(
  (value): value is string => typeof value === 'string' && /^\+[1-9][0-9]{6,14}$/.test(value),
  'a number as it is dialled, like +40722000001',
)

export const flag = plain((value): value is boolean => typeof value === 'boolean', 'true or false')

export function text(longest: number): Reader<string> {
  return plain(
    (value): value is string => typeof value === 'string' && value.length <= longest,
    `text of at most ${longest} characters`,
  )
}

export function wholeNumber(low: number, high: number): Reader<number> {
  return plain(
    (value): value is number => Number.isInteger(value) && Number(value) >= low && Number(value) <= high,
    `a whole number from ${low} to ${high}`,
  )
}

/** One of those words. */
export function word<T extends string>(...words: readonly T[]): Reader<T> {
  return plain((value): value is T => words.some(known => known === value), `one of ${words.join(', ')}`)
}

export function listOf<T>(reader: Reader<T>, most: number): Reader<readonly T[]> {
  return (value, path, problems) => {
    if (!Array.isArray(value) || value.length > most) {
      problems.push(`${path} must be a list of at most ${most}`)
      return undefined
    }
    return value.flatMap((item, place) => {
      const found = reader(item, `${path}[${place}]`, problems)
      return found === undefined ? [] : [found]
    })
  }
}

/** The same reader with a check across fields: `wrong` names each problem by its field. */
export function together<T>(
  reader: Reader<T>,
  wrong: (value: T) => Readonly<Record<string, string | false>>,
): Reader<T> {
  return (value, path, problems) => {
    const before = problems.length
    const found = reader(value, path, problems)
    if (found === undefined || problems.length > before) return found
    for (const [field, problem] of Object.entries(wrong(found)))
      if (problem) problems.push(`${path === '' ? field : `${path}.${field}`} ${problem}`)
    return found
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object with these fields and no other. */
export function objectOf<T extends object>(fields: Fields<T>): Reader<T> {
  const known: readonly [string, Field<unknown>][] = Object.entries(fields)
  return (value, path, problems) => {
    if (!isObject(value)) {
      problems.push(`${path === '' ? 'the whole' : path} must be an object`)
      return undefined
    }
    const at = (name: string) => (path === '' ? name : `${path}.${name}`)
    for (const name of Object.keys(value))
      if (!Object.hasOwn(fields, name))
        problems.push(
          `${at(name)} is not known; known are ${known.map(([field]) => field).join(', ') || 'none'}`,
        )
    const found: [string, unknown][] = []
    for (const [name, { reader, isRequired }] of known) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined
      if (given !== undefined) found.push([name, reader(given, at(name), problems)])
      else if (isRequired) problems.push(`${at(name)} is missing`)
    }
    // Every field was read by a reader of its type, or there is a problem.
    return Object.fromEntries(found) as T
  }
}
