// Security headers: those of helmet, computed once, because they are the same on every answer.

import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'

/** The headers for answers that no browser should render or load anything from. Pages set a policy of their own. */
export function securityHeaders(): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  const nothing = ["'none'"]
  const directives = {
    defaultSrc: nothing,
    frameAncestors: nothing,
    baseUri: nothing,
    formAction: nothing,
  }
  helmet({ contentSecurityPolicy: { useDefaults: false, directives } })(request, response, () => {})
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  )
}
