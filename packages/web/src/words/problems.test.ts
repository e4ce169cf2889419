import { refusalNames, refuse } from '@callgate/contract/app/refusals'
import { appOnlyCodes, problemCodes, type Refusal } from '@callgate/contract/rest/problem'
import { describe, expect, it } from 'vitest'
import type { ClientCode } from '../client/client.ts'
import { en } from './en.ts'
import { refusedField, sayProblem } from './problems.ts'
import { ro } from './ro.ts'

const failure = { ok: false, code: 'not_found', message: 'As the cloud says.', extra: {} } as const
const clientCodes: readonly ClientCode[] = ['network_error', 'unavailable', 'proxy_failed', 'proxy_too_large']
const codes = [...Object.keys(problemCodes), ...Object.keys(appOnlyCodes), ...clientCodes]

/** The cloud's text names a field or a figure here, so it is kept. */
const kept = ['validation_error', 'conflict', 'open_failed', 'proxy_failed']

it.each(codes)('has a text for %s in each language', code => {
  const said = [en, ro].map(words => sayProblem({ ...failure, code }, words))
  expect(new Set(said).size).toBe(2)
  for (const text of said) expect(text).toMatch(/\S.*\.$/)
  expect(said[1]?.includes(failure.message)).toBe(kept.includes(code))
})

it('has no text for a code that does not exist', () => {
  for (const { problems } of [en, ro]) expect(Object.keys(problems).sort()).toEqual([...codes].sort())
})

it('prefers the text of the page, and uses the cloud’s text for a code that is newer than the page', () => {
  expect(sayProblem(failure, en, { not_found: 'The gate is gone.' })).toBe('The gate is gone.')
  expect(sayProblem({ ...failure, code: 'of_tomorrow' }, ro)).toBe('As the cloud says.')
  expect(sayProblem({ ...failure, code: 'toString' }, ro)).toBe('As the cloud says.')
  expect(sayProblem({ ...failure, code: 'rate_limited', retryAfterS: 7 }, ro)).toContain('7 s')
})

it('finds the field of a refusal', () => {
  const of = (message: string, code = 'validation_error') =>
    refusedField({ ...failure, code, message }, ['name', 'phoneNumber', 'password'], en)
  expect(of('phoneNumber is an emergency number')).toEqual({
    field: 'phoneNumber',
    says: 'Is an emergency number',
  })
  expect(of('password: at least 15 characters')?.says).toBe('At least 15 characters')
  expect(of('The body is not JSON')).toBeUndefined()
  expect(of('phoneNumber is taken', 'conflict')).toBeUndefined()
  expect(refusedField(undefined, ['name'], en)).toBeUndefined()
})

/** A value for each placeholder in the text of any refusal. */
const samples = {
  field: 'phoneNumber',
  email: 'ana@example.com',
  gateway: 'North',
  version: '1.2.3',
  country: 'SO',
  allowed: 'RO, DE',
  code: '+800',
  prefix: '+40 900',
  kind: 'premium',
  timezone: 'Europe/Bucharest',
  resetsAt: '2026-01-31T22:00:00.000Z',
  id: 'member_01kdhx9c5n7p2k4s6w8y0a3d5f',
  most: 20,
  least: 15,
  length: 3,
  leftS: 21,
  limit: 25,
  used: 25,
  words: 'admin, owner',
  type: 'integer',
  example: '"ana@example.com"',
  remark: ' (A remark)',
  waitS: 80_000,
  freeAt: '2026-02-01T08:00:00.000Z',
  column: 'colour',
  other: 'shade',
  known: 'id, name',
  lines: 1200,
  line: 7,
  created: 3,
  left: 1,
}

/** The answer of the cloud, as the page reads it. */
function refusedAs(name: (typeof refusalNames)[number]) {
  const asked = new Set<string>()
  const values = new Proxy<Record<string, unknown>>(samples, {
    get: (of, place: string) => {
      asked.add(place)
      return of[place]
    },
  })
  const { message, problem } = refuse(name, values as never)
  const told = Object.fromEntries(Object.entries(samples).filter(([place]) => asked.has(place)))
  return { ok: false, code: problem, message, refusals: [{ name, values: told }], extra: {} } as const
}

