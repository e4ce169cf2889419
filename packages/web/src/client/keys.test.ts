import { expect, it } from 'vitest'
import { isTouched, keyOf } from './keys.ts'

const spaceId = 'space_1'
const gateId = 'gate_1'

it('names the Space, the noun and the id of what was read', () => {
  expect(keyOf('getGateProfile', { params: { spaceId, gateId } }).slice(0, 3)).toEqual([
    spaceId,
    'gates',
    gateId,
  ])
  expect(keyOf('listGates', { params: { spaceId } }).slice(0, 3)).toEqual([spaceId, 'gates', null])
  expect(keyOf('getSession', {}).slice(0, 3)).toEqual([null, 'session', null])
})

it('distinguishes two lists of one operation by their queries', () => {
  const keys = [{}, { status: 'failed' }].map(query => keyOf('listOpenings', { params: { spaceId }, query }))
  expect(keys[0]).not.toEqual(keys[1])
})

it('distinguishes two questions by their bodies', () => {
  const keys = ['always', 'weekdays'].map(type =>
    keyOf('previewSchedules', { params: { spaceId }, body: { schedules: [{ type }] } }),
  )
  expect(keys[0]).not.toEqual(keys[1])
})

it('reads again whatever shows the changed thing, and nothing else', () => {
  const change = { spaceId, noun: 'gates', id: gateId }
  const touched = (operation: 'getGate' | 'listGates' | 'listMembers', params: Record<string, string>) =>
    isTouched(keyOf(operation, { params }), change)
  expect(touched('getGate', { spaceId, gateId })).toBe(true)
  expect(touched('listGates', { spaceId })).toBe(true)
  expect(touched('getGate', { spaceId, gateId: 'gate_2' })).toBe(false)
  expect(touched('listGates', { spaceId: 'space_2' })).toBe(false)
  expect(touched('listMembers', { spaceId })).toBe(false)
})
