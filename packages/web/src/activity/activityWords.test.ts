import { activityActions } from '@callgate/contract/rest/activity'
import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { ro } from '../words/ro.ts'
import { sayAction, sayActor, sayChanges, sayNotes } from './activityWords.ts'

const reader = { words: en, times: { locale: 'en-GB', zone: 'Europe/Bucharest' } }
const changes = (changes: object) => sayChanges({ details: { changes } }, reader)

it('has a text for each action that the cloud records', () => {
  for (const words of [en, ro])
    expect(Object.keys(words.activity.actions).sort()).toEqual(Object.keys(activityActions).sort())
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
    { field: 'How it takes a call', from: 'unverified', to: 'reject' },
    { field: 'Measured at this gate', from: 'no', to: 'yes' },
  ])
})

it('shows times of a call profile in seconds', () => {
  expect(changes({ callProfile: { from: { reactMinMs: 0 }, to: { reactMinMs: 1_750 } } })).toEqual([
    { field: 'Takes the call after at least', from: '0.00 s', to: '1.75 s' },
  ])
})

interface AnySchema {
  readonly properties?: Readonly<Record<string, AnySchema>>
  readonly anyOf?: readonly AnySchema[]
}

/** The names of the fields of a schema, and of the fields inside them. */
const namesIn = ({ anyOf = [], properties = {} }: AnySchema): readonly string[] => [
  ...anyOf.flatMap(namesIn),
  ...Object.entries(properties).flatMap(([name, schema]) => [name, ...namesIn(schema)]),
]

it('has a text for each field that an entry can contain', () => {
  const names = Object.values(activityActions).flatMap(action => {
    const { changes: recorded } = (action.details as AnySchema).properties ?? {}
    return Object.entries(recorded?.properties ?? {}).flatMap(([name, change]) => [
      name,
      ...namesIn(change.properties?.['from'] ?? {}),
    ])
  })
  expect(names).toContain('reactMinMs')
  for (const { activity } of [en, ro])
    expect(
      names.filter(name => !Object.hasOwn(activity.fields, name)),
      'Name them in `fields` of words/en/activity.ts and words/ro/activity.ts.',
    ).toEqual([])
})

it('shows how many hours there are', () => {
  const [one, two] = [[{ days: [1] }], [{ days: [1] }, { days: [2] }]]
  expect(changes({ schedules: { from: one, to: two } })).toEqual([
    { field: 'Hours', from: '1 schedule', to: '2 schedules' },
  ])
})

it('shows what else an entry contains', () => {
  const details = { accesses: ['Yard', 'Barrier'], expiresAt: null }
  expect(sayNotes({ details }, reader)).toEqual(['Gates: Yard, Barrier'])
  expect(sayNotes({ details: { deviceName: 'Yard', actorId: 'key_1' } }, reader)).toEqual(['Gate: Yard'])
})
