import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { isConditionalRead, type OperationShape } from '../rest/operation.ts'
import { type OperationId, operations } from '../rest/operations.ts'
import { OpenFailedBody, ProblemBody, type ProblemCode, problemCodes } from '../rest/problem.ts'
import { problemExamples } from '../rest/problemExamples.ts'
import { rateLimits } from '../rest/rateLimits.ts'
import { scopes } from '../rest/scope.ts'
import { webhookTypes } from '../rest/webhook.ts'
import { EndedMessage, EventMessage, exampleMessage, mostMessageBytes } from '../rest/webhookMessage.ts'
import { closed, filledIn } from '../text.ts'
import { checker } from '../validate.ts'
import { openApiDocument, parametersOf } from './openapi.ts'
import { problemsOf, unchangedStatus } from './openapiAnswers.ts'
import { answerSchema, requestSchema } from './openapiSchemas.ts'

const ids = Object.keys(operations) as OperationId[]
const shapeOf = (id: OperationId): OperationShape => operations[id]
const document = openApiDocument('https://callgate.test') as unknown as Document

interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly schema: object
  readonly example?: unknown
  readonly examples?: object
}
interface Operation {
  summary?: string
  operationId: string
  tags: string[]
  description: string
  security: Record<string, string[]>[]
  'x-scope': string
  parameters?: (Partial<Parameter> & { $ref?: string })[]
  requestBody?: { required: boolean; content: Record<string, { example: unknown }> }
  responses: Record<
    string,
    { $ref?: string; description?: string; headers?: object; content?: Record<string, { example: unknown }> }
  >
}
interface Document {
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

interface Schema {
  readonly description?: string
  readonly oneOf?: readonly Schema[]
  readonly $ref?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Whether a schema has a description: its own, or through a reference or an alternative. */
function isTold({ $ref, anyOf = [], description }: Schema): boolean {
  return description !== undefined || $ref !== undefined || anyOf.some(isTold)
}

function operationOf(id: OperationId): Operation {
  const found = Object.values(document.paths)
    .flatMap(path => Object.values(path))
    .find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`${id} is not in the document`)
  return found
}

/** The target of a `$ref`; throws where there is none. */
function resolve(ref: string): unknown {
  return ref
    .split('/')
    .slice(1)
    .reduce<unknown>((place, step) => {
      const next = (place as Record<string, unknown>)[step]
      if (next === undefined) throw new Error(`${ref} leads nowhere`)
      return next
    }, document)
}

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' ? [String(member)] : refsIn(member),
  )
}

/** A copy of the example after validation, or what is wrong with it. Examples must be trimmed, as stored texts are. */
function checked(schema: Parameters<typeof checker>[0], example: unknown) {
  const copy = structuredClone(example)
  const read = checker(schema, 'the example')(copy)
  return read.ok ? read.value : read.message
}

it('marks the fields of a query that must be sent, with an example: those that are neither optional nor have a default', () => {
  const query = closed({
    gateId: Type.String(),
    from: Type.Optional(Type.String()),
    limit: filledIn(Type.Integer(), 50),
  })
  const given = parametersOf({ ...shapeOf('listGates'), query }, { params: {}, query: { gateId: 'gate_1' } })
  expect(given).toEqual([
    { name: 'gateId', in: 'query', required: true, schema: { type: 'string' }, example: 'gate_1' },
    { name: 'from', in: 'query', required: false, schema: { type: 'string' } },
    { name: 'limit', in: 'query', required: false, schema: { type: 'integer', default: 50 } },
  ])
})

it('requires no field of a body that has a default', () => {
  const fields = { name: Type.String(), isDryRun: filledIn(Type.Boolean(), false) }
  expect(requestSchema(closed(fields))).toMatchObject({ required: ['name'] })
  expect(answerSchema(closed(fields))).toMatchObject({ required: ['name', 'isDryRun'] })
})

