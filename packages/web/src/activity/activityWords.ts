// The texts of an entry of the activity, as pure functions: what was done, by whom, and each change from the old to the new
// value.

import type { ActivityAction, ActivityEntry } from '@callgate/contract/rest/activity'
import { keyTexts } from '../settings/keyTexts.ts'
import { sayAllRights } from '../settings/keyWords.ts'
import { sayKeeping } from '../settings/spaceFields.ts'
import { activityTexts } from '../words/activityTexts.ts'
import { textFor } from '../words/known.ts'
import { sayNumber } from '../words/number.ts'
import { sayPerson } from '../words/person.ts'
import { countryName, languageName } from '../words/places.ts'
import { shortDate, type TimeStyle } from '../words/time.ts'
import type { Words } from '../words/words.tsx'

interface Reader {
  readonly words: Words
  readonly times: TimeStyle
}

const isKnown = (action: string, words: Words): action is ActivityAction =>
  Object.hasOwn(activityTexts(words).actions, action)

/** Turns `gate.repainted`, which a newer cloud may send, into `Gate repainted`. */
function readable(action: string): string {
  const text = action.replaceAll(/[._]/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What was done. */
export function sayAction(action: string, { words }: Pick<Reader, 'words'>): string {
  return isKnown(action, words) ? activityTexts(words).actions[action] : readable(action)
}

/** Who did it, and how. */
export function sayActor(
  actor: string,
  { words }: Pick<Reader, 'words'>,
): { readonly name: string; readonly how: string } {
  const says = activityTexts(words)
  if (actor === 'operator') return { name: says.operator, how: says.operatorHow }
  if (actor === 'system') return { name: says.system, how: says.systemHow }
  const [, kind, name] = /^(api|user):(.*)$/s.exec(actor) ?? []
  if (kind === undefined || name === undefined) return { name: actor, how: '' }
  return { name: sayPerson(name, words), how: kind === 'api' ? says.byKey : says.byUser }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** The texts of the values of a field that has only some; undefined for every other field. */
export function valuesOf(field: string, words: Words) {
  const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    mode: words.gate.modeNames,
    numberKnown: words.gate.callers.knownNames,
    role: words.frame.role,
    ...activityTexts(words).values,
  }
  return Object.hasOwn(values, field) ? values[field] : undefined
}

/** The text of one value of a field. */
function sayValue(field: string, value: unknown, { times, words }: Reader): string {
  const says = activityTexts(words)
  if (typeof value === 'number' && field.endsWith('Ms')) return `${secondsOf(value, times.locale)} s`
  if (typeof value === 'string' && value !== '') {
    if (field === 'keepIdentities') return sayKeeping(value, words.space)
    if (field === 'country') return countryName(value, times.locale)
    if (field === 'language') return languageName(value, times.locale)
    const known = textFor(valuesOf(field, words) ?? {}, value)
    if (known !== undefined) return known
  }
  if (value === null || value === undefined || value === '') return says.none
  if (value === '(set)') return says.set
  if (typeof value === 'boolean') return value ? says.yes : says.no
  if (typeof value === 'string')
    return instant.test(value) ? shortDate(value, times) : sayNumber(sayPerson(value, words))
  if (!Array.isArray(value)) return typeof value === 'object' ? says.changed : String(value)
  if (value.length === 0) return says.none
  return value.every(item => typeof item === 'string') ? value.join(', ') : says.schedules(value.length)
}

export interface Change {
  readonly field: string
  readonly from: string
  readonly to: string
}

const sayField = (field: string, { words }: Reader) => textFor(activityTexts(words).fields, field) ?? field

/** `0.75`, `20`. */
const secondsOf = (ms: number, locale: string) =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(ms / 1_000)

type Fields = Readonly<Record<string, unknown>>

/** The two ends of the time in which a gate takes a call. */
const ends = ['reactMinMs', 'reactMaxMs'] as const

/** The change of that time as one line, `0–20 s`; nothing where an end is unknown or none has changed. */
function takenOf(from: Fields, to: Fields, { times, words }: Reader): readonly Change[] {
  const sayOf = (fields: Fields) => {
    const known = ends.map(end => fields[end]).filter(ms => typeof ms === 'number')
    return known.length === ends.length
      ? `${known.map(ms => secondsOf(ms, times.locale)).join('–')} s`
      : undefined
  }
  const [before, after] = [sayOf(from), sayOf(to)]
  if (before === undefined || after === undefined || before === after) return []
  return [{ field: activityTexts(words).takesAfter, from: before, to: after }]
}

/** A change of one field; for an object, the changes of its fields. */
function changesOf(field: string, from: unknown, to: unknown, reader: Reader): readonly Change[] {
  if (isObject(from) && isObject(to)) {
    const taken = takenOf(from, to, reader)
    const isSaid = (name: string) => taken.length > 0 && ends.some(end => end === name)
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
    const differ = names.filter(
      name => JSON.stringify(from[name]) !== JSON.stringify(to[name]) && !isSaid(name),
    )
    return [...differ.flatMap(name => changesOf(name, from[name], to[name], reader)), ...taken]
  }
  const [before, after] = [sayValue(field, from, reader), sayValue(field, to, reader)]
  const isAlike = before === after
  const said = { from: isAlike ? '' : before, to: isAlike ? activityTexts(reader.words).changed : after }
  return [{ field: sayField(field, reader), ...said }]
}

/** The action of such an entry says by itself that its target is active now, or not. */
const isSwitch = (action: string) => action.endsWith('activated')

/** The changes that the action does not say; `from` is empty where both values would read alike. */
export function sayChanges(
  { action, details }: Pick<ActivityEntry, 'action' | 'details'>,
  reader: Reader,
): readonly Change[] {
  const { changes } = details as Readonly<Record<string, unknown>>
  if (!isObject(changes)) return []
  return Object.entries(changes).flatMap(([field, change]) =>
    isObject(change) && !(field === 'isActive' && isSwitch(action))
      ? changesOf(field, change['from'], change['to'], reader)
      : [],
  )
}

const textsIn = (value: unknown) =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : []

/** Within a sentence. */
const small = (text: string, { words }: Reader) =>
  text.charAt(0).toLocaleLowerCase(words.locale) + text.slice(1)

/** The rights of a key: as one phrase where it has nearly all. */
function sayScopes(scopes: readonly string[], reader: Reader): string {
  const names = keyTexts(reader.words).scopes
  const each = scopes.map(scope => small(textFor(names, scope) ?? scope, reader))
  const all = sayAllRights(scopes, reader)
  return all === undefined ? each.join(', ') : small(all, reader)
}

/** The other contents of an entry: the gate, where it is not the target, the gates, the scopes of a key, templates, a role, a version and the result of its update. */
export function sayNotes(
  { details, targetLabel }: Pick<ActivityEntry, 'details' | 'targetLabel'>,
  reader: Reader,
): readonly string[] {
  const { words } = reader
  const says = activityTexts(words)
  const told = details as Readonly<Record<string, unknown>>
  const { deviceName, expiresAt, role, state, version, why } = told
  const ended = typeof state === 'string' ? `: ${textFor(says.updateStates, state) ?? state}` : ''
  const templates = ['added', 'changed', 'removed'].flatMap(kind => textsIn(told[kind]))
  const gates = textsIn(told['accesses'])
  const scopes = textsIn(told['scopes'])
  return [
    typeof deviceName === 'string' && deviceName !== targetLabel ? says.gate(deviceName) : '',
    gates.length > 0 ? says.gates(gates.join(', ')) : '',
    scopes.length > 0 ? says.scopes(sayScopes(scopes, reader)) : '',
    templates.join(', '),
    typeof expiresAt === 'string' ? says.until(shortDate(expiresAt, reader.times)) : '',
    typeof role === 'string' ? says.role(sayValue('role', role, reader)) : '',
    typeof version === 'string' ? `${version}${ended}` : '',
    typeof why === 'string' ? why : '',
  ].filter(note => note !== '')
}
