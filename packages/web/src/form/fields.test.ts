import { describe, expect, it } from 'vitest'
import type { Failure } from '../client/client.ts'
import { en } from '../words/en.ts'
import { type Fields, faultOf, isSendable, refusalOf } from './fields.ts'

interface Values {
  readonly name: string
  readonly code: string
  readonly scopes: readonly string[]
}

const fields: Fields<Values> = {
  name: { label: 'Name', limit: { least: 1, most: 5 }, missing: 'Type it.' },
  code: {
    label: 'Code',
    check: (code, { name }) => (code === name ? 'Another one.' : undefined),
    refused: 'Not this one.',
  },
  scopes: { check: scopes => (scopes.length === 0 ? 'Tick one.' : undefined) },
}
const whole: Values = { name: 'Front', code: '1', scopes: ['read'] }
const fault = (name: keyof Values, typed: Partial<Values>) =>
  faultOf(fields, name, { ...whole, ...typed }, en.form)

describe('the faults of a form', () => {
  it('are lengths outside of the limits, counted without the blanks around the text', () => {
    expect(fault('name', { name: '   ' })).toBe('Type it.')
    expect(fault('name', { name: ' Front ' })).toBeUndefined()
    expect(fault('name', { name: 'Fronts' })).toBe('At most 5 characters.')
  })

  it('may depend on other fields, and be of other kinds than text', () => {
    expect(fault('code', { code: 'Front' })).toBe('Another one.')
    expect(fault('scopes', { scopes: [] })).toBe('Tick one.')
  })

  it('prevent the form from being sent', () => {
    expect(isSendable(fields, whole, en.form)).toBe(true)
    expect(isSendable(fields, { ...whole, scopes: [] }, en.form)).toBe(false)
  })
})

describe('a refusal', () => {
  const failure = (code: string, message: string): Failure => ({ ok: false, code, message, extra: {} })
  const refusal = (of: Failure) => refusalOf(of, { fields, refusals: { conflict: ['name', 'Taken.'] } }, en)

  it('goes to the field that its message names, with that field’s own text where it has one', () => {
    expect(refusal(failure('validation_error', 'name is bad'))).toEqual({ field: 'name', says: 'Is bad' })
    expect(refusal(failure('validation_error', 'code is bad'))).toEqual({
      field: 'code',
      says: 'Not this one.',
    })
  })

  it('goes to the field of its code', () => {
    expect(refusal(failure('conflict', 'as the API says'))).toEqual({ field: 'name', says: 'Taken.' })
  })

  it('belongs to no field where none shows it', () => {
    expect(refusal(failure('validation_error', 'scopes must have an item'))).toBeUndefined()
    expect(refusal(failure('not_found', 'name is gone'))).toBeUndefined()
  })
})
