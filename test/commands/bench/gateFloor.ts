// The floor of lists by the clock: node:http with what every such server has to do, and nothing else.

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { limiter } from '@callgate/cloud/core/limiter'
import openSqlite from 'better-sqlite3'

/** The file beside the database that holds the body of the floor's answers: the bytes that the cloud has answered. */
export const bodyFile = (file: string) => `${file}.body`

/**
 * It hashes the key of each request, looks the hash up in a map, counts the request in the cloud's own limiter, and sends the bytes
 * that the cloud sends. They are in memory, and compressed once, at the start. It neither reads the database, nor routes, checks
 * a query, logs or sends headers of security.
 */
export function floor(file: string): RequestListener {
  const database = openSqlite(file, { readonly: true })
  const keys = new Map(
    (database.prepare('select keyHash, id from apiKeys').all() as { keyHash: string; id: string }[]).map(
      ({ id, keyHash }) => [keyHash, id],
    ),
  )
  database.close()
  const plain = readFileSync(bodyFile(file))
  const zipped = gzipSync(plain)
  const counted = limiter({ most: 120, windowMs: 60_000 })
  const type = { 'content-type': 'application/json; charset=utf-8', vary: 'Accept-Encoding' }
  return ({ headers }, response) => {
    const id = keys.get(hash('sha256', (headers.authorization ?? '').slice('Bearer '.length)))
    // As fast a clock as in the cloud that it is compared with.
    const status = id === undefined ? undefined : counted.take(id, performance.now() * 10_000)
    if (!status?.isTaken) return void response.writeHead(401).end()
    const isZipped = headers['accept-encoding']?.includes('gzip') === true
    const body = isZipped ? zipped : plain
    const rate = { 'ratelimit-policy': '"default";q=120;w=60', ratelimit: `"default";r=${status.remaining}` }
    response
      .writeHead(200, {
        ...type,
        ...rate,
        ...(isZipped && { 'content-encoding': 'gzip' }),
        'content-length': body.length,
      })
      .end(body)
  }
}
