// Checks JSON that a person wrote: every problem names its field and the right form; this is the simulator's only import of ajv.

import { Ajv2020 as Ajv, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import Type, { type Static, type TProperties, type TSchema } from 'typebox'

export type ReadResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string }

// The description of a schema ends the message about a wrong value: `seed must be a whole number from 0 to 9`.

/** A number as it is dialled or shown: digits, with or without a leading +. */
export const phoneNumber = Type.String({
  pattern: '^\\+?[0-9]{3,15}$',
  description: 'text like +40722000001',
})

/** The sender of a message: a number, or a name of at most 11 letters, as companies use it. */
export const sender = Type.String({
  pattern: '^(\\+?[0-9]{3,15}|[A-Za-z][A-Za-z0-9 .&-]{0,10})$',
  description: 'text like +40722000001, or a name like Gate of at most 11 letters',
})

/** A number as ATD takes it; the network connects no others. */
export const dialledNumber = Type.String({
  pattern: '^\\+[1-9][0-9]{6,14}$',
  description: 'a number as it is dialled, like +40722000001',
})

export const flag = Type.Boolean({ description: 'true or false' })

export function text(maxLength: number) {
  return Type.String({ maxLength, description: `text of at most ${maxLength} characters` })
}

export function wholeNumber(minimum: number, maximum: number) {
  return Type.Integer({ minimum, maximum, description: `a whole number from ${minimum} to ${maximum}` })
}

/** One of those words. */
export function word<const Word extends string>(...words: readonly Word[]) {
  return Type.Unsafe<Word>({ type: 'string', enum: words, description: `one of ${words.join(', ')}` })
}

export function listOf<Item extends TSchema>(item: Item, maxItems: number) {
  return Type.Array(item, { maxItems, description: `a list of at most ${maxItems}` })
}

/** An object with these fields and no other. */
export function objectOf<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false, description: 'an object' })
}

/** One of the objects, which all have `field`: its value selects the object. */
export function oneByField<Any>(field: string, forms: Readonly<Record<string, TProperties>>) {
  const names = Object.keys(forms)
  return Type.Unsafe<Any>({
    type: 'object',
    description: 'an object',
    discriminator: { propertyName: field },
    oneOf: names.map(name => objectOf({ [field]: word(name), ...forms[name] })),
    // For the message; the validator takes the words from the objects.
    properties: { [field]: { description: `one of ${names.join(', ')}` } },
  })
}

const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, discriminator: true })

const maxProblems = 20

/** `/gates/0/farEnd` in the notation of a person: `gates[0].farEnd`. */
function fieldName(pointer: string, member?: unknown): string {
  const steps = pointer.split('/').slice(1)
  return [...steps, ...(member === undefined ? [] : [String(member)])].reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step),
    '',
  )
}

/** The message for one failure of ajv. */
function sentence({ instancePath, keyword, params, parentSchema }: ErrorObject): string {
  const { description, properties = {} } = parentSchema ?? {}
  switch (keyword) {
    case 'required':
      return `${fieldName(instancePath, params['missingProperty'])} is missing`
    case 'additionalProperties': {
      const known = Object.keys(properties).join(', ') || 'none'
      return `${fieldName(instancePath, params['additionalProperty'])} is not known; known are ${known}`
    }
    case 'discriminator':
      return `${fieldName(instancePath, params['tag'])} must be ${properties[params['tag']].description}`
    default:
      return `${fieldName(instancePath) || 'the whole'} must be ${description}`
  }
}

/** Problems as one message, a line each; undefined when there is none. */
function messageOf(problems: readonly string[]): string | undefined {
  return problems.length === 0 ? undefined : [...new Set(problems)].slice(0, maxProblems).join('\n')
}

/** Checks the form of a value, and then with `wrong` its fields together. `wrong` gives a sentence for each problem. */
export function checker<Schema extends TSchema>(
  schema: Schema,
  wrong: (value: Static<Schema>) => readonly string[] = () => [],
): (value: unknown) => ReadResult<Static<Schema>> {
  let compiled: ValidateFunction<Static<Schema>> | undefined
  return value => {
    compiled ??= ajv.compile<Static<Schema>>(schema)
    const message = messageOf(compiled(value) ? wrong(value) : (compiled.errors ?? []).map(sentence))
    return message === undefined ? { ok: true, value: value as Static<Schema> } : { ok: false, message }
  }
}
