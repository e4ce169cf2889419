import { expect, it } from 'vitest'
import { wholeWords, wholeWordsIn } from './wholeWords.ts'

it.each([
  ['Poarta s-a deschis.', 'Poarta s-\u2060a deschis.'],
  ['Într-un minut, gateway-ul', 'Într-\u2060un minut, gateway-\u2060ul'],
  ['fonctionne-t-il', 'fonctionne-\u2060t-\u2060il'],
  ['Des e-mails', 'Des e-\u2060mails'],
  ['after 10 s, press', 'after 10\u00a0s, press'],
  ['{hours} год {minutes} хв', '{hours}\u00a0год {minutes}\u00a0хв'],
  ['питає, що з ним сталося', 'питає, що з\u00a0ним сталося'],
  ['З цими воротами і без них', 'З\u00a0цими воротами і\u00a0без них'],
])('keeps the parts of %s together', (text, whole) => {
  expect(wholeWords(text)).toBe(whole)
})

it.each([
  'callgate-gateway',
  '2026-11-27',
  '2-3',
  'a - b',
  '2 gates',
  '{count} calls',
  '--to',
  'en-GB',
  'Callgate-Konto',
  'a gate and I',
  'Мій зв’язок із нею',
  `{ 'one-shot': 'De la' }`,
])('leaves %s', text => {
  expect(wholeWords(text)).toBe(text)
})

it('finds the texts in any form', () => {
  expect(wholeWordsIn({ one: ['v-a'], more: { two: 'l-a', time: '{time}' } })).toEqual({
    one: ['v-\u2060a'],
    more: { two: 'l-\u2060a', time: '{time}' },
  })
})

it('leaves the names of fields', () => {
  expect(Object.keys(wholeWordsIn({ 'one-shot': 's-a' }))).toEqual(['one-shot'])
})
