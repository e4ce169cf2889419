import { expect, it } from 'vitest'
import { dateTogether, endTogether } from './lines.ts'

it.each([
  ['31 December 2026, 18:00', '31\u00a0December\u00a02026, 18:00'],
  ['22 November 2026 at 17:51', '22\u00a0November\u00a02026 at 17:51'],
  ['2026. november 22. 17:51', '2026.\u00a0november\u00a022. 17:51'],
  ['22. November 2026 um 17:51', '22.\u00a0November\u00a02026 um 17:51'],
  ['22 de noviembre de 2026', '22\u00a0de noviembre de\u00a02026'],
  ['22 листопада 2026 р. о 17:51', '22\u00a0листопада\u00a02026\u00a0р. о 17:51'],
])('keeps a date on one line in "%s"', (words, together) => {
  expect(dateTogether(words)).toBe(together)
})

it.each([
  ['22 November 2026 at 17:51', '22 November 2026 at\u00a017:51'],
  ['22 de noviembre de 2026 a las 17:51', '22 de noviembre de 2026 a\u00a0las\u00a017:51'],
  ['22 novembre 2026 alle ore 17:51', '22 novembre 2026 alle\u00a0ore\u00a017:51'],
])('keeps the time with the words before it in "%s"', (words, together) => {
  expect(endTogether(words)).toBe(together)
})
