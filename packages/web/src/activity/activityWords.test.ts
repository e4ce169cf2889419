import { activityActions } from '@callgate/contract/rest/activity'
import { scopeNames } from '@callgate/contract/rest/scope'
import { expect, it } from 'vitest'
import { activityTexts } from '../words/activityTexts.ts'
import { en } from '../words/en.ts'
import { ro } from '../words/ro.ts'
import { sayAction, sayActor, sayChanges, sayNotes, valuesOf } from './activityWords.ts'

const reader = { words: en, times: { locale: 'en-GB', zone: 'Europe/Bucharest' } }
const changes = (changes: object, action = 'gate.updated') =>
  sayChanges({ action, details: { changes } }, reader)
const notes = (details: object, targetLabel = 'Desk') => sayNotes({ details, targetLabel }, reader)

it('has a text for each action that the cloud records', () => {
  for (const words of [en, ro])
    expect(Object.keys(activityTexts(words).actions).sort()).toEqual(Object.keys(activityActions).sort())
})

it('shows an unknown action in readable form', () => {
  expect(sayAction('gate.repainted_twice', reader)).toBe('Gate repainted twice')
  expect(sayAction('toString', reader)).toBe('ToString')
})

it.each([
  ['api:Front desk', { name: 'Front desk', how: 'API key' }],
  ['user:mihai@example.com', { name: 'mihai@example.com', how: 'dashboard' }],
  ['operator', { name: 'Operator', how: 'by command' }],
  ['system', { name: 'Callgate', how: 'by itself' }],
  ['robot', { name: 'robot', how: '' }],
])('names the actor %s', (actor, said) => {
  expect(sayActor(actor, reader)).toEqual(said)
})

it('shows the old and the new value of a change', () => {
  expect(changes({ name: { from: 'Yard', to: 'Yard gate' }, maxUsage: { from: null, to: 5 } })).toEqual([
    { field: 'Name', from: 'Yard', to: 'Yard gate' },
    { field: 'Cap', from: 'none', to: '5' },
  ])
  expect(changes({ email: { from: '(set)', to: '(set)' } })).toEqual([
    { field: 'E-mail', from: '', to: 'changed' },
  ])
  expect(changes({ trialEndsAt: { from: null, to: '2026-03-31T21:30:00.000Z' } })).toEqual([
    { field: 'Trial ends', from: 'none', to: '1 Apr 2026' },
  ])
})

it('shows only what differs in a call profile', () => {
  const from = { mode: 'unverified', coolDownMs: 5_000, learned: false }
  expect(changes({ callProfile: { from, to: { ...from, mode: 'reject', learned: true } } })).toEqual([
    { field: 'How it takes a call', from: 'Not known', to: 'Rejects the call' },
    { field: 'Measured at this gate', from: 'no', to: 'yes' },
  ])
})

it('shows times of a call profile in seconds', () => {
  expect(changes({ callProfile: { from: { reactMinMs: 0 }, to: { reactMinMs: 1_750 } } })).toEqual([
    { field: 'Takes the call after at least', from: '0 s', to: '1.75 s' },
  ])
})

it('shows the time in which a gate takes a call as one line', () => {
  const from = { reactMinMs: 0, reactMaxMs: 20_000 }
  const taken = (to: object) => changes({ callProfile: { from, to: { ...from, ...to } } })
  expect(taken({ reactMinMs: 750, reactMaxMs: 10_500 })).toEqual([
    { field: 'Takes the call after', from: '0–20 s', to: '0.75–10.5 s' },
  ])
  expect(taken({ reactMaxMs: 10_500 })).toEqual([
    { field: 'Takes the call after', from: '0–20 s', to: '0–10.5 s' },
  ])
  expect(taken({ mode: 'reject' }).map(({ field }) => field)).toEqual(['How it takes a call'])
})

