// The file of settings of an installed cloud, /etc/callgate/cloud.env: one variable a line, as systemd reads it.

type Variables = Readonly<Record<string, string>>

export type ReadSettings =
  | { readonly ok: true; readonly variables: Variables }
  /** Names the line, and nothing of its value. */
  | { readonly ok: false; readonly message: string }

/** One line: a variable, nothing (a comment or an empty line), or why it is refused. */
function readLine(line: string): readonly [name: string, value: string] | string | undefined {
  const text = line.trim()
  if (text === '' || /^[#;]/.test(text)) return undefined
  const at = text.indexOf('=')
  if (at < 0) return 'a line is NAME=VALUE'
  const name = text.slice(0, at)
  const value = text.slice(at + 1).trim()
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    return 'a name has letters, digits and _ alone, and no space before the ='
  if (value.includes('\\')) return `${name}: write the value without a backslash`
  const [, quote, inner] = /^(["'])(.*)\1$/.exec(value) ?? []
  const hasMore = quote === undefined ? /["']/.test(value) : inner?.includes(quote)
  if (hasMore) return `${name}: quotes stand around the whole value, or nowhere`
  return [name, inner ?? value]
}

/**
 * Reads the file as systemd does for the service: a value ends with its line, may stand in quotes as a whole, and a `$` stands for
 * itself. What systemd reads in a way of its own is refused: a backslash, and other quotes.
 */
export function readSettings(text: string): ReadSettings {
  const variables: Record<string, string> = {}
  for (const [place, line] of text.split('\n').entries()) {
    const read = readLine(line)
    if (typeof read === 'string') return { ok: false, message: `line ${place + 1}: ${read}` }
    if (read) variables[read[0]] = read[1]
  }
  return { ok: true, variables }
}

/** A value in quotes where systemd would read it differently without them. */
function written(value: string): string {
  if (!/["'\s#;]/.test(value)) return value
  return value.includes('"') ? `'${value}'` : `"${value}"`
}

/** Why a value cannot stand in the file; undefined where it can. */
export function valueFault(value: string): string | undefined {
  if (/[\r\n]/.test(value)) return 'must be one line'
  if (value.includes('\\')) return 'must be without a backslash'
  return value.includes('"') && value.includes("'") ? 'must not hold both kinds of quotes' : undefined
}

/**
 * The text of the file with these values. Lines that set other variables, comments and the order stay. An undefined value removes
 * the variable.
 */
export function changeSettings(text: string, values: Readonly<Record<string, string | undefined>>): string {
  const left = new Map(Object.entries(values))
  const lines = text.split('\n').flatMap(line => {
    const read = readLine(line)
    const name = Array.isArray(read) ? String(read[0]) : undefined
    if (name === undefined || !Object.hasOwn(values, name)) return [line]
    const value = left.get(name)
    left.delete(name)
    return value === undefined ? [] : [`${name}=${written(value)}`]
  })
  while (lines.at(-1) === '') lines.pop()
  for (const [name, value] of left) if (value !== undefined) lines.push(`${name}=${written(value)}`)
  return `${lines.join('\n')}\n`
}
