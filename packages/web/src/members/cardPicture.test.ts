import { expect, it } from 'vitest'
import { wrapped } from './cardPicture.ts'

const fits = (line: string) => line.length <= 10

it('breaks a text between words, and a word that is wider than a line', () => {
  expect(wrapped('Look at the gate first', fits)).toEqual(['Look at', 'the gate', 'first'])
  expect(wrapped('See https://example.com/g/x', fits)).toEqual(['See', 'https://ex', 'ample.com/', 'g/x'])
  expect(wrapped('', fits)).toEqual([])
})
