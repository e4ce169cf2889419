import { describe, expect, it } from 'vitest'
import { valuesOf } from '../kit/draft.ts'
import { baseOf, begun, discarded, followed, isTyped, met, savedOver, typedInto } from './formState.ts'

const values = { name: 'Front', place: 'Street' }
const first = { values, etag: 'one' }
const theirs = { values: { name: 'Side', place: 'Yard' }, etag: 'two' }
const typing = typedInto(begun(first), { name: 'Back' })

describe('a form over data that another person has changed', () => {
  it('keeps typed text, adopts the rest, and uses the new tag for its change', () => {
    const after = met(typing, theirs, 'Ana Pop')
    expect(valuesOf(after.draft)).toEqual({ name: 'Back', place: 'Yard' })
    expect(after.draft.theirs).toEqual({ name: 'Side' })
    expect(after).toMatchObject({ etag: 'two', isMeanwhile: true, changedBy: 'Ana Pop' })
  })

  it('reports no change where nothing is typed', () => {
    const after = followed(begun(first), theirs)
    expect(valuesOf(after.draft)).toEqual(theirs.values)
    expect(after).toMatchObject({ isMeanwhile: false, seen: 'two' })
  })

  it('keeps the other person’s values when the same state is read again', () => {
    const known = met(followed(typing, theirs), theirs, 'Ana Pop')
    expect(known.draft.theirs).toEqual({ name: 'Side' })
    expect(known.changedBy).toBe('Ana Pop')
    expect(followed(known, theirs)).toEqual(known)
  })
})

it('continues over the saved values, with what was typed meanwhile', () => {
  const since = typedInto(typing, { place: 'Gate' })
  const after = savedOver({ ...since, isSent: true }, typing.draft.typed, {
    values: { name: 'Back', place: 'Street' },
    etag: 'three',
  })
  expect(after.draft.typed).toEqual({ place: 'Gate' })
  // The reading that the form follows is still the old one.
  expect(after).toMatchObject({ etag: 'three', seen: 'one', isSent: false, isSaved: true })
  expect(typedInto(after, { place: 'Street' })).toMatchObject({ isSaved: false })
  expect(isTyped(typedInto(after, { place: 'Street' }))).toBe(false)
})

it('goes back to the last reading where the typed text is discarded', () => {
  expect(discarded(followed(typing, theirs))).toEqual(begun(theirs))
})

it('takes a base from an answer, and passes a failure on', async () => {
  const body = { gate: values }
  const read = Promise.resolve({ ok: true as const, body, etag: null })
  expect(await baseOf(read, ({ gate }) => gate)).toEqual({ ok: true, values, etag: undefined })
  const failure = { ok: false, code: 'not_found', message: '', extra: {} } as const
  expect(await baseOf(Promise.resolve(failure), () => values)).toBe(failure)
})
