import { expect, it } from 'vitest'
import { createPasswordRules } from './passwordRules.ts'

const { fault } = createPasswordRules()
const passwordFault = async (...given: Parameters<typeof fault>) => (await fault(...given))?.message

const known = { email: 'olga.marin@example.com', name: 'Olga Marin' }

it.each([
  ['correct horse battery staple', false],
  ['o parolă lungă și ușoară', false],
  ['kuR7!x9Lm2qz', true],
  // Eight characters, each of two units of UTF-16.
  ['🐎🔋📎🌧🚪🧀🎺🪁', true],
  ['word '.repeat(3) + 'x7!kR2#mQ9@vT4$'.repeat(16), false],
])('accepts %s', async (password, hasSecondFactor) => {
  expect(await passwordFault(password, known, hasSecondFactor)).toBeUndefined()
})

it.each([
  ['shorter12345', 'at least 15 characters; this one has 12'],
  ['kuR7!x9', 'at least 15 characters'],
  ['x'.repeat(257), 'at most 256 characters; this one has 257'],
  ['passwordpassword', 'guessed first'],
  ['P@ssw0rdP@ssw0rd', 'guessed first'],
  ['123456789012345', 'guessed first'],
  ['qwertyuiopasdfgh', 'guessed first'],
  ['aaaaaaaaaaaaaaaa', 'guessed first'],
  ['callgatecallgate', 'guessed first'],
  ['olga.marin@example.com', 'guessed first'],
  ['Olga Marin Olga Marin', 'guessed first'],
  // Full-width letters count as the same letters.
  ['ｐａｓｓｗｏｒｄｐａｓｓｗｏｒｄ', 'guessed first'],
])('rejects %s, and says why', async (password, why) => {
  expect(await passwordFault(password, known)).toContain(why)
})

it('requires eight characters beside a second factor, and no common password', async () => {
  expect(await passwordFault('kuR7!x9', known, true)).toContain('at least 8 characters; this one has 7')
  expect(await passwordFault('password', known, true)).toContain('guessed first')
})
