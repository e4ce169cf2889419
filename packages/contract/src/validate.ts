// Validators: made once from the schemas; the only file that imports ajv.

import { Ajv2020 as Ajv, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import type { Static, TSchema } from 'typebox'
import { Ack, Beat, Claim, Envelope, Grant, Hint, maxMessageBytes, Report } from './wire/messages.ts'

const ajv = new Ajv({
  allErrors: true,
  useDefaults: true,
  strict: true,
  allowUnionTypes: true,
  // Errors hold their schema, whose examples say what would be right.
  verbose: true,
})
const addFormats = addFormatsModule as unknown as (target: Ajv) => void
addFormats(ajv)
ajv.addKeyword({
  keyword: 'x-trim',
  type: 'string',
  schemaType: 'boolean',
  modifying: true,
  before: 'maxLength',
  errors: false,
  validate: function trim(
    _on: boolean,
    text: string,
    _schema: unknown,
    place?: {
      parentData: Record<string | number, unknown>
      parentDataProperty: string | number
    },
  ) {
    if (place?.parentData) place.parentData[place.parentDataProperty] = text.trim()
    return true
  },
})

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string }
export type Check<Schema extends TSchema> = (value: unknown) => Checked<Static<Schema>>

/** The most code points of a client's own name that a message shows. */
const shownLength = 64

/** A name as a message shows it, since a client can send any text as a name. */
export function shownName(name: string): string {
  // A code point has two units of the text at most, so a long name is not taken apart whole.
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

/** The form that a text should have, for a text that breaks its schema. */
function rightForm({ description, examples }: ErrorObject['parentSchema'] = {}): string {
  if (!Array.isArray(examples)) return 'has not the right form'
  const remark = description === undefined ? '' : ` (${description})`
  return `must be like ${JSON.stringify(examples[0])}${remark}`
}

/** What the right value is, for one failure of ajv. */
function sentence(error: ErrorObject, whole: string): string {
  const params = error.params as Record<string, unknown>
  const field = fieldName(error.instancePath) || whole
  switch (error.keyword) {
    case 'additionalProperties':
      return `${fieldName(error.instancePath, String(params['additionalProperty']))} is not a known field`
    case 'required':
      return `${fieldName(error.instancePath, String(params['missingProperty']))} is required`
    case 'enum':
      return `${field} must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`
    case 'minLength':
      return `${field} must have at least ${params['limit']} character${params['limit'] === 1 ? '' : 's'}`
    case 'maxLength':
      return `${field} must have at most ${params['limit']} characters`
    case 'pattern':
      return String(params['pattern']).includes('\\p{Cc}')
        ? `${field} must be visible text without control characters, direction marks or broken Unicode`
        : `${field} ${rightForm(error.parentSchema)}`
    case 'not':
      return `${field} must not hold :// or www., since mails print it`
    case 'type':
      return `${field} must be ${String(params['type']).split(',').join(' or ')}`
    case 'format':
      return `${field} ${rightForm(error.parentSchema)}`
    case 'minItems':
      return `${field} must have at least ${params['limit']} item${params['limit'] === 1 ? '' : 's'}`
    case 'maxItems':
      return `${field} must have at most ${params['limit']} items`
    case 'minimum':
      return `${field} must be at least ${params['limit']}`
    case 'maximum':
      return `${field} must be at most ${params['limit']}`
    default:
      return `${field} ${error.message ?? 'is not valid'}`
  }
}

/** The failures as one message; the alternatives of a nullable field count as one. */
function explain(errors: readonly ErrorObject[], whole: string): string {
  const told = errors.filter(
    error => error.keyword !== 'anyOf' && error.keyword !== 'oneOf' && error.keyword !== 'const',
  )
  const isNullMissed = ({ keyword, params }: ErrorObject) => keyword === 'type' && params['type'] === 'null'
  const nullable = new Set(told.filter(isNullMissed).map(({ instancePath }) => instancePath))
  const besideNull = told.filter(error => !isNullMissed(error))
  const sentences = new Set(
    (besideNull.length > 0 ? besideNull : errors).map(error => {
      const orNull = error.keyword === 'type' && nullable.has(error.instancePath) ? ' or null' : ''
      return sentence(error, whole) + orNull
    }),
  )
  return [...sentences].slice(0, 5).join('; ')
}

/**
 * A validator for `schema`. It trims texts and fills in defaults in place; a refusal names the fields and what would
 * be right. `whole` is what the message calls the value itself.
 */
export function checker<Schema extends TSchema>(schema: Schema, whole: string): Check<Schema> {
  // Compiled when first asked: most processes use a few of the schemas, and compiling all costs start and memory.
  let compiled: ValidateFunction<unknown> | undefined
  return value => {
    compiled ??= ajv.compile(schema)
    return compiled(value)
      ? { ok: true, value: value as Static<Schema> }
      : { ok: false, message: explain(compiled.errors ?? [], whole) }
  }
}

const checkEnvelope = checker(Envelope, 'the message')

const bodies = {
  claim: checker(Claim, 'the claim'),
  grant: checker(Grant, 'the grant'),
  report: checker(Report, 'the report'),
  ack: checker(Ack, 'the ack'),
  beat: checker(Beat, 'the beat'),
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

/** Reads a signed message's envelope. Its signature is still to be checked (`isSignedBy`), then its body (`readBody`). */
export function readEnvelope(payload: Uint8Array): Checked<Envelope> {
  if (payload.byteLength > maxMessageBytes)
    return { ok: false, message: `larger than ${maxMessageBytes} bytes` }
  return parse(Buffer.from(payload).toString('utf8'), checkEnvelope)
}

const checkHint = checker(Hint, 'the hint')

export function readHint(payload: Uint8Array): Checked<Hint> {
  if (payload.byteLength > maxMessageBytes)
    return { ok: false, message: `larger than ${maxMessageBytes} bytes` }
  return parse(Buffer.from(payload).toString('utf8'), checkHint)
}

type BodyOf<Kind extends keyof typeof bodies> = Extract<
  ReturnType<(typeof bodies)[Kind]>,
  { ok: true }
>['value']

/** Reads the body of an envelope whose signature holds. An envelope of another type is refused. */
export function readBody<Kind extends keyof typeof bodies>(
  envelope: Envelope,
  kind: Kind,
): Checked<BodyOf<Kind>> {
  if (envelope.type !== kind) return { ok: false, message: `a ${envelope.type} where a ${kind} belongs` }
  return parse(envelope.body, bodies[kind] as (value: unknown) => Checked<BodyOf<Kind>>)
}