it('shows a role, a length of time, a country and a language by name', () => {
  const all = changes({
    role: { from: 'admin', to: 'owner' },
    keepIdentities: { from: 'P12M', to: 'P90D' },
    country: { from: 'RO', to: 'HU' },
    language: { from: 'ro', to: 'hu' },
  })
  expect(all.map(({ from, to }) => `${from} > ${to}`)).toEqual([
    'Admin > Owner',
    '12 months > 90 days',
    'Romania > Hungary',
    'Romanian > Hungarian',
  ])
})

interface AnySchema {
  /** The values of a field that has only some. */
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, AnySchema>>
  readonly anyOf?: readonly AnySchema[]
}

/** The names of the fields of a schema, and of the fields inside them. */
const namesIn = ({ anyOf = [], properties = {} }: AnySchema): readonly string[] => [
  ...anyOf.flatMap(namesIn),
  ...Object.entries(properties).flatMap(([name, schema]) => [name, ...namesIn(schema)]),
]

/** Each field in the changes of an entry, with its schema. */
const recorded = Object.values(activityActions).flatMap(action => {
  const { changes: recorded } = (action.details as AnySchema).properties ?? {}
  return Object.entries(recorded?.properties ?? {}).map(
    ([name, change]) => [name, change.properties?.['from'] ?? {}] as const,
  )
})

it('has a text for each field that an entry can contain', () => {
  const names = recorded.flatMap(([name, schema]) => [name, ...namesIn(schema)])
  expect(names).toContain('reactMinMs')
  for (const { fields } of [en, ro].map(activityTexts))
    expect(
      names.filter(name => !Object.hasOwn(fields, name)),
      'Name them in `fields` of words/en/activity.ts and words/ro/changedFields.ts.',
    ).toEqual([])
})

/** A field and its values, with the fields inside it. */
const valuesIn = (field: string, schema: AnySchema): readonly (readonly [string, string])[] => [
  ...(schema.enum ?? []).map(value => [field, value] as const),
  ...(schema.anyOf ?? []).flatMap(one => valuesIn(field, one)),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => valuesIn(name, one)),
]

it('has a text for each value of a field with few values', () => {
  // It takes the place of a personal value.
  const values = recorded
    .flatMap(([name, schema]) => valuesIn(name, schema))
    .filter(([, value]) => value !== '(set)')
  expect(values).toContainEqual(['mode', 'answer_release'])
  for (const words of [en, ro])
    expect(values.filter(([field, value]) => valuesOf(field, words)?.[value] === undefined)).toEqual([])
})

it('shows how many hours there are', () => {
  const [one, two] = [[{ days: [1] }], [{ days: [1] }, { days: [2] }]]
  expect(changes({ schedules: { from: one, to: two } })).toEqual([
    { field: 'Hours', from: '1 schedule', to: '2 schedules' },
  ])
})

it('shows what else an entry contains', () => {
  const details = { accesses: ['Yard', 'Barrier'], expiresAt: null }
  expect(notes(details)).toEqual(['Gates: Yard, Barrier'])
  expect(notes({ deviceName: 'Yard', actorId: 'key_1' })).toEqual(['Gate: Yard'])
  expect(notes({ role: 'owner' })).toEqual(['Role: Owner'])
  expect(notes({ scopes: ['gates:read', 'gates:open'] })).toEqual(['May: see gates, open gates'])
  const butEmail = scopeNames.filter(scope => scope !== 'members:read_email')
  expect(notes({ scopes: butEmail })).toEqual(['May: all but e-mail addresses'])
  expect(notes({ version: '1.5.0', state: 'taken_back' })).toEqual(['1.5.0: taken back'])
})

it('does not say again what the target or the action says', () => {
  expect(notes({ deviceName: 'Yard' }, 'Yard')).toEqual([])
  const switched = { isActive: { from: true, to: false } }
  expect(changes(switched, 'gate.deactivated')).toEqual([])
  expect(changes(switched, 'guest.access_updated')).toEqual([{ field: 'Active', from: 'yes', to: 'no' }])
})
