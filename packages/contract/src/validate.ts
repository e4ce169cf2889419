// Validators: made once from the schemas; the only file that imports ajv.

import { Ajv2020 as Ajv, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import Type, { type Static, type TSchema } from 'typebox'
import { type Said, sayRefusal } from './app/refusals.ts'
import { shortened } from './longLists.ts'
import type { Refusal } from './rest/problem.ts'
import {
  Ack,
  Beat,
  Claim,
  Envelope,
  Grant,
  Hint,
  KeyStatement,
  maxMessageBytes,
  Report,
} from './wire/messages.ts'
import { Task, TaskReport } from './wire/tasks.ts'
import type { DownKind, UpKind } from './wire/topics.ts'

const ajv = new Ajv({
  allErrors: true,
  useDefaults: true,
  strict: true,
  allowUnionTypes: true,
  // Each error then has its schema, whose examples the message shows.
  verbose: true,
  // Checks a schedule against the schema of its type only.
  discriminator: true,
})
const addFormats = addFormatsModule as unknown as (target: Ajv) => void
addFormats(ajv)
// Only the OpenAPI document uses this keyword.
ajv.addKeyword('x-grows')
// Trims a text. Refuses broken Unicode, which Postgres cannot store, and invisible text where the keyword is `visible`.
ajv.addKeyword({
  keyword: 'x-text',
  type: 'string',
  schemaType: 'string',
  modifying: true,
  before: 'maxLength',
  validate: function readText(
    kind: 'any' | 'visible',
    text: string,
    _schema: unknown,
    place?: {
      parentData: Record<string | number, unknown>
      parentDataProperty: string | number
    },
  ) {
    const trimmed = text.trim()
    if (place?.parentData) place.parentData[place.parentDataProperty] = trimmed
    const isVisible = kind !== 'visible' || trimmed === '' || /[^\p{Cf}\p{Z}]/u.test(trimmed)
    return isVisible && !/\p{Cs}/u.test(trimmed)
  },
})

/** A value that does not fit its schema. */
export interface Unfit {
  readonly ok: false
  readonly message: string
  /** The whole message as refusals, which the dashboard translates; absent where a part of it has none. */
  readonly refusals?: readonly Refusal[]
}
export type Checked<T> = { readonly ok: true; readonly value: T } | Unfit
export type Check<Schema extends TSchema> = (value: unknown) => Checked<Static<Schema>>

/** A message shows at most this many code points of a field name that a client sent. */
const shownLength = 64

/** A field name as a message shows it: shortened, since a client can send any text as a name. */
export function shownName(name: string): string {
  // A code point has at most two UTF-16 units. So the beginning suffices, and a long name is not split whole.
  const start = [...name.slice(0, 2 * shownLength + 2)]
  return start.length > shownLength ? `${start.slice(0, shownLength).join('')}…` : name
}

/** The steps to a field as a person writes them: `accesses[0].gateId`. */
export function fieldPath(steps: readonly string[]): string {
  return steps.reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step),
    '',
  )
}

/** `/accesses/0/gateId` as a person writes it: `accesses[0].gateId`. */
function fieldName(pointer: string, member?: string): string {
  const steps = pointer.split('/').slice(1)
  return fieldPath(member === undefined ? steps : [...steps, shownName(member)])
}

/** The description of a schema, in brackets. */
function remarkOf({ description }: ErrorObject['parentSchema'] = {}): string {
  return description === undefined ? '' : ` (${description})`
}

/** The message of a fault. It has no refusal where no person types such a value. */
type SaidFault = Pick<Said, 'message'> & Partial<Said>

/** The message for a text of the wrong form, with an example where the schema has one. */
function rightForm(field: string, schema: ErrorObject['parentSchema'] = {}): SaidFault {
  const { examples } = schema
  if (!Array.isArray(examples)) return sayRefusal('field_form', { field })
  return sayRefusal('field_like', { field, example: JSON.stringify(examples[0]), remark: remarkOf(schema) })
}

