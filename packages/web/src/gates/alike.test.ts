import { expect, it } from 'vitest'
import { another, ids, openingOf } from '../client/spaceData.kit.ts'
import { foldAlike } from './alike.ts'

const opened = (place: number) => openingOf({ id: another(ids.openingId, place) })
const lengths = (records: Parameters<typeof foldAlike>[0]) => foldAlike(records).map(({ length }) => length)

it('makes one row of three neighbours or more that say the same, and of no fewer', () => {
  expect(lengths([])).toEqual([])
  expect(lengths([1, 2].map(opened))).toEqual([1, 1])
  expect(lengths([1, 2, 3].map(opened))).toEqual([3])
})

it('keeps the order, and each opening once', () => {
  const failed = openingOf({ id: another(ids.openingId, 9), class: 'did_not_open', opened: 'no' })
  const records = [opened(1), opened(2), failed, opened(3), opened(4), opened(5)]
  expect(lengths(records)).toEqual([1, 1, 1, 3])
  expect(foldAlike(records).flat()).toEqual(records)
})

it.each([
  ['of another gate', { gateId: another(ids.gateId, 2) }],
  ['with another reason', { reason: 'busy' }],
  ['of another user', { by: { kind: 'user', id: 'usr_1' } }],
  ['by another means', { by: { kind: 'key', id: 'key_1' } }],
  ['of another name', { openedBy: { type: 'owner', name: 'Ana', email: null } }],
  ['that somebody has looked at', { seen: 'moving' }],
  ['that joined another', { joinedOpeningId: another(ids.openingId, 8) }],
  ['that others joined', { joiners: 2 }],
  ['that is safe to press again', { safeToRetry: true }],
] as const)('does not fold one %s', (_, given) => {
  const other = openingOf({ ...opened(2), ...(given as Parameters<typeof openingOf>[0]) })
  expect(lengths([opened(1), other, opened(3)])).toEqual([1, 1, 1])
})

it('folds those of keys with one name, as they are said', () => {
  const byKey = (place: number) => openingOf({ ...opened(place), by: { kind: 'key', id: `key_${place}` } })
  expect(lengths([1, 2, 3].map(byKey))).toEqual([3])
})

it('does not fold openings that still run', () => {
  const running = [1, 2, 3].map(place => openingOf({ ...opened(place), class: 'running', step: 'asked' }))
  expect(lengths(running)).toEqual([1, 1, 1])
})
