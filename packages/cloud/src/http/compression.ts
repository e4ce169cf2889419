// Compression: decides which answers are compressed.

import type { OperationShape } from '@callgate/contract/rest/operation'
import type { Middleware } from 'koa'
import compress from 'koa-compress'

/** A smaller answer fits into one packet, so compression saves nothing. */
const leastBytes = 1_400

const compressAccepted = compress({
  threshold: leastBytes,
  gzip: {},
  br: false,
  deflate: false,
  zstd: false,
})

/**
 * Compresses the answers of one page by gzip, for clients that accept it; the lists of the API are compressed once for each
 * content, by `keptBodies`. It runs in Node's threads, so it does not block the event loop. A guest's page is compressed too:
 * beside its link it contains only texts of the Space, whose admins have the link anyway. Gzip is the only encoding, because one
 * answer in brotli takes some megabytes of memory.
 */
export const compressed: Middleware = (ctx, next) => {
  if (ctx.headers['accept-encoding'] !== undefined) return compressAccepted(ctx, next)
  // The client accepts no encoding, so nothing is compressed.
  ctx.set('Vary', 'Accept-Encoding')
  return next()
}

/**
 * Whether the answers of an operation may be compressed. The length of a compressed answer shows whether a part of it repeats
 * another part. So an attacker who sees the lengths, and can put texts beside a secret, learns the secret piece by piece
 * (BREACH). Members and accesses contain magic links beside names that others may choose, so they are never compressed. The other
 * lists contain no link, token or key. Single resources are small, and an ETag names their uncompressed bytes.
 */
export function mayCompress({ query, scope }: OperationShape): boolean {
  return query !== undefined && scope !== 'members:read'
}
