import { expect, it } from 'vitest'
import { readPackedZone } from './packedZone.ts'

const minutes = (count: number) => count * 60_000

it('reads offsets, which count westwards, and the changes between them', () => {
  expect(readPackedZone('Test/One|A B|-20 -30|010|-5 1u|1')).toEqual({
    atMs: [minutes(-5), minutes(85)],
    offsetsMs: [minutes(120), minutes(180), minutes(120)],
  })
})

it('reads minutes with seconds to the whole second', () => {
  expect(readPackedZone('Test/One|A B|1I.k 0|01|-2.u|1')).toEqual({
    atMs: [minutes(-2.5)],
    offsetsMs: [-(minutes(104) + 20_000), 0],
  })
})

it('leaves out a change of the abbreviation alone', () => {
  expect(readPackedZone('Test/One|A B|-20 -20|01|5|1')).toEqual({ atMs: [], offsetsMs: [minutes(120)] })
})

it.each([
  ['no text', ''],
  ['a name alone', 'Test/One'],
  ['an offset that is no number', 'Test/One|A|-Y|0||1'],
  ['a later offset that is no number', 'Test/One|A B|-20 Y|01|5|1'],
  ['an index without an offset', 'Test/One|A|-20|1||1'],
  ['an index that is no number', 'Test/One|A|-20|Y||1'],
  ['a change without an index', 'Test/One|A|-20|0|5|1'],
  ['an index without a change', 'Test/One|A B|-20 -30|01||1'],
  ['a change that is no number', 'Test/One|A B|-20 -30|01|Y|1'],
  ['changes that do not ascend', 'Test/One|A B|-20 -30|010|5 -1|1'],
])('does not read %s', (_what, packed) => expect(readPackedZone(packed)).toBeUndefined())
