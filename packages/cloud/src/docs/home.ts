// The first page of the documentation: how to open a gate, and every operation as a link.

import { type Html, html } from '../text/html.ts'
import { type OpenApi, type Route, routesOf } from './openApi.ts'
import { hrefOfOperation, referencePath } from './reference.ts'

function operationRow(route: Route): Html {
  const { method, operation, path } = route
  return html`<tr id="${operation.operationId}"><td><a href="${hrefOfOperation(route)}"><code><span class="method ${method.toLowerCase()}">${method}</span> ${path}</code></a></td><td>${operation.summary}</td></tr>`
}

/** The text of the page, which begins with `start`. */
export function home(document: OpenApi, start: Html): Html {
  const { info, servers, tags } = document
  const routes = routesOf(document)
  const lists = tags.map(({ description, name }) => {
    const rows = routes.filter(({ operation }) => operation.tags.includes(name)).map(operationRow)
    return html`<h3>${name}</h3><p>${description}</p><div class="wide" tabindex="0"><table class="operations"><tbody>${rows}</tbody></table></div>`
  })
  return html`${start}
<h2 id="operations">Every operation</h2>
<p>${info.description} The API of this service is at <code>${servers[0]?.url}</code>.</p>
<p>The <a href="${referencePath}">reference</a> shows parameters, schemas, errors and examples, can be searched, and sends
requests. They are real: a press there opens the gate. A key that you type is gone when the page is closed or loaded again.
Programs read <a href="/api/v1/openapi.json">the OpenAPI document</a> or <a href="/llms.txt">llms.txt</a>.</p>
${lists}`
}
