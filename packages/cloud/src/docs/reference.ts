// The reference: every operation of the OpenAPI document on one page.

import { type Html, html } from '../text/html.ts'
import { inlineMarkdown, markdown } from './markdown.ts'
import { type Answer, type OpenApi, type Parameter, type Route, resolved, routesOf } from './openApi.ts'
import { memberTable, remarks, schemaSection, typeText } from './schemaView.ts'

const pretty = (value: unknown) => html`<pre><code>${JSON.stringify(value, null, 2)}</code></pre>`

/** A line that can be pasted into a shell which has BASE_URL and API_KEY. */
function curlOf({ method, operation, path }: Route, parameters: readonly Parameter[]): string {
  const given = (place: string) =>
    parameters.filter(({ example, in: at }) => at === place && example !== undefined)
  const address = given('path').reduce(
    (text, { example, name }) => text.replace(`{${name}}`, String(example)),
    path,
  )
  const query = new URLSearchParams(
    given('query').map(({ example, name }): [string, string] => [name, String(example)]),
  )
  const body = operation.requestBody?.content['application/json']?.example
  const isEmpty = typeof body !== 'object' || body === null || Object.keys(body).length === 0
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$BASE_URL${address}${query.size > 0 ? `?${query}` : ''}"`,
    `-H "Authorization: Bearer $API_KEY"`,
    ...(method === 'POST' || method === 'PATCH' ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(isEmpty ? [] : [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body)}'`]),
  ].join(' \\\n  ')
}

function parameterTable(parameters: readonly Parameter[]): Html | undefined {
  if (parameters.length === 0) return undefined
  const rows = parameters.map(
    ({ description = '', in: place, name, required, schema }) =>
      html`<tr><td><code>${name}</code><br><span class="soft">${place}${required ? '' : ', optional'}</span></td><td>${typeText(schema)}</td><td>${remarks(schema, description)}</td></tr>`,
  )
  return html`<h4>Parameters</h4><div class="wide"><table><thead><tr><th>Name</th><th>Type</th><th>Remarks</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function requestBody({ operation: { requestBody: body } }: Route): Html | undefined {
  const json = body?.content['application/json']
  if (!json) return undefined
  const { schema } = json
  if (schema.$ref !== undefined) return html`<h4>Body</h4><p>${typeText(schema)}</p>${pretty(json.example)}`
  const members = Object.keys(schema.properties ?? {}).length
  return members === 0
    ? html`<h4>Body</h4><p>None is needed; <code>{}</code> is fine.</p>`
    : html`<h4>Body</h4>${memberTable(schema)}${pretty(json.example)}`
}

function successAnswer(status: string, { content, description, headers = {} }: Answer): Html {
  const json = content?.['application/json']
  // Headers of every answer are described once, on the page of conventions.
  const own = Object.keys(headers).filter(name => !/^(X-Request-Id|RateLimit(-Policy)?)$/.test(name))
  return html`<p><code>${status}</code> ${inlineMarkdown(description)}${
    own.length > 0
      ? html`. Headers: ${own.map((name, place) => html`${place > 0 ? ', ' : ''}<code>${name}</code>`)}`
      : ''
  }</p>${json && pretty(json.example)}`
}

function problemRow(status: string, { content }: Answer): Html {
  const codes = Object.keys(content?.['application/json']?.examples ?? {})
  const links = codes.map(
    (code, place) => html`${place > 0 ? ', ' : ''}<a href="/docs/errors#${code}"><code>${code}</code></a>`,
  )
  return html`<tr><td><code>${status}</code></td><td>${links}</td></tr>`
}

function operationSection(document: OpenApi, route: Route): Html {
  const { method, operation, path } = route
  const parameters = (operation.parameters ?? []).map(each => resolved<Parameter>(document, each))
  const answers = Object.entries(operation.responses).map(
    ([status, answer]) => [status, resolved<Answer>(document, answer)] as const,
  )
  const isSuccess = (status: string) => status.startsWith('2')
  return html`<article id="${operation.operationId}">
<h3>${operation.summary}</h3>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span>${path}</p>
${markdown(operation.description)}
<pre><code>${curlOf(route, parameters)}</code></pre>
${parameterTable(parameters)}${requestBody(route)}
<h4>Answers</h4>
${answers.filter(([status]) => isSuccess(status)).map(([status, answer]) => successAnswer(status, answer))}
<details><summary>Errors</summary><div class="wide"><table><tbody>${answers
    .filter(([status]) => !isSuccess(status))
    .map(([status, answer]) => problemRow(status, answer))}</tbody></table></div></details>
</article>
`
}

/** The text of the page, and its table of contents. */
export function reference(document: OpenApi): { readonly main: Html; readonly beside: Html } {
  const routes = routesOf(document)
  const under = (tag: string) => routes.filter(({ operation }) => operation.tags.includes(tag))
  const link = ({ operation: { operationId, summary } }: Route) =>
    html`<li><a href="#${operationId}">${summary.split(/[:;,]/)[0]}</a></li>`
  const beside = html`${document.tags.map(({ name }) => html`<p><strong>${name}</strong></p><ul>${under(name).map(link)}</ul>`)}<p><a href="#schemas"><strong>Schemas</strong></a></p>`
  const sections = document.tags.map(
    ({ description, name }) =>
      html`<h2 id="tag-${name}">${name}</h2><p>${description}</p>${under(name).map(route => operationSection(document, route))}`,
  )
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) =>
    schemaSection(name, schema),
  )
  const main = html`<h1>${document.info.title}</h1>
<p>${document.info.summary} ${document.info.description}</p>
<p>The API is at <code>${document.servers[0]?.url}</code>, its OpenAPI document at
<a href="/api/v1/openapi.json">/api/v1/openapi.json</a>. The lines below need two variables:</p>
<pre><code>BASE_URL=${document.servers[0]?.url}
API_KEY=svc_live_…</code></pre>
${sections}
<h2 id="schemas">Schemas</h2>
${schemas}`
  return { main, beside }
}
