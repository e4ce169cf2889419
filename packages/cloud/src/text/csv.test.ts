import fc from 'fast-check'
import { expect, it } from 'vitest'
import { byteOrderMark, csvLines, fromCell, readCsv, toCell } from './csv.ts'

const limits = { mostRows: 100, mostCells: 20 }
/** Texts in which formulas, separators and quotes are frequent. */
const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'=+-@＝\'";,\t\r\n\0a 1') }),
)

it('reads what it has written, for all texts', () => {
  const rows = fc.array(fc.array(texts, { minLength: 2, maxLength: 4 }), { minLength: 1 })
  fc.assert(
    fc.property(rows, given => {
      const written = [['id', 'name'], ...given, ['end', 'x']]
      expect(readCsv(byteOrderMark + csvLines(written), limits)).toEqual({ ok: true, rows: written })
    }),
  )
})

it('returns each text unchanged, and lets no piece of it begin a formula', () => {
  fc.assert(
    fc.property(texts, text => {
      const cell = toCell(text)
      expect(fromCell(cell)).toBe(text)
      for (const piece of cell.split(/[,;\t]/)) expect(piece).not.toMatch(/^[=+\-@＝＋－＠\p{Cc}]/u)
    }),
  )
})

it('lets no piece of a line begin a formula where semicolons or tabs separate and quotes are dropped', () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), row => {
      const line = csvLines([row]).slice(0, -2)
      for (const separator of [/[;\r\n]/, /[\t\r\n]/])
        for (const piece of line.split(separator)) expect(piece).not.toMatch(/^"*[=+\-@＝＋－＠]/)
    }),
  )
})

it('marks a formula', () => {
  for (const text of ['=1+1', '+40722', '-1', '@x', '\tx', '\rx', '\nx', '＝1', "'=1", '"=1"'])
    expect(toCell(text)).toBe(`'${text}`)
  for (const text of ['Ana', '1', ' =1', 'a; b', 'one\r\ntwo', 'a, -b', '{"a":1,"b":["=c","+1"]}'])
    expect(toCell(text)).toBe(text)
  expect(toCell('a;=1\t+2,@3\n-4;"=5')).toBe("a;'=1\t'+2,'@3\n'-4;'\"=5")
  expect(csvLines([['=cmd|x', 'a,b']])).toBe(`'=cmd|x,"a,b"\r\n`)
})

it('reads files of spreadsheets in other languages, without empty lines at the end', () => {
  const rows = [
    ['id', 'name'],
    ['1', 'Ana'],
  ]
  for (const text of [
    'id;name\r\n1;Ana\r\n;\r\n',
    `id;name\r\n1;Ana\r\n${';\r\n'.repeat(1_000)}`,
    '\uFEFFid\tname\n1\tAna\n',
    'id,name\n1,"Ana"\n\n\n',
    'id,name\r1,Ana',
  ])
    expect(readCsv(text, limits)).toEqual({ ok: true, rows })
  expect(readCsv('', limits)).toEqual({ ok: true, rows: [] })
  expect(readCsv('\n,,\n', limits)).toEqual({ ok: true, rows: [] })
  expect(readCsv('a,b,\n,"x\n""y"""\n1,,', limits)).toEqual({
    ok: true,
    rows: [
      ['a', 'b', ''],
      ['', 'x\n"y"'],
      ['1', '', ''],
    ],
  })
})

it.each(['id,name\n1,"Ana\n', 'id,name\n1,"Ana"x', 'id,name\n1,An"a', 'id,name\n"1" ,Ana'])(
  'says where quotes are wrong: %j',
  text => {
    expect(readCsv(text, limits)).toEqual({ ok: false, why: 'quotes', line: 2 })
  },
)

it('limits the lines and cells that it reads', () => {
  const most = { mostRows: 2, mostCells: 3 }
  expect(readCsv('a,b,c\nd', most)).toMatchObject({ ok: true })
  expect(readCsv('a\nb\nc', most)).toEqual({ ok: false, why: 'rows', line: 3 })
  expect(readCsv('a\nb,c,d,e', most)).toEqual({ ok: false, why: 'cells', line: 2 })
  const large = 1024 * 1024
  expect(readCsv(`${','.repeat(large)}x`, most)).toEqual({ ok: false, why: 'cells', line: 1 })
  expect(readCsv(`${'\n'.repeat(large)}x`, most)).toEqual({ ok: false, why: 'rows', line: 3 })
})
