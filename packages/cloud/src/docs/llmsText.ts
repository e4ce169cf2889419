// llms.txt: the documentation for language models (https://llmstxt.org).

import type { Page } from './docPages.ts'
import { type OpenApi, routesOf } from './openApi.ts'
import { hrefOfOperation } from './reference.ts'

/** The text, with absolute addresses. */
export function llmsText(document: OpenApi, pages: readonly Page[]): string {
  const { info } = document
  const base = document.servers[0]?.url ?? ''
  const operations = routesOf(document).map(
    route =>
      `- [${route.method} ${route.path}](${base}${hrefOfOperation(route)}): ${route.operation.summary}`,
  )
  return `# ${info.title}

> ${info.summary} ${info.description}

Send the API key as \`Authorization: Bearer <key>\`. Opening a gate moves something heavy: never open one that nobody asked
for, send an Idempotency-Key with every open, and never repeat an opening whose failure says \`safeToRetry: false\`.

## Documentation

- [OpenAPI 3.1](${base}/api/v1/openapi.json): every operation, schema, error and example
${pages.map(({ name, title }) => `- [${title}](${base}/docs/${name}.md)`).join('\n')}
- [Schedule vectors](${base}/docs/schedule-vectors.json): instants and whether a schedule allows them

## Operations

${operations.join('\n')}
`
}
