// The OpenAPI 3.1 document, generated from the table of operations.

import type { TSchema } from 'typebox'
import { isConditionalRead, type OperationShape, tags } from '../rest/operation.ts'
import { type OperationId, operations } from '../rest/operations.ts'
import { type ProblemCode, problemCodes } from '../rest/problem.ts'
import { problemExamples } from '../rest/problemExamples.ts'
import { rateLimits } from '../rest/rateLimits.ts'
import { isIdempotent, problemAnswers, successAnswers } from './openapiAnswers.ts'
import { answerHeaders, type RequestHeader, requestHeaders } from './openapiHeaders.ts'
import { type Json, namedSchemas, requestSchema } from './openapiSchemas.ts'
import { webhookRequests } from './openapiWebhooks.ts'

/** The parts that the example of any operation has. */
interface Example {
  readonly params: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly answers: object
}

/**
 * Scalar fills in a parameter from its example and sends it, so only required parameters have an example. For a list of words
 * it would send the first word; an example with `x-disabled` prevents that.
 */
function unsentExample(words: unknown): Json {
  return Array.isArray(words) ? { examples: { first: { value: words[0], 'x-disabled': true } } } : {}
}

interface Fields {
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: readonly string[]
}

/** The parameters of one operation. */
export function parametersOf(operation: OperationShape, example: Omit<Example, 'answers'>): Json[] {
  const of = (place: 'path' | 'query', schema: TSchema | undefined) => {
    const { properties = {}, required: named = [] }: Fields = schema ? requestSchema(schema) : {}
    const examples = place === 'path' ? example.params : example.query
    return Object.entries(properties).map(([name, { description, examples: _, ...property }]) => {
      // The validator fills in a default, so such a field need not be sent.
      const required = named.includes(name) && property['default'] === undefined
      return {
        name,
        in: place,
        required,
        ...(description !== undefined && { description }),
        schema: property,
        ...(required ? { example: examples?.[name] } : unsentExample(property['enum'])),
      }
    })
  }
  const headers: RequestHeader[] = []
  if (isIdempotent(operation)) headers.push('IdempotencyKey')
  if (operation.problems.includes('precondition_failed')) headers.push('IfMatch')
  if (isConditionalRead(operation)) headers.push('IfNoneMatch')
  if (operation.rateClass === 'open') headers.push('Prefer')
  if (operation.isStream) headers.push('LastEventId')
  return [
    ...of('path', operation.params),
    ...of('query', operation.query),
    ...headers.map(name => ({ $ref: `#/components/parameters/${name}` })),
  ]
}

function describe({ rateClass, scope, text }: OperationShape): string {
  const { name, requests } = rateLimits[rateClass]
  return [
    text,
    `${scope === 'any' ? 'Any scope.' : `Scope \`${scope}\`.`} Rate \`${name}\`: ${requests} a minute.`,
  ]
    .filter(text => text !== '')
    .join('\n\n')
}

function operationObject(id: OperationId, responses: Map<string, Json>): Json {
  const operation: OperationShape = operations[id]
  const example: Example = operations[id].example
  const given = parametersOf(operation, example)
  const { body, scope } = operation
  return {
    operationId: id,
    tags: [operation.tag],
    summary: operation.summary,
    description: describe(operation),
    // The lists stay empty, since many tools read their items as OAuth scopes.
    security: [{ bearer: [] }, { apiKeyHeader: [] }],
    'x-scope': scope,
    'x-rate-class': rateLimits[operation.rateClass].name,
    ...(operation.extension && { 'x-extension': true }),
    ...(given.length > 0 && { parameters: given }),
    ...(body && {
      requestBody: {
        required: !operation.bodyOptional,
        content: { 'application/json': { schema: requestSchema(body), example: example.body } },
      },
    }),
    responses: {
      ...successAnswers(operation, example.answers),
      ...problemAnswers(operation, responses),
    },
  }
}

function problemExampleObjects(codes: readonly ProblemCode[]): Json {
  return Object.fromEntries(
    codes.map(code => [code, { summary: problemCodes[code].meaning, value: problemExamples[code] }]),
  )
}

/** The document. `appUrl` is the address that integrators call, without a trailing slash. */
export function openApiDocument(appUrl: string): Json {
  const paths: Record<string, Json> = {}
  const responses = new Map<string, Json>()
  for (const id of Object.keys(operations) as OperationId[]) {
    const path = operations[id].path.replace(/:(\w+)/g, '{$1}')
    const method = operations[id].method.toLowerCase()
    paths[path] = { ...paths[path], [method]: operationObject(id, responses) }
  }
  // No operation answers 405.
  const codes = (Object.keys(problemCodes) as ProblemCode[]).filter(code => code !== 'method_not_allowed')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Callgate',
      version: '1',
      summary: 'Manage gates that open when their number is called.',
      description:
        'A Space has gates, members with their accesses, openings and a record of its administrative actions. Each API key belongs to one Space and reaches nothing else. Within v1 only additions are made: ignore members and values that you do not know.',
      contact: { name: 'The operator of this service', url: `${appUrl}/docs` },
      license: { name: 'All rights reserved', identifier: 'LicenseRef-Callgate' },
    },
    externalDocs: { description: 'The documentation', url: `${appUrl}/docs` },
    servers: [{ url: appUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhookRequests(),
    components: {
      schemas: namedSchemas(),
      responses: Object.fromEntries(responses),
      parameters: requestHeaders,
      examples: problemExampleObjects(codes),
      headers: answerHeaders,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The API key: `Authorization: Bearer svc_live_…`, or `svc_test_…` in a sandbox. Preferred.',
        },
        apiKeyHeader: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'The API key, where Authorization cannot be set.',
        },
      },
    },
  }
}
