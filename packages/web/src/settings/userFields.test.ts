import { expect, it } from 'vitest'
import { faultOf } from '../form/fields.ts'
import { en } from '../words/en.ts'
import { emailFault, failureWords, userNameField } from './userFields.ts'
import { userTexts } from './userTexts.ts'

const says = userTexts(en)

it('finds texts that are obviously no address, and leaves the rest to the API', () => {
  expect(emailFault(' ana@example.com ', says)).toBeUndefined()
  for (const none of ['', 'ana', 'ana@example', 'ana at example.com', 'a b@example.com'])
    expect(emailFault(none, says), none).toBe(says.invite.emailWrong)
})

it('finds what the API would refuse in a name', () => {
  const fault = (name: string) => faultOf({ name: userNameField(en) }, 'name', { name }, en.form)
  expect(fault(' ')).toBe('Type a name.')
  expect(fault('a'.repeat(121))).toBe('At most 120 characters.')
  expect(fault('Win at www.example.com')).toBe(says.invite.nameLink)
  expect(fault('Ana Pop')).toBeUndefined()
})

it('explains a conflict on this page, and a missing answer', () => {
  const say = failureWords(en, says.onlyOwner)
  const failure = { ok: false, message: 'As the API says.', extra: {} } as const
  expect(say({ ...failure, code: 'network_error' })).toBe(says.noAnswer)
  expect(say({ ...failure, code: 'conflict' })).toBe(says.onlyOwner)
  expect(say({ ...failure, code: 'precondition_failed' })).toBe(says.changedMeanwhile)
})
