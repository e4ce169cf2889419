// The fields of a line: the values behind `+NAME:`, between commas.

// Firmware differs in blanks and quotes: `+CUSD: 0, "Text", 15` and `+CUSD: 0,"Text",15`. Every reader takes the fields from here.

export interface Information {
  /** With its sign, in capital letters: `+CREG`. */
  readonly name: string
  /** Without quotes, and without the blanks around them. A field that is cut inside its quotes is left out. */
  readonly fields: readonly string[]
}

const named = /^([+^*][A-Za-z]{1,16}) *: */
const field = / *(?:"([^"]*)" *|([^",]*))(,|$)/y

/** Undefined for a line without a name. Reading ends at the first text that is no field. */
export function informationOf(line: string): Information | undefined {
  const [head, name] = named.exec(line) ?? []
  if (head === undefined || name === undefined) return undefined
  const fields: string[] = []
  for (field.lastIndex = head.length; ; ) {
    const match = field.exec(line)
    if (!match) break
    const [, quoted, plain = '', end] = match
    fields.push(quoted ?? plain.trimEnd())
    if (end === '') break
  }
  return { name: name.toUpperCase(), fields }
}

/** The fields of the line where it has this name; none for any other line. */
export function fieldsOf(line: string | undefined, name: string): readonly string[] {
  const information = line === undefined ? undefined : informationOf(line)
  return information?.name === name ? information.fields : []
}

/** The number of a field; undefined where it is none. */
export function numberOf(field: string | undefined, most = 4): number | undefined {
  return field !== undefined && field.length <= most && /^\d+$/.test(field) ? Number(field) : undefined
}

/** Which lines are the information of a command: those of this name, with as many leading numbers of at most two digits. */
export function informationNamed(name: string, numbers = 0): RegExp {
  const number = ' *\\d{1,2} *'
  const leading = numbers === 0 ? '' : `${Array.from({ length: numbers }, () => number).join(',')}(?:,|$)`
  return new RegExp(`^${name.replace(/[+^]/, '\\$&')} *:${leading}`, 'i')
}
