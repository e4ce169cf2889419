// The first window of the reference: every operation as a link, by group. It needs no script.

import { type Html, html, trusted } from '../text/html.ts'
import type { Link, Rail } from './layout.ts'
import type { OpenApi } from './openApi.ts'

function rowOf({ href, label, method = '', path = '' }: Link): Html {
  // A long path is broken before a slash.
  const parts = path.split(/(?=\/)/).map((part, place) => html`${place > 0 ? trusted('<wbr>') : ''}${part}`)
  return html`<li><a href="${href}"><small>${method}</small><span>${label}</span><code>${parts}</code></a></li>\n`
}

/** `operations` has a group for each tag of the document. */
export function operationIndex({ info, servers, tags }: OpenApi, operations: Rail): Html {
  const groups = tags.map(
    ({ description, name }) =>
      html`<section><h2>${name}</h2><p>${description}</p><ul>${operations[name]?.map(rowOf)}</ul></section>\n`,
  )
  return html`<section class="index" id="main" aria-labelledby="operations">
<p class="eyebrow">Reference</p>
<h1 id="operations">Every operation</h1>
<p>${info.description}</p>
<dl>
<div><dt>Address</dt><dd><code>${servers[0]?.url}</code></dd></div>
<div><dt>Key</dt><dd><code>Authorization: Bearer svc_…</code></dd></div>
<div><dt>For programs</dt><dd><a href="/api/v1/openapi.json">OpenAPI document</a>, <a href="/llms.txt">llms.txt</a></dd></div>
</dl>
<div class="groups">${groups}</div>
<h2>Parameters, answers, examples</h2>
<p>Put your key in place of <code>YOUR_SECRET_TOKEN</code>, and ids of your own in place of those shown. With a key of a live Space an example
is a real request: it opens the gate.</p>
</section>`
}
