// Compression: which answers are compressed, and why the others are not.

import type { OperationShape } from '@callgate/contract/rest/operation'
import type { Context, Middleware } from 'koa'
import compress from 'koa-compress'

/** Below this an answer fits into one packet, and compression saves nothing. */
const leastBytes = 1_400

const compressAccepted = compress({
  threshold: leastBytes,
  gzip: {},
  br: false,
  deflate: false,
  zstd: false,
})

/**
 * Compresses the answers of one route by gzip, for clients that accept it. It runs in Node's threads, so it holds no turn
 * of the event loop. A guest's page is compressed too: beside its link it holds only texts of the Space, whose admins have the
 * link anyway. Of the encodings only gzip, since one answer by brotli takes some megabytes of memory.
 */
export const compressed: Middleware = (ctx, next) => {
  if (ctx.headers['accept-encoding'] !== undefined) return compressAccepted(ctx, next)
  // Nobody asked, so there is nothing to weigh.
  ctx.set('Vary', 'Accept-Encoding')
  return next()
}

/**
 * Whether the answers of an operation may be compressed. The length of a compressed answer tells whether a part of it
 * repeats another part. So who sees the lengths, and can put texts of their own beside a secret, learns the secret piece by
 * piece (BREACH). Members and accesses hold magic links beside names that others may choose: their answers never are. The
 * other lists hold no link, no token and no key. Single resources are small, and an ETag names the bytes as they are.
 */
export function mayCompress({ query, scope }: OperationShape): boolean {
  return query !== undefined && scope !== 'members:read'
}

/** Leaves one answer as it is: a stream that is cut off midway must not end as if it were whole. */
export function leaveUncompressed(ctx: Context): void {
  ctx['compress'] = false
}
