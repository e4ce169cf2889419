// The parts of the OpenAPI document that our own pages read.

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
}

interface Schema {
  readonly description?: string
  readonly properties?: object
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly summary: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** An operation with its method and path. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** All operations, in the order of the document. */
export function routesOf({ paths }: OpenApi): Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}
