import { expect, it } from 'vitest'
import { personsOf, withoutIdentities, withoutMember } from './identities.ts'

const of = (details: object, targetType = 'member') => ({
  actor: 'user:olga@example.com',
  targetType,
  targetLabel: 'Ana Pop',
  details: details as Readonly<Record<string, unknown>>,
})

it('removes the name of the member from the target and from both sides of a changed name, and nothing else', () => {
  const changes = { name: { from: 'Ana', to: 'Ana Pop' }, phone: { from: null, to: '(set)' } }
  const entry = of({ targetId: 'member_a', actorId: 'user_a', changes })
  const hidden = { from: 'deleted_member', to: 'deleted_member' }
  expect(withoutMember(entry, 'member_a')).toEqual({
    ...entry,
    targetLabel: 'deleted_member',
    details: { ...entry.details, changes: { ...changes, name: hidden } },
  })
})

it('removes the name where a user was linked to the member', () => {
  const linked = of({ targetId: 'user_a', memberId: 'member_a', memberName: 'Ana Pop' }, 'user')
  expect(withoutMember(linked, 'member_a').details).toMatchObject({ memberName: 'deleted_member' })
})

it('leaves entries about others unchanged', () => {
  const entries = [
    of({ targetId: 'member_b', changes: { name: { from: 'A', to: 'B' } } }),
    of({ targetId: 'user_a', memberId: null, memberName: null }, 'user'),
    of({ targetId: 'gate_a', deviceName: 'North' }, 'gate'),
  ]
  for (const entry of entries) expect(withoutMember(entry, 'member_a')).toBe(entry)
})

it('removes every identity from an old entry, and keeps what was done', () => {
  const changes = { name: { from: 'Ana', to: 'Ana Pop' }, note: { from: null, to: '(set)' } }
  const entry = of({ targetId: 'member_a', actorId: 'user_a', changes })
  expect(personsOf(entry)).toEqual(['member_a'])
  const hidden = { from: 'not_kept', to: 'not_kept' }
  const bare = withoutIdentities(entry)
  expect(bare).toEqual({
    actor: 'user:not_kept',
    targetType: 'member',
    targetLabel: 'not_kept',
    details: { actorId: null, changes: { ...changes, name: hidden } },
  })
  expect(withoutIdentities(bare)).toEqual(bare)
  expect(personsOf(bare)).toEqual([])
})

it('keeps gates, keys and the operator, and removes the contact of the Space and the member of a user', () => {
  const gate = {
    ...of({ targetId: 'gate_a', actorId: 'key_a', deviceName: 'North' }, 'gate'),
    actor: 'api:Desk',
  }
  expect(withoutIdentities(gate)).toEqual(gate)
  const contact = { contactName: { from: null, to: 'Ada' }, name: { from: 'Lake', to: 'Hill' } }
  const space = {
    ...of({ targetId: 'space_a', actorId: null, changes: contact }, 'space'),
    actor: 'operator',
  }
  expect(withoutIdentities(space)).toMatchObject({
    targetLabel: 'Ana Pop',
    details: { changes: { contactName: { from: null, to: 'not_kept' }, name: { from: 'Lake', to: 'Hill' } } },
  })
  const linked = of({ targetId: 'user_a', memberId: 'member_a', memberName: 'Ana' }, 'user')
  expect(personsOf(linked)).toEqual(['user_a', 'member_a'])
  expect(withoutIdentities(linked).details).toEqual({ actorId: null, memberId: null, memberName: 'not_kept' })
})
