// The OpenAPI 3.1 document, generated from the table of operations.

import type { TSchema } from 'typebox'
import { commonProblems, type OperationShape, operations } from './operations.ts'
import { OpenFailedBody, ProblemBody, type ProblemCode, problemCodes } from './problem.ts'

type Json = Record<string, unknown>

const internalKeywords = new Set(['x-trim'])

/** A schema without what only our validators read. */
function published(schema: TSchema): Json {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (internalKeywords.has(key) ? undefined : value)),
  ) as Json
}

const content = (schema: Json) => ({ 'application/json': { schema } })

function parameters(operation: OperationShape): Json[] {
  const of = (place: 'path' | 'query', schema: TSchema | undefined) => {
    if (!schema) return []
    const { properties = {} } = published(schema) as {
      properties?: Record<string, Json>
    }
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: place,
      required: place === 'path',
      ...(typeof property['description'] === 'string' && {
        description: property['description'],
      }),
      schema: property,
    }))
  }
  return [...of('path', operation.params), ...of('query', operation.query)]
}

function problemAnswers(operation: OperationShape): Json {
  const codes = [
    ...new Set([...commonProblems, ...operation.problems, ...(operation.body ? bodyProblems : [])]),
  ]
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of codes) {
    const { status } = problemCodes[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, listed]) => [
      status,
      {
        description: listed.map(code => `\`${code}\`: ${problemCodes[code].meaning}`).join('. '),
        content: content({
          $ref: `#/components/schemas/${listed.includes('open_failed') ? 'OpenFailed' : 'Problem'}`,
        }),
      },
    ]),
  )
}

const bodyProblems: readonly ProblemCode[] = ['payload_too_large', 'unsupported_media_type']

function successAnswers(operation: OperationShape): Json {
  return Object.fromEntries(
    Object.entries(operation.answers).map(([status, schema]) => [
      status,
      schema
        ? {
            description: operation.summary,
            content: content(published(schema)),
          }
        : { description: 'Done; no body' },
    ]),
  )
}

/** The document. `appUrl` is the address that integrators call, without a trailing slash. */
export function openApiDocument(appUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const [operationId, operation] of Object.entries(operations) as [string, OperationShape][]) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    const given = parameters(operation)
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: {
        operationId,
        summary: operation.summary,
        description: `Scope \`${operation.scope}\`.${operation.extension ? ' An extension of the specification.' : ''}`,
        ...(given.length > 0 && { parameters: given }),
        ...(operation.body && {
          requestBody: {
            required: !operation.bodyOptional,
            content: content(published(operation.body)),
          },
        }),
        responses: {
          ...successAnswers(operation),
          ...problemAnswers(operation),
        },
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Callgate',
      version: '1',
      description: 'Manage gates that open when their number is called.',
    },
    servers: [{ url: appUrl }],
    security: [{ bearer: [] }, { apiKeyHeader: [] }],
    paths,
    components: {
      schemas: {
        Problem: published(ProblemBody),
        OpenFailed: published(OpenFailedBody),
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      },
    },
  }
}
