import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { emailFault, failureWords, inviteNameFault } from './userFields.ts'

const { users: says } = en

it('finds what is plainly no address, and leaves the rest to the API', () => {
  expect(emailFault(' ana@example.com ', says)).toBeUndefined()
  for (const none of ['', 'ana', 'ana@example', 'ana at example.com', 'a b@example.com'])
    expect(emailFault(none, says), none).toBe(says.invite.emailWrong)
})

it('finds what the API would refuse in a name', () => {
  expect(inviteNameFault(' ', says)).toBe(says.invite.nameMissing)
  expect(inviteNameFault('a'.repeat(121), says)).toBe(says.invite.nameLong)
  expect(inviteNameFault('Win at www.example.com', says)).toBe(says.invite.nameLink)
  expect(inviteNameFault('Ana Pop', says)).toBeUndefined()
})

it('says what a conflict means on this page, and that no answer came', () => {
  const say = failureWords(en, says.onlyOwner)
  const failure = { ok: false, message: 'As the API says.', extra: {} } as const
  expect(say({ ...failure, code: 'network_error' })).toBe(says.noAnswer)
  expect(say({ ...failure, code: 'conflict' })).toBe(says.onlyOwner)
  expect(say({ ...failure, code: 'precondition_failed' })).toBe(says.changedMeanwhile)
})
