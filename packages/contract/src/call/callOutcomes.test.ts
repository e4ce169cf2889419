import { expect, it } from 'vitest'
import { type EndedCall, isSilent, noCalls, outcomesOf } from './callOutcomes.ts'
import { openingClasses } from './openingClass.ts'

const call = (kind: EndedCall['class'], seen: EndedCall['seen'] = null): EndedCall => ({ class: kind, seen })

it('counts what the calls have shown, and keeps how the last one ended', () => {
  expect(outcomesOf([])).toEqual(noCalls)
  expect(
    outcomesOf([call('opened'), call('probably_opened'), call('unknown'), call('did_not_open')]),
  ).toEqual({ calls: 4, opened: 1, probably: 1, unknownInRow: 0, last: 'did_not_open' })
})

it('believes what a person saw of the gate rather than the line', () => {
  expect(outcomesOf([call('unknown', 'moving')])).toMatchObject({ opened: 1, last: 'opened' })
  expect(outcomesOf([call('opened', 'still')])).toMatchObject({ opened: 0, last: 'did_not_open' })
})

it('counts the last calls of which nothing is known, up to one after which a person saw the gate', () => {
  expect(outcomesOf([call('unknown'), call('opened')]).unknownInRow).toBe(0)
  expect(outcomesOf([call('opened'), call('unknown'), call('unknown')]).unknownInRow).toBe(2)
  // As after test calls, whose calibration has learned from them.
  expect(outcomesOf([call('unknown'), call('unknown', 'moving'), call('unknown')]).unknownInRow).toBe(1)
})

it('takes a press without an ended call for no call', () => {
  expect(openingClasses.filter(isSilent)).toEqual(['running', 'not_called', 'denied'])
})
