// Writes a generated request as bytes of HTTP.

import type { FuzzRequest } from './generatedRequests.ts'

/** The bytes of a request. `resolve` replaces each placeholder with an id. */
export function bytesOf(
  request: FuzzRequest,
  path: string,
  credentials: readonly (readonly [string, string])[],
  resolve: (text: string) => string,
): Buffer {
  const { body, hasHost, headers, isChunked, method } = request
  const given = new Set(headers.map(([name]) => name))
  const sent = typeof body === 'string' ? Buffer.from(resolve(body)) : body
  const own = [...credentials]
  if (hasHost && !given.has('Host')) own.push(['Host', 'localhost'])
  if (sent && !given.has('Content-Type')) own.push(['Content-Type', 'application/json'])
  if (sent && isChunked) own.push(['Transfer-Encoding', 'chunked'])
  else if (sent) own.push(['Content-Length', String(sent.length)])
  const lines = [...own, ...headers].map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
  if (!sent || !isChunked) return Buffer.concat([head, sent ?? Buffer.alloc(0)])
  const size = sent.length > 0 ? `${sent.length.toString(16)}\r\n` : ''
  return Buffer.concat([head, Buffer.from(size), sent, Buffer.from(`${size && '\r\n'}0\r\n\r\n`)])
}