it.each(refusalNames)('has a text for the refusal %s in each language, from the cloud’s details', name => {
  const failure = refusedAs(name)
  expect(sayProblem(failure, en)).toBe(failure.message)
  const said = sayProblem(failure, ro)
  expect(said).toMatch(/^\S.*\.$/s)
  expect(said).not.toContain(failure.message)
  for (const text of [failure.message, said]) expect(text).not.toMatch(/undefined|NaN|\[object/)
})

it('counts in Romanian by its grammar', () => {
  const say = (least: number) =>
    sayProblem(
      {
        ...refusedAs('password_short'),
        refusals: [{ name: 'password_short', values: { least, length: 1 } }],
      },
      ro,
    )
  expect(say(0)).toContain('0 caractere')
  expect(say(8)).toContain('8 caractere')
  expect(say(20)).toContain('20 de caractere')
  expect(say(101)).toContain('101 caractere')
  expect(say(1)).toContain('un caracter;')
})

it('prefers the text of the page to that of a refusal, and shows an unknown refusal by its code', () => {
  const failure = refusedAs('only_owner')
  expect(sayProblem(failure, ro, { conflict: 'Al paginii.' })).toBe('Al paginii.')
  const newer = { ...failure, refusals: [{ name: 'toString', values: {} }] }
  expect(sayProblem(newer, ro)).toBe(`Acum nu se poate: ${failure.message}`)
})

it('shows a refusal at its field, in the language of the page', () => {
  const failure = refusedAs('number_short')
  expect(refusedField(failure, ['phoneNumber'], ro)).toEqual({
    field: 'phoneNumber',
    says: 'Este un număr de urgență sau scurt, care nu se sună niciodată.',
  })
  expect(refusedField(failure, ['phoneNumber'], en)?.says).toContain('Is an emergency or short number')
})

describe('several refusals of one message', () => {
  const long = { name: 'field_long', values: { field: 'name', most: 120 } }
  const order = { name: 'schedule_order', values: { field: 'accesses[1].schedules[0].expiresAt' } }
  const failure = { ok: false, code: 'validation_error', message: 'In English.', extra: {} } as const
  const say = (...refusals: Refusal[]) => sayProblem({ ...failure, refusals }, ro)

  it('are shown one after the other, with the page’s names of the fields', () => {
    expect(say(long, order)).toBe(
      '„Nume” poate avea cel mult 120 de caractere. Sfârșitul trebuie să fie după început.',
    )
  })

  it('name fields and types in the language of the page, and an unknown field as the API does', () => {
    const wrong = (field: string, type: string) => say({ name: 'field_type', values: { field, type } })
    expect(wrong('accesses[0].schedules[1].timezone', 'string')).toBe('„Fus orar” trebuie să fie un text.')
    expect(wrong('callProfile.reactMinMs', 'integer or null')).toBe(
      '„Preia apelul după cel puțin” trebuie să fie un număr întreg sau gol.',
    )
    expect(wrong('colour', 'array')).toBe('„colour” trebuie să fie o listă.')
  })

  it('are shown at their places', () => {
    const placeOf = (field: string) => (field.startsWith('accesses[1]') ? 'Curte: ' : '')
    expect(sayProblem({ ...failure, refusals: [long, order] }, ro, {}, placeOf)).toBe(
      '„Nume” poate avea cel mult 120 de caractere. Curte: Sfârșitul trebuie să fie după început.',
    )
  })

  it('name the line of a file before the error in it', () => {
    const mails = refusedAs('mails_to_address')
    const line = { name: 'file_line', values: { line: 7 } }
    const failure = { ...mails, message: 'Line 7 was refused.', refusals: [line, ...mails.refusals] }
    expect(sayProblem(failure, ro)).toMatch(/^Linia 7 a fost refuzată.*20 de e-mailuri.*peste 23 de ore/)
    expect(sayProblem(failure, en)).toBe('Line 7 was refused.')
  })

  it('are all in English where the page does not know one of them', () => {
    expect(say(long, { name: 'field_of_tomorrow', values: {} })).toContain('In English.')
    expect(say()).toContain('In English.')
  })
})
