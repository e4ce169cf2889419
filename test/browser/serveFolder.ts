// Serves the files of one folder, with the policy of the dashboard, for pages that only tests build.

import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { basename, extname, join } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; require-trusted-types-for 'script'; trusted-types 'none'"

export function serveFolder(folder: string): RequestListener {
  return ({ url = '/' }, response) => {
    const name = basename(url)
    const path = url.startsWith('/assets/') ? join(folder, 'assets', name) : join(folder, name)
    readFile(path).then(
      body => {
        response.setHeader('Content-Type', types[extname(name)] ?? 'text/plain')
        response.setHeader('Content-Security-Policy', policy)
        response.end(body)
      },
      () => {
        // A browser requests an icon by itself.
        response.statusCode = 204
        response.end()
      },
    )
  }
}
