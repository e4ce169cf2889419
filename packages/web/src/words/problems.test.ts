import { appOnlyCodes, problemCodes } from '@callgate/contract/rest/problem'
import { expect, it } from 'vitest'
import { en } from './en.ts'
import { refusedField, sayProblem } from './problems.ts'
import { ro } from './ro.ts'

const failure = { ok: false, code: 'not_found', message: 'As the cloud says.', extra: {} } as const
const codes = [...Object.keys(problemCodes), ...Object.keys(appOnlyCodes), 'network_error']

/** The cloud's text names a field or a figure here, so it is kept. */
const kept = ['validation_error', 'conflict', 'open_failed']

it.each(codes)('says %s in each language', code => {
  const said = [en, ro].map(words => sayProblem({ ...failure, code }, words))
  expect(new Set(said).size).toBe(2)
  for (const text of said) expect(text).toMatch(/\S.*\.$/)
  expect(said[1]?.includes(failure.message)).toBe(kept.includes(code))
})

it('has no text for a code that does not exist', () => {
  for (const { problems } of [en, ro]) expect(Object.keys(problems).sort()).toEqual([...codes].sort())
})

it('prefers the text of the page, and knows what is newer than the page by the cloud', () => {
  expect(sayProblem(failure, en, { not_found: 'The gate is gone.' })).toBe('The gate is gone.')
  expect(sayProblem({ ...failure, code: 'of_tomorrow' }, ro)).toBe('As the cloud says.')
  expect(sayProblem({ ...failure, code: 'toString' }, ro)).toBe('As the cloud says.')
  expect(sayProblem({ ...failure, code: 'rate_limited', retryAfterS: 7 }, ro)).toContain('7 s')
})

it('finds the field that a refusal is about', () => {
  const of = (message: string, code = 'validation_error') =>
    refusedField({ ...failure, code, message }, ['name', 'phoneNumber', 'password'])
  expect(of('phoneNumber is an emergency number')).toEqual({
    field: 'phoneNumber',
    says: 'Is an emergency number',
  })
  expect(of('password: at least 15 characters')?.says).toBe('At least 15 characters')
  expect(of('The body is not JSON')).toBeUndefined()
  expect(of('phoneNumber is taken', 'conflict')).toBeUndefined()
  expect(refusedField(undefined, ['name'])).toBeUndefined()
})
