// The fonts of the dashboard: which characters each file has.

import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folder = new URL('../../packages/web/src/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8')

/** The `unicode-range` of each rule, in their order. */
const ranges = [...read('theme/fonts.css').matchAll(/unicode-range:([^;]+)/g)].map(([, range = '']) =>
  [...range.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].map(([, first = '', last = first]) => [
    Number.parseInt(first, 16),
    Number.parseInt(last, 16),
  ]),
)

/** The rules that have a character, by their place. */
const rulesWith = (sign: string) => {
  const code = sign.codePointAt(0) ?? 0
  return ranges.flatMap((range, place) =>
    range.some(([first = 0, last = 0]) => code >= first && code <= last) ? [place] : [],
  )
}

/** The characters of all texts in a language. Line breaks are not shown, and pictures are in no font of ours. */
const signsOf = (language: string) =>
  new Set(
    readdirSync(new URL(`words/${language}/`, folder)).flatMap(file => [
      ...read(`words/${language}/${file}`).replaceAll(/[\n\p{Extended_Pictographic}]/gu, ''),
    ]),
  )

it('writes English with the first font, and Romanian with the first two', () => {
  expect([...signsOf('en')].filter(sign => rulesWith(sign)[0] !== 0)).toEqual([])
  expect([...signsOf('ro')].filter(sign => ![0, 1].includes(rulesWith(sign)[0] ?? -1))).toEqual([])
})

it('has each character of Inter in one file', () => {
  const codes = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code))
  const ofInter = (sign: string) => rulesWith(sign).filter(place => place < ranges.length - 1)
  expect(codes.filter(sign => ofInter(sign).length > 1)).toEqual([])
})
