// CSV: tables as texts that a spreadsheet reads without taking a cell for a formula.

import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'

/** What makes spreadsheets read a cell as a formula, and the mark against it (OWASP, "CSV Injection"). */
const begins = /^[=+\-@\t\r\n＝＋－＠']/u
const marked = /^'[=+\-@\t\r\n＝＋－＠']/u

/** A text as a cell: with an apostrophe in front where it would begin a formula. `fromCell` takes it off again. */
export function toCell(text: string): string {
  return begins.test(text) ? `'${text}` : text
}

export function fromCell(cell: string): string {
  return marked.test(cell) ? cell.slice(1) : cell
}

/** What a file begins with, so that spreadsheets read it as UTF-8. */
export const byteOrderMark = '\uFEFF'

/** Lines of texts, as RFC 4180 has them. Each text is made a safe cell. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map(row => row.map(toCell)),
    { record_delimiter: '\r\n' },
  )
}

export type ReadCsv =
  | { readonly ok: true; readonly rows: readonly (readonly string[])[] }
  /** The quotes of a cell are wrong. `line`: as a spreadsheet counts, from 1. */
  | { readonly ok: false; readonly line: number }

/** What separates the cells: what the heading has, since that depends on the language of the spreadsheet. */
function delimiterOf(text: string): string {
  const [heading = ''] = text.split(/[\r\n]/, 1)
  return [';', '\t'].find(one => heading.includes(one)) ?? ','
}

/** The cells of a file, as they were before `toCell`, without empty lines at its end. Lines may be shorter or longer. */
export function readCsv(text: string): ReadCsv {
  try {
    const rows: string[][] = parse(text, {
      bom: true,
      delimiter: delimiterOf(text.replace(byteOrderMark, '')),
      relax_column_count: true,
      skip_empty_lines: false,
    })
    while (rows.at(-1)?.every(cell => cell.trim() === '')) rows.pop()
    return { ok: true, rows: rows.map(row => row.map(fromCell)) }
  } catch (error) {
    const { records } = error as { records?: unknown }
    const line = typeof records === 'number' ? records + 1 : 1
    return { ok: false, line }
  }
}
