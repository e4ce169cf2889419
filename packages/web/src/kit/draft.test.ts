import { expect, it } from 'vitest'
import { draftOf, rebased, saved, valuesOf, withTyped } from './draft.ts'

const base = { name: 'Front', location: 'Street', description: '' }

it('sends only the differences from the read values', () => {
  const typed = withTyped(withTyped(draftOf(base), { name: 'Back' }), { location: 'Yard' })
  expect(typed.typed).toEqual({ name: 'Back', location: 'Yard' })
  expect(withTyped(typed, { name: 'Front' }).typed).toEqual({ location: 'Yard' })
  expect(valuesOf(typed)).toEqual({ name: 'Back', location: 'Yard', description: '' })
})

it('keeps the typed text, and adopts other changes of another person', () => {
  const typed = withTyped(draftOf(base), { name: 'Back' })
  const after = rebased(typed, { ...base, location: 'Yard' })
  expect(valuesOf(after)).toEqual({ name: 'Back', location: 'Yard', description: '' })
  expect([after.typed, after.theirs]).toEqual([{ name: 'Back' }, {}])
})

it('names the other person’s value in a field that is typed', () => {
  const after = rebased(withTyped(draftOf(base), { name: 'Back' }), { ...base, name: 'Side' })
  expect(valuesOf(after).name).toBe('Back')
  expect(after.theirs).toEqual({ name: 'Side' })
})

it('has no difference where the other person typed the same', () => {
  const after = rebased(withTyped(draftOf(base), { name: 'Back' }), { ...base, name: 'Back' })
  expect([after.typed, after.theirs]).toEqual([{}, {}])
})

it('keeps text that is typed during a save', () => {
  const sent = withTyped(draftOf(base), { name: 'Back ' })
  const now = { ...base, name: 'Back', location: 'Yard' }
  expect(saved(sent, sent.typed, now)).toEqual(draftOf(now))
  expect(saved(withTyped(sent, { description: 'Low' }), sent.typed, now).typed).toEqual({
    description: 'Low',
  })
  // Back to the earlier value.
  expect(saved(withTyped(sent, { name: 'Front' }), sent.typed, now).typed).toEqual({ name: 'Front' })
})
