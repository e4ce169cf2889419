import { expect, it } from 'vitest'
import { type KeyRights, reachesGate, readRights, rightsColumns } from './keyRights.ts'

const all: KeyRights = { scopes: ['gates:open', 'members:read'], gateIds: null }
const limited: KeyRights = { scopes: ['gates:open'], gateIds: ['gate_a', 'gate_b'] }

it.each([all, limited])('are read as they were written', rights => {
  expect(readRights(rightsColumns(rights))).toEqual(rights)
})

it('leave no scope to a program that does not know limits', () => {
  expect(JSON.parse(rightsColumns(limited).scopes)).toEqual([])
})

it('leave out scopes that this program does not know', () => {
  expect(readRights({ scopes: '["gates:open","doors:open"]', limited: null }).scopes).toEqual(['gates:open'])
  expect(readRights({ scopes: '["gates:open"]', limited: '{"gateIds":[],"scopes":null}' })).toEqual({
    scopes: [],
    gateIds: [],
  })
})

it('reach every gate without a limit, and else those that are named', () => {
  expect([{}, all, limited].map(who => reachesGate(who, 'gate_a'))).toEqual([true, true, true])
  expect([{}, all, limited].map(who => reachesGate(who, 'gate_c'))).toEqual([true, true, false])
  expect(reachesGate(limited, null)).toBe(false)
})
