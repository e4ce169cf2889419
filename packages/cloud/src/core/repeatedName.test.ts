import fc from 'fast-check'
import { expect, it } from 'vitest'
import { repeatedName } from './repeatedName.ts'

it.each([
  ['{"a":1,"a":1}', 'a'],
  ['{"a":1,"b":{"a":2},"c":["a","a"]}', undefined],
  ['{"b":[[1,2],{"a":1 , "x":{} ,\t"a" :2}]}', 'b 1 a'],
  ['[{"a":1},{"a":1}]', undefined],
  ['{"a":"{\\"a\\":1,\\"a\\":2}","b":"\\\\"}', undefined],
  ['{"\\u0061":1,"a":2}', 'a'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"":1,"":2}', ''],
  ['{"a":1,"A":2}', undefined],
  ['1', undefined],
])('finds in %s the name %s', (json, path) => {
  expect(repeatedName(json)?.join(' ')).toBe(path)
})

it('finds nothing in the output of JSON.stringify, and finds any name that is written once more', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 3 }),
      fc.string({ unit: 'binary' }),
      fc.nat(3),
      (value, name, indent) => {
        const member = `${JSON.stringify(name)}:${JSON.stringify(value, null, indent)}`
        expect(repeatedName(`{${member}}`)).toBeUndefined()
        expect(repeatedName(`[0,{${member} ,${member}}]`)).toEqual(['1', name])
      },
    ),
  )
})
