// CSV: tables as text whose cells, and pieces of cells, no spreadsheet takes for a formula.

// Spreadsheets in half of Europe separate by semicolons. They ignore quotes in the middle of a line, so they split a cell at each
// semicolon, tab and line break in it, and drop the quotes at the beginning of a piece. So each piece is marked like a cell.

/** What makes spreadsheets read a text as a formula (OWASP, "CSV Injection"), and the mark against it. */
const formula = "=+\\-@＝＋－＠'"
/** Where a mark is inserted: the text before it, and the text after it. */
const places = [
  `(?<=^|[;\\t])MARK(?="*[${formula}\\p{Cc}])`,
  `(?<=[\\r\\n])MARK(?="*[${formula}])`,
  // A comma splits only where quotes are known, and details in JSON have a quote after it.
  `(?<=,)MARK(?=[${formula}\\p{Cc}])`,
].join('|')
const unmarked = new RegExp(places.replaceAll('MARK', ''), 'gu')
const marked = new RegExp(places.replaceAll('MARK', "'"), 'gu')

/** A text as a cell: with an apostrophe in front of each piece that could begin a formula. `fromCell` removes them. */
export function toCell(text: string): string {
  return text.replace(unmarked, "'")
}

export function fromCell(cell: string): string {
  return cell.replace(marked, '')
}

/** The beginning of a file, by which spreadsheets read it as UTF-8. */
export const byteOrderMark = '\uFEFF'

const quoted = (cell: string) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Lines of texts by RFC 4180. Each text becomes a safe cell. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return rows.map(row => `${row.map(text => quoted(toCell(text))).join(',')}\r\n`).join('')
}

/** The limits on reading a file. */
export interface CsvLimits {
  readonly mostRows: number
  /** In one line. */
  readonly mostCells: number
}

export type ReadCsv =
  | { readonly ok: true; readonly rows: readonly (readonly string[])[] }
  /** `line`: counted as in a spreadsheet, from 1. */
  | { readonly ok: false; readonly why: 'quotes' | 'rows' | 'cells'; readonly line: number }

/** The separator of the cells, by the heading, because it depends on the language of the spreadsheet. */
function delimiterOf(text: string): string {
  const heading = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  return [';', '\t'].find(one => heading.includes(one)) ?? ','
}

/** The text to the end of its last line with content: spreadsheets write hundreds of empty lines. */
function withoutEmptyEnd(text: string, delimiter: string): string {
  let last = text.length - 1
  while (last >= 0 && ` \t\r\n${delimiter}`.includes(text.charAt(last))) last--
  const end = text.slice(last + 1).search(/[\r\n]/)
  return last < 0 ? '' : end < 0 ? text : text.slice(0, last + 1 + end)
}

/** The cell that begins at `from`, and its end; undefined where its quotes are wrong. */
function cellAt(
  text: string,
  from: number,
  ends: RegExp,
): { readonly cell: string; readonly to: number } | undefined {
  let to = from
  if (text.charAt(from) === '"') {
    do {
      const quote = text.indexOf('"', to + 1)
      if (quote < 0) return undefined
      to = quote + 1
    } while (text.charAt(to) === '"')
  }
  const [isQuoted, closed] = [to > from, to]
  ends.lastIndex = to
  to = ends.exec(text)?.index ?? text.length
  if (!isQuoted) return text.charAt(to) === '"' ? undefined : { cell: text.slice(from, to), to }
  return to === closed ? { cell: text.slice(from + 1, to - 1).replaceAll('""', '"'), to } : undefined
}

/** The cells of a file, as they were before `toCell`, without empty lines at its end. Lines may be shorter or longer. */
export function readCsv(file: string, { mostCells, mostRows }: CsvLimits): ReadCsv {
  const content = file.startsWith(byteOrderMark) ? file.slice(1) : file
  const delimiter = delimiterOf(content)
  const text = withoutEmptyEnd(content, delimiter)
  const ends = new RegExp(`["\r\n${delimiter}]`, 'g')
  const rows: string[][] = []
  let row: string[] = []
  const fault = (why: 'quotes' | 'rows' | 'cells') => ({ ok: false as const, why, line: rows.length + 1 })
  for (let at = 0; text !== ''; at++) {
    if (rows.length === mostRows) return fault('rows')
    if (row.length === mostCells) return fault('cells')
    const found = cellAt(text, at, ends)
    if (!found) return fault('quotes')
    row.push(fromCell(found.cell))
    at = found.to
    if (text.charAt(at) === delimiter) continue
    rows.push(row)
    row = []
    if (at >= text.length) break
    if (text.startsWith('\r\n', at)) at++
  }
  while (rows.at(-1)?.every(cell => cell.trim() === '')) rows.pop()
  return { ok: true, rows }
}