describe.each(ids)('%s', id => {
  const operation = shapeOf(id)
  const example: { params: object; query?: object; body?: unknown; answers: object } = operations[id].example

  it('has no example on a parameter that the reference page would send by itself', () => {
    const { parameters } = document.components
    const own = Object.values(document.paths).flatMap(methods =>
      Object.values(methods).flatMap(({ parameters = [] }) => parameters),
    )
    const all = [
      ...own.filter(({ $ref }) => $ref === undefined),
      ...Object.values(parameters ?? {}),
    ] as Parameter[]
    expect(all.length).toBeGreaterThan(30)
    for (const { example, examples, name, required, schema } of all) {
      expect([name, example !== undefined]).toEqual([name, required])
      expect(JSON.stringify(schema)).not.toContain('"examples"')
      const unsent = { first: { value: expect.any(String), 'x-disabled': true } }
      expect(examples).toEqual('enum' in schema ? unsent : undefined)
    }
  })

  it('has examples that its own schemas accept unchanged', () => {
    if (operation.params) expect(checked(operation.params, example.params)).toEqual(example.params)
    if (operation.query)
      expect(checked(operation.query, example.query ?? {})).toMatchObject(example.query ?? {})
    if (operation.body) expect(checked(operation.body, example.body)).toEqual(example.body)
    const answers = Object.entries(operation.answers)
    expect(Object.keys(example.answers)).toEqual(answers.map(([status]) => status))
    for (const [status, schema] of answers) {
      const answer = (example.answers as Record<string, unknown>)[status]
      expect(schema ? checked(schema, answer) : null).toEqual(answer)
    }
  })

  it('is documented with its scope, rate, examples and every answer', () => {
    const { description, requestBody, responses, security, tags, 'x-scope': scope } = operationOf(id)
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(tags))
    expect(security).toEqual([{ bearer: [] }, { apiKeyHeader: [] }])
    expect(scope).toBe(operation.scope)
    expect(description).toContain(operation.scope === 'any' ? 'Any scope.' : `Scope \`${operation.scope}\``)
    expect(description).toContain(`${rateLimits[operation.rateClass].requests} a minute`)
    expect(Boolean(requestBody)).toBe(Boolean(operation.body))
    if (operation.body) expect(requestBody?.content['application/json']?.example).toEqual(example.body)
    const statuses = [
      ...Object.keys(operation.answers),
      ...(isConditionalRead(operation) ? [String(unchangedStatus)] : []),
      ...problemsOf(operation).map(code => String(problemCodes[code].status)),
      '503',
    ]
    expect(Object.keys(responses).sort()).toEqual([...new Set(statuses)].sort())
    // What an answer is, and not once more what the operation does.
    const { summary } = operationOf(id)
    expect(Object.values(responses).filter(answer => answer.description === summary)).toEqual([])
  })
})

describe.each(webhookTypes)('the webhook %s', type => {
  it('is documented, with an example that its schema accepts', () => {
    const example = exampleMessage(type)
    expect(checked(type === 'opening.ended' ? EndedMessage : EventMessage, example)).toEqual(example)
    expect(Buffer.byteLength(JSON.stringify(example))).toBeLessThan(mostMessageBytes)
    expect(document.webhooks[type]?.post?.requestBody?.content['application/json']?.example).toEqual(example)
  })
})

