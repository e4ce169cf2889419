import { passesByItself } from '@callgate/contract/call/advice'
import { type ReasonWord, reasons } from '@callgate/contract/call/reason'
import { expect, it } from 'vitest'
import { grantedRow, leadingRow as row } from '../opening/openingRow.kit.ts'
import { endingOf, endingUndialled, endingUnknown, isUngranted, type OpeningRow } from './opening.ts'

it('an opening is ungranted while it leads and has neither a gateway nor an ending', () => {
  expect(isUngranted(row)).toBe(true)
  expect(isUngranted(grantedRow)).toBe(false)
  expect(isUngranted({ ...row, joinedOpeningId: 'open_b' })).toBe(false)
  expect(isUngranted({ ...row, ...endingUnknown('no_report') })).toBe(false)
})

it('an opening has no ending while it runs, nor while a part of its ending is missing', () => {
  const ended: OpeningRow = { ...row, ...endingUnknown('no_report') }
  expect(endingOf(row)).toBeUndefined()
  expect(endingOf(ended)).toEqual(endingUnknown('no_report'))
  for (const missing of ['reason', 'opened', 'confidence', 'safeToRetry'])
    expect(endingOf({ ...ended, [missing]: null })).toBeUndefined()
})

it('an opening that was not dialled is safe to retry exactly where pressing again can help', () => {
  for (const word of Object.keys(reasons) as ReasonWord[])
    expect(endingUndialled(word)).toMatchObject({ opened: 'no', safeToRetry: passesByItself(word) })
  for (const word of ['outcome_unknown', 'no_report'] as const)
    expect(endingUnknown(word)).toMatchObject({ opened: 'unknown', safeToRetry: false })
})
