// Python source as text: docstrings, and expressions over several lines.

const longestLine = 100

/** Breaks a text into lines that fit beside `indent`. */
export function wrap(text: string, indent: string): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && `${indent}${last} ${word}`.length <= longestLine - 4)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.map(line => indent + line)
}

/** A docstring. */
export function docstring(text: string, indent: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '\\"')
  const lines = wrap(`"""${safe}`, indent)
  return `${lines.join('\n')}"""`
}

/** The parts of a list, where commas in brackets and quotes separate nothing. */
function partsOf(list: string): string[] {
  const parts = ['']
  let depth = 0
  let isQuoted = false
  for (const letter of list) {
    if (letter === '"') isQuoted = !isQuoted
    if (!isQuoted) depth += '[({'.includes(letter) ? 1 : '])}'.includes(letter) ? -1 : 0
    if (letter === ',' && depth === 0 && !isQuoted) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map(part => part.trim()).filter(part => part !== '')
}

/** Lays an expression out between `before` and `after`, over several lines where one is too short. */
export function layOut(before: string, expression: string, indent: string, after = ''): string {
  const line = `${indent}${before}${expression}${after}`
  const [, head, inner, close] = /^([^[({"]*[[({])(.*)([\])}])$/s.exec(expression) ?? []
  if (line.length <= longestLine || head === undefined || inner === undefined) return line
  const parts = partsOf(inner).map(part => {
    const [, name = '', value = part] = /^(\w+=|"\w+": )(.*)$/s.exec(part) ?? []
    return layOut(name, value, `${indent}    `, ',')
  })
  // In brackets a comma after a single part would make it a tuple.
  const isSingle = parts.length === 1 && close === ']'
  return [
    `${indent}${before}${head}`,
    ...parts.map(part => (isSingle ? part.slice(0, -1) : part)),
    `${indent}${close}${after}`,
  ].join('\n')
}
