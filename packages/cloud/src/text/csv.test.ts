import fc from 'fast-check'
import { expect, it } from 'vitest'
import { byteOrderMark, csvLines, readCsv, toCell } from './csv.ts'

it('reads what it has written, whatever the texts are', () => {
  const rows = fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 4 }), {
    minLength: 1,
  })
  fc.assert(
    fc.property(rows, given => {
      const written = [['id', 'name'], ...given, ['end', 'x']]
      expect(readCsv(byteOrderMark + csvLines(written))).toEqual({ ok: true, rows: written })
    }),
  )
})

it('lets no text begin a formula', () => {
  for (const text of ['=1+1', '+40722', '-1', '@x', '\tx', '\rx', '\nx', '＝1', "'=1"])
    expect(toCell(text)).toBe(`'${text}`)
  for (const text of ['Ana', '1', ' =1', '"=1"']) expect(toCell(text)).toBe(text)
  expect(csvLines([['=cmd|x', 'a,b']])).toBe(`'=cmd|x,"a,b"\r\n`)
})

it('reads files of spreadsheets in other languages, without empty lines at the end', () => {
  const rows = [
    ['id', 'name'],
    ['1', 'Ana'],
  ]
  for (const text of ['id;name\r\n1;Ana\r\n;\r\n', '\uFEFFid\tname\n1\tAna\n', 'id,name\n1,"Ana"\n\n\n'])
    expect(readCsv(text)).toEqual({ ok: true, rows })
  expect(readCsv('id,name\n1,"Ana\n')).toMatchObject({ ok: false })
  expect(readCsv('')).toEqual({ ok: true, rows: [] })
})
