// Arbitraries for values that fit a schema of the contract; the name of a field adds what the schema does not contain.

import * as fc from 'fast-check'

/** The part of JSON Schema that the contract uses. */
interface Shape {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly 'x-text'?: string
}

/** A placeholder in a body or a path for an id of the Space. It is replaced when the request is sent. */
export const placeholder = (param: string, index: number) => `@${param}:${index}@`

const number = fc.integer({ min: 0, max: 99_999 }).map(n => `+40722${String(n).padStart(5, '0')}`)
const line = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 }).filter(text => text.trim() !== ''),
  fc.constantFrom(
    'Poarta Nord',
    'Élodie',
    '😀',
    '门',
    'a\u0301',
    '__proto__',
    '<b>',
    "' or 1=1 --",
    '{{x}}',
    'booking.com',
  ),
)
const time = fc.constantFrom('2026-12-24T08:00:00+02:00', '2026-03-29T03:30', '2026-10-25T01:00:00Z')

/** The limits of a history's times. Those of a time window are in `schedules`. */
const instant = fc.constantFrom(
  '2026-01-01T00:00:00Z',
  '2026-01-05T10:00:00.123456+02:00',
  '2026-06-30T23:59:60Z',
)

/** The API must never store a number with one of these prefixes, however many digits follow. */
export const refusedPrefixes = [
  '+49900',
  '+39899',
  '+41900',
  '+31906',
  '+358600',
  '+4470',
  '+44118118',
  '+1212976',
  '+4090',
] as const

const refusedNumber = fc
  .tuple(fc.constantFrom(...refusedPrefixes), fc.nat(9_999_999))
  .map(([prefix, digits]) => `${prefix}${digits}`)

const byName: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  phoneNumber: fc.oneof(
    number,
    number.map(text => text.replace('+40', '0')),
    number.map(text => text.replace('+', '00 ')),
    refusedNumber,
  ),
  gateId: fc.nat(9).map(index => placeholder('gateId', index)),
  memberId: fc.nat(9).map(index => placeholder('memberId', index)),
  from: instant,
  to: instant.map(text => text.replace('2026', '2027')),
  email: fc.oneof(
    fc.nat(999).map(n => `ana${n}@example.com`),
    fc.constantFrom('o.k+1@sub.example.org', null),
  ),
  timezone: fc.constantFrom('Europe/Bucharest', 'America/New_York', 'Asia/Kathmandu', 'UTC'),
  startsAt: time,
  expiresAt: time.map(text => text.replace('2026', '2027')),
  cursor: fc.constantFrom('', '', 'eyJ9'),
  schedules: fc.array(
    fc.oneof(
      fc.constant({ type: 'always' }),
      fc.record({ type: fc.constantFrom('weekdays', 'weekends'), timezone: fc.constant('Europe/London') }),
      fc.record({
        type: fc.constant('custom'),
        daysOfWeek: fc.array(fc.nat(6), { minLength: 1, maxLength: 9 }),
        timeWindows: fc.constant([{ from: '22:00', to: '06:00' }]),
      }),
      fc.record({ type: fc.constant('one-shot'), startsAt: time }),
    ),
    { minLength: 1, maxLength: 4 },
  ),
}

function textOf({ maxLength = 100, minLength = 0, pattern, 'x-text': text }: Shape): fc.Arbitrary<string> {
  if (pattern !== undefined && text === undefined) return fc.stringMatching(new RegExp(pattern))
  const fits = line.map(text => [...text].slice(0, maxLength).join(''))
  return minLength > 0 ? fits : fc.oneof(fits, fc.constant(''))
}

/** Values that fit `shape`, the schema of the field `name`. */
export function valuesOf(shape: Shape, name = ''): fc.Arbitrary<unknown> {
  const known = byName[name]
  if (known) return known
  if (shape.enum) return fc.constantFrom(...shape.enum)
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map(option => valuesOf(option, name)))
  if (shape.type === 'object') return objectsOf(shape)
  if (shape.type === 'array') {
    const { items = {}, maxItems = 5, minItems = 0 } = shape
    return fc.array(valuesOf(items), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) })
  }
  if (shape.type === 'integer')
    return fc.integer({ min: shape.minimum ?? -10, max: shape.maximum ?? 1_000_000 })
  if (shape.type === 'boolean') return fc.boolean()
  return shape.type === 'null' ? fc.constant(null) : textOf(shape)
}

/** Objects with every required field and some of the others. */
export function objectsOf({ properties = {}, required = [] }: Shape): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, shape]) => [name, valuesOf(shape, name)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required], noNullPrototype: true })
}