describe('the document', () => {
  it('says of each type of webhook what no other type means', () => {
    const says = webhookTypes.map(type => document.webhooks[type]?.post?.summary)
    expect(says.filter((sentence, place) => says.indexOf(sentence) !== place)).toEqual([])
  })

  it('has a target for every reference, and no keyword of our validators', () => {
    const refs = refsIn(document)
    expect(refs.length).toBeGreaterThan(100)
    for (const ref of refs) expect(resolve(ref)).toBeTypeOf('object')
    expect(JSON.stringify(document)).not.toMatch(/x-text|x-grows|discriminator/)
  })

  it('names the nouns instead of repeating them', () => {
    const { content } = operationOf('listGates').responses['200'] ?? {}
    expect(content?.['application/json']).toMatchObject({
      schema: { properties: { gates: { items: { $ref: '#/components/schemas/ShownGate' } } } },
    })
    expect(refsIn(document.components['schemas']?.['Member'])).toEqual(['#/components/schemas/Access'])
  })

  it('describes every field and every parameter', () => {
    const silent = (schema: Schema | undefined, place: string): string[] =>
      Object.entries(schema?.properties ?? {}).flatMap(([name, member]) => [
        ...(isTold(member) ? [] : [`${place}.${name}`]),
        ...[member, member.items, ...(member.anyOf ?? []), ...(member.oneOf ?? [])].flatMap(one =>
          silent(one, `${place}.${name}`),
        ),
      ])
    const schemas = Object.entries((document.components['schemas'] ?? {}) as Record<string, Schema>)
    const forms = schemas.flatMap(([name, schema]) =>
      [schema, ...(schema.oneOf ?? [])].map(one => [name, one] as const),
    )
    expect(forms.flatMap(([name, schema]) => silent(schema, name))).toEqual([])
    const parameters = ids.flatMap(id => operationOf(id).parameters ?? [])
    expect(parameters.filter(one => !isTold(one))).toEqual([])
  })

  it('keeps requests closed and leaves answers open', () => {
    const { schemas } = document.components
    expect(schemas?.['GateCreate']).toMatchObject({ additionalProperties: false })
    expect(schemas?.['Gate']).not.toHaveProperty('additionalProperties')
  })

  it('has patterns for every programming language, and none for free text in an answer', () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text = '""']) => String(JSON.parse(text)),
    )
    expect(patterns.length).toBeGreaterThan(20)
    // No Unicode property classes, no lookaround, and no code points above U+FFFF.
    expect(patterns.filter(one => /\\p|\\u\{|\(\?[=!<]/.test(one))).toEqual([])
    const { schemas = {} } = document.components
    expect(schemas['GateCreate']).toHaveProperty(['properties', 'name', 'pattern'])
    expect(schemas['GateCreate']).toHaveProperty(['properties', 'name', 'maxLength'], 120)
    for (const rule of ['pattern', 'minLength', 'maxLength'])
      for (const noun of ['Gate', 'Member'])
        expect(schemas[noun]).not.toHaveProperty(['properties', 'name', rule])
  })

  it('leaves the words of answers open, except where the specification lists them all', () => {
    const { schemas = {} } = document.components
    const known = (name: string) => [{ $ref: `#/components/schemas/${name}` }, { type: 'string' }]
    expect(schemas['Verdict']).toHaveProperty(['properties', 'reason', 'anyOf'], known('Reason'))
    expect(schemas['OpenFailed']).toHaveProperty(
      ['properties', 'error', 'properties', 'reason', 'anyOf'],
      known('Reason'),
    )
    expect(schemas['OpeningEvidence']).toHaveProperty(
      ['properties', 'reason', 'anyOf'],
      [...known('Reason'), { type: 'null' }],
    )
    expect(schemas['CallProfile']).toHaveProperty(['properties', 'mode', 'anyOf'], known('CallMode'))
    expect(schemas['CallProfileUpdate']).toHaveProperty(
      ['properties', 'mode', '$ref'],
      known('CallMode')[0]?.$ref,
    )
    expect(schemas['OpeningStatus']).toHaveProperty('enum')
  })

  it('gives its answers readable names', () => {
    expect(Object.keys(document.components['responses'] ?? {}).sort()).toEqual([
      'Conflict',
      'Forbidden',
      'ForbiddenOrLimitReached',
      'IdempotencyMismatch',
      'InternalError',
      'NotFound',
      'OpenFailed',
      'PayloadTooLarge',
      'PlanUpgradeRequired',
      'PreconditionFailed',
      'RateLimited',
      'Unauthorized',
      'Unavailable',
      'UnsupportedMediaType',
      'ValidationError',
    ])
  })

  it('has one form of a schedule for each type, with the fields of that type', () => {
    const formsOf = (name: string) =>
      (resolve(`#/components/schemas/${name}`) as { oneOf: { title: string; properties: object }[] }).oneOf
    const types = ['always', 'weekdays', 'weekends', 'custom', 'one-shot']
    for (const name of ['Schedule', 'ScheduleInput']) {
      expect(formsOf(name).map(({ title }) => title)).toEqual(types)
      for (const { properties, title } of formsOf(name))
        expect(properties).toMatchObject({ type: { type: 'string', enum: [title] } })
    }
    const [always] = formsOf('Schedule')
    expect(Object.keys(always?.properties ?? {})).toEqual(['type', 'startsAt', 'expiresAt', 'timezone'])
  })

  it('documents the headers of repeatable, conditional and waiting requests', () => {
    const given = (id: OperationId) =>
      (operationOf(id).parameters ?? []).flatMap(({ $ref }) => ($ref ? [$ref.split('/').at(-1)] : []))
    expect(given('openGate')).toEqual(['IdempotencyKey', 'Prefer'])
    expect(given('updateGate')).toEqual(['IdempotencyKey', 'IfMatch'])
    expect(given('revokeAccess')).toEqual(['IfMatch'])
    expect(given('listGates')).toEqual([])
    expect(given('getGate')).toEqual(['IfNoneMatch'])
  })

  it('documents the headers of the answers', () => {
    const of = (id: OperationId, status: number) => {
      const answer = operationOf(id).responses[status]
      const told = answer?.$ref ? (resolve(answer.$ref) as typeof answer) : answer
      return Object.keys(told?.headers ?? {})
    }
    const always = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']
    expect(of('listGates', 200)).toEqual([...always, 'Link'])
    expect(of('getGate', 200)).toEqual([...always, 'ETag'])
    expect(of('createGate', 201)).toEqual([...always, 'ETag', 'Idempotency-Replayed'])
    expect(of('openGate', 202)).toEqual([...always, 'Preference-Applied', 'Location', 'Idempotency-Replayed'])
    expect(of('listGates', 401)).toEqual(['X-Request-Id', 'WWW-Authenticate'])
    expect(of('listGates', 403)).toEqual([...always, 'WWW-Authenticate'])
    expect(of('listGates', 429)).toEqual([...always, 'Retry-After'])
    expect(of('listGates', 503)).toEqual([...always, 'Retry-After'])
  })

  it('contains every scope', () => {
    // What this one adds is said of the operations on members.
    const others = Object.keys(scopes).filter(scope => scope !== 'members:read_email')
    expect(new Set(ids.map(id => operations[id].scope))).toEqual(new Set([...others, 'any']))
    expect(operationOf('listMembers').description).toContain('members:read_email')
  })
})

describe.each(Object.keys(problemCodes) as ProblemCode[])('the problem %s', code => {
  const example = problemExamples[code]

  it('has an example of its own form', () => {
    expect(example.error.code).toBe(code)
    const schema = code === 'open_failed' ? OpenFailedBody : ProblemBody
    expect(checked(schema, example)).toEqual(example)
  })

  it('is in the document, with its example', () => {
    if (code === 'method_not_allowed') return
    expect(document.components['examples']?.[code]).toMatchObject({ value: example })
    const answers = Object.values(document.components['responses'] ?? {}) as {
      content: Record<string, { examples: object }>
    }[]
    const told = answers.flatMap(({ content }) => Object.keys(content['application/json']?.examples ?? {}))
    expect(told).toContain(code)
  })
})