/** The message where the member `type`, which selects the schema, is missing or unknown. */
function sayType({ params, parentSchema }: ErrorObject, field: string): string {
  const branches = (parentSchema?.['oneOf'] ?? []) as { properties: { type: { enum: string[] } } }[]
  const types = branches.flatMap(({ properties }) => properties.type.enum)
  return params['tagValue'] === undefined
    ? `${field}.type is required`
    : `${field}.type must be one of ${types.join(', ')}`
}

/** Whether the member may only be null, because an object of this `type` does not have it. */
function isRefusedMember({ keyword, parentSchema }: ErrorObject): boolean {
  return keyword === 'type' && parentSchema?.['type'] === 'null' && parentSchema['description'] !== undefined
}

/** The message for one error of ajv. It says what the right value is. */
function sayFault(error: ErrorObject, whole: string): SaidFault {
  const params = error.params as Record<string, unknown>
  const field = fieldName(error.instancePath) || whole
  const member = (name: unknown) => fieldName(error.instancePath, String(name))
  const limit = Number(params['limit'])
  switch (error.keyword) {
    case 'additionalProperties':
      return { message: `${member(params['additionalProperty'])} is not a known field` }
    case 'required':
      return sayRefusal('field_missing', { field: member(params['missingProperty']) })
    case 'enum':
      return sayRefusal('field_words', { field, words: (params['allowedValues'] as unknown[]).join(', ') })
    case 'minLength':
      return sayRefusal('field_short', { field, least: limit })
    case 'maxLength':
      return sayRefusal('field_long', { field, most: limit })
    case 'x-text':
      return sayRefusal('field_unreadable', { field })
    case 'pattern':
      if (error.parentSchema?.['x-text'] !== undefined) return sayRefusal('field_unreadable', { field })
      return rightForm(field, error.parentSchema)
    case 'not':
      return sayRefusal('field_link', { field })
    case 'discriminator':
      return { message: sayType(error, field) }
    case 'type':
      if (isRefusedMember(error))
        return { message: `${field} must be left out${remarkOf(error.parentSchema)}` }
      return sayRefusal('field_type', { field, type: String(params['type']).split(',').join(' or ') })
    case 'format':
      return rightForm(field, error.parentSchema)
    case 'minItems':
      return sayRefusal('field_few', { field, least: limit, remark: remarkOf(error.parentSchema) })
    case 'maxItems':
      return sayRefusal('field_many', { field, most: limit })
    case 'propertyNames':
      return { message: `${field}: ${error.parentSchema?.['propertyNames'].description}` }
    case 'minimum':
      return sayRefusal('field_small', { field, least: limit })
    case 'maximum':
      return sayRefusal('field_large', { field, most: limit })
    default:
      return { message: `${field} ${error.message ?? 'is not valid'}` }
  }
}

/** One thing that is wrong with a value. */
export interface Fault {
  /** The path from the whole value to the member: names, and indexes of lists. */
  readonly steps: readonly string[]
  /** Names the member and says what would be right. */
  readonly sentence: string
  /** The same as refusals, which the dashboard translates. */
  readonly refusals?: readonly Refusal[]
}

/** The path to the member that an error of ajv is about. The member may be missing or unknown. */
function stepsOf({ instancePath, params }: ErrorObject): string[] {
  const member: unknown = params['additionalProperty'] ?? params['missingProperty']
  return [...instancePath.split('/').slice(1), ...(member === undefined ? [] : [String(member)])]
}

/** The errors of ajv as faults, each once. The two alternatives of a nullable field give one fault. */
function faultsOf(errors: readonly ErrorObject[], whole: string): Fault[] {
  // What is wrong with the name of a member is told by `propertyNames`.
  const told = errors.filter(
    error => error.propertyName === undefined && !['anyOf', 'oneOf', 'const'].includes(error.keyword),
  )
  const isNullMissed = (error: ErrorObject) =>
    error.keyword === 'type' && error.params['type'] === 'null' && !isRefusedMember(error)
  const nullable = new Set(told.filter(isNullMissed).map(({ instancePath }) => instancePath))
  const besideNull = told.filter(error => !isNullMissed(error))
  const faults = (besideNull.length > 0 ? besideNull : errors).map(error => {
    const orNull = error.keyword === 'type' && nullable.has(error.instancePath) ? ' or null' : ''
    const { message, refusals } = sayFault(error, whole)
    return { steps: stepsOf(error), sentence: message + orNull, ...(refusals && { refusals }) }
  })
  return [...new Map(faults.map(fault => [fault.sentence, fault])).values()]
}

