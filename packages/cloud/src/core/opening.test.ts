import { expect, it } from 'vitest'
import { leadingRow as row } from '../opening/openingRow.kit.ts'
import { endingOf, endingUnknown, type OpeningRow } from './opening.ts'

it('an opening has no ending while it runs, nor while a part of its ending is missing', () => {
  const ended: OpeningRow = { ...row, ...endingUnknown('no_report') }
  expect(endingOf(row)).toBeUndefined()
  expect(endingOf(ended)).toEqual(endingUnknown('no_report'))
  for (const missing of ['reason', 'opened', 'confidence', 'safeToRetry'])
    expect(endingOf({ ...ended, [missing]: null })).toBeUndefined()
})
