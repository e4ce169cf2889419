import { expect, it } from 'vitest'
import { passingReasons } from './passingReasons.ts'
import { reasons } from './reason.ts'

it('are those whose sentence says to try again, and two whose `safeToRetry` alone says whether to', () => {
  const saysSo = Object.entries(reasons).filter(([, sentence]) => sentence.includes('Try again'))
  expect([...passingReasons].sort()).toEqual([...saysSo.map(([word]) => word), 'busy', 'modem_lost'].sort())
})
