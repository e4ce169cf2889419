import { expect, it } from 'vitest'
import { withoutMember } from './identities.ts'

const of = (details: object, targetType = 'member') => ({
  actor: 'user:olga@example.com',
  targetType,
  targetLabel: 'Ana Pop',
  details: details as Readonly<Record<string, unknown>>,
})

it('takes the name of the member out of the target and of both sides of a changed name, and nothing else', () => {
  const changes = { name: { from: 'Ana', to: 'Ana Pop' }, phone: { from: null, to: '(set)' } }
  const entry = of({ targetId: 'member_a', actorId: 'user_a', changes })
  const hidden = { from: 'deleted_member', to: 'deleted_member' }
  expect(withoutMember(entry, 'member_a')).toEqual({
    ...entry,
    targetLabel: 'deleted_member',
    details: { ...entry.details, changes: { ...changes, name: hidden } },
  })
})

it('takes the name out where a user was linked to the member', () => {
  const linked = of({ targetId: 'user_a', memberId: 'member_a', memberName: 'Ana Pop' }, 'user')
  expect(withoutMember(linked, 'member_a').details).toMatchObject({ memberName: 'deleted_member' })
})

it('leaves what is about others as it is', () => {
  const entries = [
    of({ targetId: 'member_b', changes: { name: { from: 'A', to: 'B' } } }),
    of({ targetId: 'user_a', memberId: null, memberName: null }, 'user'),
    of({ targetId: 'gate_a', deviceName: 'North' }, 'gate'),
  ]
  for (const entry of entries) expect(withoutMember(entry, 'member_a')).toBe(entry)
})
