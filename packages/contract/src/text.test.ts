import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemberCreate } from './rest/member.ts'
import { line, paragraph } from './text.ts'
import { checker } from './validate.ts'

// The same rules with Unicode property classes, which the patterns of many languages do not support.
const unreadable = '\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u202a-\\u202e\\u2066-\\u2069'
const visibleLine = new RegExp(`^(?=$|.*[^\\p{Cf}\\p{Z}])[^${unreadable}]*$`, 'u')
const anyLine = new RegExp(`^[^${unreadable}]*$`, 'u')
const anyParagraph = new RegExp(`^(?:[^${unreadable}]|[\\n\\r\\t])*$`, 'u')

const rules = [
  [
    'a line with something visible',
    line({ least: 1, most: 9 }, ''),
    (text: string) => text !== '' && visibleLine.test(text),
  ],
  ['a line', line({ least: 0, most: 9 }, ''), (text: string) => anyLine.test(text)],
  ['a paragraph', paragraph({ least: 0, most: 9 }, ''), (text: string) => anyParagraph.test(text)],
] as const

/** Every code point, including the halves of surrogate pairs. */
const codePoints = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code))
const special = fc.constantFrom(
  '\n',
  '\t',
  '\u2028',
  '\u200b',
  '\u202e',
  '\ud83d',
  '\ude00',
  '😀',
  '\u{e0020}',
  ' ',
)
const texts = fc.array(fc.oneof(special, fc.string({ unit: 'binary', maxLength: 1 }), fc.constant('a')), {
  maxLength: 9,
})

describe.each(rules)('%s', (_, schema, isRight) => {
  const check = checker(schema, 'the text')
  // The validator trims a text within its parent object. These texts have no parent, so the test trims them.
  const isTaken = (text: string) => check(text.trim()).ok

  it('accepts what the rule in Unicode terms allows, for every code point', () => {
    const wrong = codePoints.filter(one => isTaken(one) !== isRight(one.trim()))
    expect(wrong.map(one => one.codePointAt(0)?.toString(16))).toEqual([])
    const beside = codePoints.filter(one => isTaken(`a${one}b`) !== isRight(`a${one}b`))
    expect(beside.map(one => one.codePointAt(0)?.toString(16))).toEqual([])
  })

  it('accepts what the rule allows, for any text', () => {
    fc.assert(
      fc.property(texts, parts => {
        const text = parts.join('').trim()
        fc.pre([...text].length <= 9)
        expect(isTaken(text)).toBe(isRight(text))
      }),
      { numRuns: 5_000 },
    )
  })

  it('has a pattern that means the same without the Unicode flag, and accepts what the service accepts', () => {
    const { pattern } = schema as unknown as { pattern: string }
    expect(pattern).toMatch(/^[\x20-\x7e]*$/)
    expect(pattern).not.toMatch(/\\p|\\u\{|\(\?[=!<]/)
    const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')]
    expect(codePoints.filter(one => plain.test(one) !== unicode.test(one))).toEqual([])
    expect(codePoints.filter(one => isTaken(one) && !plain.test(one.trim()))).toEqual([])
  })
})

it('an e-mail address contains no invisible characters, although its schema has no pattern', () => {
  const check = checker(MemberCreate, 'the body')
  const taken = codePoints.filter(
    one => !anyLine.test(one) && check({ name: 'Ana', email: `a${one}a@example.com` }).ok,
  )
  expect(taken).toEqual([])
})
