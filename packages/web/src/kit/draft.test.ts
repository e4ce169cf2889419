import { expect, it } from 'vitest'
import { draftOf, rebased, valuesOf, withTyped } from './draft.ts'

const base = { name: 'Front', location: 'Street', description: '' }

it('sends only what differs from what was read', () => {
  const typed = withTyped(withTyped(draftOf(base), { name: 'Back' }), { location: 'Yard' })
  expect(typed.typed).toEqual({ name: 'Back', location: 'Yard' })
  expect(withTyped(typed, { name: 'Front' }).typed).toEqual({ location: 'Yard' })
  expect(valuesOf(typed)).toEqual({ name: 'Back', location: 'Yard', description: '' })
})

it('keeps what is typed, and takes over what another person changed elsewhere', () => {
  const typed = withTyped(draftOf(base), { name: 'Back' })
  const after = rebased(typed, { ...base, location: 'Yard' })
  expect(valuesOf(after)).toEqual({ name: 'Back', location: 'Yard', description: '' })
  expect([after.typed, after.theirs]).toEqual([{ name: 'Back' }, {}])
})

it('names what another person set in a field that is typed', () => {
  const after = rebased(withTyped(draftOf(base), { name: 'Back' }), { ...base, name: 'Side' })
  expect(valuesOf(after).name).toBe('Back')
  expect(after.theirs).toEqual({ name: 'Side' })
})

it('is done where the other person typed the same', () => {
  const after = rebased(withTyped(draftOf(base), { name: 'Back' }), { ...base, name: 'Back' })
  expect([after.typed, after.theirs]).toEqual([{}, {}])
})
