// Reads the specification and the decisions beside this file, and splits them into single sentences and table rows.

import { readFileSync } from 'node:fs'

/** One sentence, or one row of a table with its cells joined. */
export interface Unit {
  /** The number of the section and the heading below it, such as `2 Gate`; `0` before the first. */
  readonly place: string
  readonly text: string
}

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim())
const isRow = (line: string | undefined) => line?.startsWith('|') ?? false

/** A document's rows and sentences, in order. What ends with a colon only introduces what follows, and is left out. */
export function unitsOf(markdown: string): Unit[] {
  const units: Unit[] = []
  let section = '0'
  let heading = ''
  const add = (text: string) => units.push({ place: `${section}${heading}`, text })
  const lines = markdown.split('\n')
  for (const [at, line] of lines.entries()) {
    const [, depth = '', title = ''] = /^(#+) (.*)$/.exec(line) ?? []
    if (depth === '##') [section, heading] = [/^\d+/.exec(title)?.[0] ?? title, '']
    else if (depth === '###') heading = ` ${title}`
    else if (depth !== '' || line === '') continue
    // The first row of a table names its columns, the second is a rule.
    else if (isRow(line) && isRow(lines[at - 1]) && !/^\|[-|]+$/.test(line)) add(cellsOf(line).join(' | '))
    else if (!isRow(line))
      for (const sentence of line.replace(/^(-|\d+\.) /, '').split(/(?<=\.) (?=[A-Z])/)) add(sentence)
  }
  return units.filter(({ text }) => !text.endsWith(':'))
}

const read = (name: string) => unitsOf(readFileSync(new URL(name, import.meta.url), 'utf8'))

/** The rows and sentences of the specification, without those that it calls "not shown": the decisions settle them. */
export const specified = read('gate-access-api.md').filter(({ text }) => !/: not shown\.$/.test(text))

const decisionRows = read('decisions.md')
  .map(({ text }) => text.split(' | '))
  .filter(cells => cells.length > 1)

/** Every decision about the API, by the gap that it closes. */
export const decided: ReadonlyMap<string, string> = new Map(
  decisionRows.flatMap(([gap = '', decision = '', ...more]) => (more.length === 0 ? [[gap, decision]] : [])),
)

/** A decision behind the API, with the tests that show it. */
export interface Shown {
  readonly point: string
  readonly tests: readonly { readonly file: string; readonly test: string }[]
}

/** The tests of a cell: "`file`: "title"; "another title of it"; `another file`: "title"". */
function testsIn(cell: string): Shown['tests'] {
  let file = ''
  return [...cell.matchAll(/(?:`([^`]+)`: )?"([^"]+)"/g)].map(([, named, test = '']) => {
    file = named ?? file
    return { file, test }
  })
}

/** Every decision behind the API. */
export const shown: readonly Shown[] = decisionRows.flatMap(([point = '', , cell]) =>
  cell === undefined ? [] : [{ point, tests: testsIn(cell) }],
)
