import { expect, it } from 'vitest'
import { passingReasons } from './passingReasons.ts'
import { reasons } from './reason.ts'

it('are those whose sentence says to try again, and the modem that began anew', () => {
  const saysSo = Object.entries(reasons).filter(([, sentence]) => sentence.includes('Try again'))
  expect([...passingReasons].sort()).toEqual([...saysSo.map(([word]) => word), 'modem_lost'].sort())
})
