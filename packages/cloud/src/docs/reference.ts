// The API reference: Scalar over the OpenAPI document, on a page of its own with a policy of its own.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Html, html } from '../text/html.ts'
import { referencePath } from './layout.ts'
import type { Route } from './openApi.ts'
import { referenceTheme } from './stylesheet.ts'

export const referenceScriptPath = '/docs/scalar.js'
export const referenceStartPath = '/docs/reference.js'

/**
 * Only our own scripts, requests and search are allowed, whatever the library would load. Its styles are inline, and they cannot
 * load anything either.
 */
export const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The place of an operation in the reference: the slugs of `referenceStart`. */
export function hrefOfOperation({ operation: { operationId, tags } }: Route): string {
  return `${referencePath}#tag/${tags[0]}/${operationId}`
}

/** The place of a schema, by the label of their section. */
export const hrefOfSchema = (name: string): string => `${referencePath}#schemas/${name}`

/** The content of the page: `index` is there at once, and the library fills the rest. */
export const referenceMain = (index: Html): Html => html`${index}
<noscript><p class="wait">The rest of this page needs JavaScript. Without it, read
<a href="/api/v1/openapi.json">the OpenAPI document</a>.</p></noscript>
<div id="reference"></div>`

/** The labels of the library as our other pages write them: a capital at the beginning, and the words of our texts. */
const translations = {
  clientLibraries: { heading: 'Language of the examples' },
  download: { openapi: 'Download the OpenAPI document' },
  operation: { pathParameters: 'In the path', queryParameters: 'In the query', responses: 'Answers' },
  response: { exampleResponses: 'Examples of answers', noBody: 'No body', showSchema: 'Schema' },
  schema: { showSchemaDetails: 'Show the schema' },
  actions: { showMore: 'Show more' },
}

/**
 * Everything that leads elsewhere or stores something is off. Requests are not sent from here: the dialog of the library has a
 * design and words of its own, asks for a key in a page, and one press in it opens a gate. The examples run as they are pasted.
 */
const options = {
  url: '/api/v1/openapi.json',
  authentication: { preferredSecurityScheme: 'bearer' },
  hideTestRequestButton: true,
  localization: { translations },
  persistAuth: false,
  telemetry: false,
  withDefaultFonts: false,
  theme: 'none',
  // The rail of the site has the operations, and its search finds them.
  showSidebar: false,
  hideSearch: true,
  customCss: referenceTheme,
  hideClientButton: true,
  hideDarkModeToggle: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  modelsSectionLabel: 'Schemas',
}

/**
 * The script that starts the reference. Its examples are for the host of the page. Some buttons of the library have no name, or one
 * without the word that is seen on them.
 */
export const referenceStart = `Scalar.createApiReference('#reference', {
  ...${JSON.stringify(options)},
  servers: [{ url: location.origin }],
  generateTagSlug: ({ name }) => name,
  generateOperationSlug: ({ operationId }) => operationId,
})
const reference = document.getElementById('reference')
new MutationObserver(() => {
  for (const button of reference.querySelectorAll('[class*="copy-button"]:not([aria-label])')) button.ariaLabel = 'Copy'
  for (const button of reference.querySelectorAll('.show-more[aria-label^="Show all"]'))
    button.ariaLabel = button.textContent.trim() + ': ' + button.ariaLabel
}).observe(reference, { childList: true, subtree: true })
// The library focuses what an address leads to. The ring is for who moves by keys.
addEventListener('keydown', () => reference.setAttribute('data-keyed', ''), { once: true })
`

/** Scalar's script, plain and compressed. */
export interface ReferenceScript {
  readonly text: Buffer
  readonly zipped: Buffer
  /** Its ETag. */
  readonly tag: string
}

/** Beside a bundle (deploy/bundle.ts copies it there), or in the installed package. */
function places(): (string | URL)[] {
  const beside = new URL('./docs/scalar.js', import.meta.url)
  try {
    const require = createRequire(import.meta.url)
    return [beside, join(dirname(require.resolve('@scalar/api-reference')), 'browser/standalone.js')]
  } catch {
    return [beside]
  }
}

/** The script; undefined when neither place has it. It has 4 MB, so it is read at the first request of the reference. */
export async function readReferenceScript(): Promise<ReferenceScript | undefined> {
  for (const place of places()) {
    const text = await readFile(place).catch(() => undefined)
    if (text) {
      const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
      return { text, zipped: await promisify(gzip)(text), tag }
    }
  }
  return undefined
}
