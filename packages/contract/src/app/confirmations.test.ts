import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scopeNames } from '../rest/scope.ts'
import { appOperations } from './appOperations.ts'
import { confirmations, needsConfirmation } from './confirmations.ts'

const later = '2027-01-01T00:00:00Z'

describe('confirmations', () => {
  it('have a row for every operation, and a condition only where there is a body', () => {
    expect(Object.keys(confirmations).sort()).toEqual(Object.keys(appOperations).sort())
    for (const [id, confirmation] of Object.entries(confirmations))
      if (typeof confirmation === 'function')
        expect(appOperations[id as keyof typeof appOperations], id).toHaveProperty('body')
  })

  it('are not required of a person who is not signed in', () => {
    for (const [id, { role }] of Object.entries(appOperations))
      if (role === 'none') expect(confirmations[id as keyof typeof confirmations], id).toBe('never')
  })

  it('are required for a new owner, a change of role and the removal of a user', () => {
    expect(needsConfirmation('inviteUser', { role: 'owner' })).toBe(true)
    expect(needsConfirmation('inviteUser', { role: 'admin' })).toBe(false)
    expect(needsConfirmation('updateUser', { role: 'owner' })).toBe(true)
    expect(needsConfirmation('updateUser', { role: 'admin' })).toBe(true)
    expect(needsConfirmation('updateUser', { getsAlerts: false })).toBe(false)
    expect(needsConfirmation('removeUser')).toBe(true)
  })

  it('are required to add or confirm a gateway, and to export members', () => {
    for (const id of ['addGateway', 'startEnrolment', 'confirmEnrolment'] as const)
      expect(needsConfirmation(id), id).toBe(true)
    for (const id of ['exportMembers', 'exportMemberData'] as const)
      expect(needsConfirmation(id), id).toBe(true)
  })

  it('are required for a key that opens gates, reads or writes members, or has no end', () => {
    fc.assert(
      fc.property(
        fc.subarray([...scopeNames], { minLength: 1 }),
        fc.constantFrom(undefined, null, later),
        (scopes, expiresAt) => {
          const isStrong = scopes.some(one => /^members:|^gates:open$/.test(one))
          const body = { name: 'Desk', scopes, expiresAt }
          expect(needsConfirmation('createApiKey', body)).toBe(isStrong || typeof expiresAt !== 'string')
        },
      ),
    )
  })

  it('are left to the handlers for the codes of a SIM card, because they know the stored ones', () => {
    const left = Object.entries(confirmations).filter(([, confirmation]) => confirmation === 'where_stored')
    expect(left.map(([id]) => id)).toEqual(['updateSim', 'askSim'])
  })
})
