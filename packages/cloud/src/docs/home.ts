// The first page of the documentation: what the API is, a first call, the pages to read, and every operation as a link.

import { type Html, html } from '../text/html.ts'
import type { Link } from './layout.ts'
import { type OpenApi, type Route, routesOf } from './openApi.ts'
import { hrefOfOperation, referencePath } from './reference.ts'

function operationRow(route: Route): Html {
  const { method, operation, path } = route
  return html`<tr id="${operation.operationId}"><td><a href="${hrefOfOperation(route)}"><code><span class="method ${method.toLowerCase()}">${method}</span> ${path}</code></a></td><td>${operation.summary}</td></tr>`
}

/** The text of the page. `pages` are the hand-written ones. */
export function home(document: OpenApi, pages: readonly Link[]): Html {
  const { info, servers, tags } = document
  const routes = routesOf(document)
  const lists = tags.map(({ description, name }) => {
    const rows = routes.filter(({ operation }) => operation.tags.includes(name)).map(operationRow)
    return html`<h3>${name}</h3><p>${description}</p><div class="wide"><table><tbody>${rows}</tbody></table></div>`
  })
  return html`<h1>${info.title}</h1>
<p>${info.summary} ${info.description}</p>
<p>The API is at <code>${servers[0]?.url}</code>. A first call, with a key of your Space:</p>
<pre><code>curl ${servers[0]?.url}/api/v1/gates -H 'Authorization: Bearer svc_live_…'</code></pre>
<h2>To read</h2>
<ul>${pages.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`)}</ul>
<h2>Operations</h2>
<p>The <a href="${referencePath}">reference</a> shows parameters, schemas, errors and examples, can be searched, and sends
requests. They are real: a press there opens the gate. A key that you type is gone when the page is closed or loaded again.
Programs read <a href="/api/v1/openapi.json">the OpenAPI document</a> or <a href="/llms.txt">llms.txt</a>.</p>
${lists}`
}