/**
 * Makes a function that finds the faults of a value by `schema`, one for each mistake. It trims texts and fills in defaults in
 * place. `whole` is what a sentence calls the value itself.
 */
export function faultFinder(schema: TSchema, whole: string): (value: unknown) => readonly Fault[] {
  // Compiled at the first use: most processes use few of the schemas, and compiling all would cost start time and memory.
  let compiled: ValidateFunction<unknown> | undefined
  return value => {
    compiled ??= ajv.compile(schema)
    return compiled(shortened(schema, value)) ? [] : faultsOf(compiled.errors ?? [], whole)
  }
}

/** A validator for `schema`, as `faultFinder` is. Its refusal names the fields and what would be right. */
export function checker<Schema extends TSchema>(schema: Schema, whole: string): Check<Schema> {
  const find = faultFinder(schema, whole)
  return value => {
    const faults = find(value)
    return faults.length === 0 ? { ok: true, value: value as Static<Schema> } : unfit(faults)
  }
}

/** The refusal of a value with these faults, of which it says the first five. */
export function unfit(faults: readonly Fault[]): Unfit {
  const said = faults.slice(0, 5)
  const refusals = said.flatMap(fault => fault.refusals ?? [])
  const message = said.map(({ sentence }) => sentence).join('; ')
  return { ok: false, message, ...(refusals.length === said.length && { refusals }) }
}

const checkEnvelope = checker(Envelope, 'the message')

const bodies = {
  claim: checker(Claim, 'the claim'),
  grant: checker(Grant, 'the grant'),
  report: checker(Report, 'the report'),
  ack: checker(Type.Union([Ack, KeyStatement]), 'the ack'),
  beat: checker(Beat, 'the beat'),
  task: checker(Task, 'the task'),
  told: checker(TaskReport, 'the answer to a task'),
} as const

function parseJson(text: string): Checked<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, message: 'not JSON' }
  }
}

function parse<T>(text: string, check: (value: unknown) => Checked<T>): Checked<T> {
  if (text.length > maxMessageBytes) return { ok: false, message: `larger than ${maxMessageBytes} bytes` }
  const json = parseJson(text)
  return json.ok ? check(json.value) : json
}

/** Node and browsers have `TextDecoder`. A byte order mark is kept, so that a text with one is not JSON. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Reads the envelope of a signed message. Check its signature next (`isSignedBy`), then read its body (`readBody`). */
export function readEnvelope(payload: Uint8Array): Checked<Envelope> {
  if (payload.byteLength > maxMessageBytes)
    return { ok: false, message: `larger than ${maxMessageBytes} bytes` }
  return parse(utf8.decode(payload), checkEnvelope)
}

const checkHint = checker(Hint, 'the hint')

export function readHint(payload: Uint8Array): Checked<Hint> {
  if (payload.byteLength > maxMessageBytes)
    return { ok: false, message: `larger than ${maxMessageBytes} bytes` }
  return parse(utf8.decode(payload), checkHint)
}

type BodyOf<Kind extends keyof typeof bodies> = Extract<
  ReturnType<(typeof bodies)[Kind]>,
  { ok: true }
>['value']

/** Reads the body of an envelope whose signature is valid. An envelope of another type is refused. */
export function readBody<Kind extends keyof typeof bodies>(
  envelope: Envelope,
  kind: Kind,
): Checked<BodyOf<Kind>> {
  if (envelope.type !== kind) return { ok: false, message: `a ${envelope.type} where a ${kind} belongs` }
  return parse(envelope.body, bodies[kind] as (value: unknown) => Checked<BodyOf<Kind>>)
}

/**
 * Compiles the validators for messages of these kinds, at the start of a process. Otherwise the first message of a kind would
 * wait for it: up to 40 ms for a grant.
 */
export function prepareToRead(kinds: readonly (UpKind | DownKind)[]): void {
  const checks = { ...bodies, hint: checkHint }
  checkEnvelope({})
  for (const kind of kinds) checks[kind]({})
}
