// The port on which Prometheus reads the metrics: an HTTP server with one path, separate from the REST API.

import { createServer, type Server } from 'node:http'
import type { World } from '@callgate/world/world'
import type { MetricsPlace } from '../network/network.ts'
import { createMetrics, type Metrics } from './metrics.ts'

/** Enough for two servers of Prometheus and a person; others have to wait. */
const mostConnections = 32

function server(world: World, metrics: Metrics): Server {
  return createServer({ headersTimeout: 5_000, requestTimeout: 10_000 }, (request, response) => {
    const { method, url } = request
    const answer = (status: number, text: string, type = 'text/plain; charset=utf-8') =>
      response
        .writeHead(status, { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' })
        .end(method === 'HEAD' ? undefined : text)
    if (url?.split('?')[0] !== '/metrics') return void answer(404, 'The metrics are at /metrics.\n')
    if (method !== 'GET' && method !== 'HEAD') return void answer(405, 'Only GET is allowed.\n')
    metrics.read().then(
      text => answer(200, text, metrics.contentType),
      (error: unknown) => {
        world.log.error('the metrics could not be read', { why: String(error) })
        answer(500, 'The metrics could not be read; the log says why.\n')
      },
    )
  })
}

/** Counts and serves until `stop`; returns the error where the port cannot be taken. `port` may be 0 in tests: any free one. */
export async function serveMetrics(
  parts: Parameters<typeof createMetrics>[0],
  { host, port }: MetricsPlace,
): Promise<
  | { readonly ok: true; readonly port: number; readonly stop: () => Promise<void> }
  | { readonly ok: false; readonly error: Error }
> {
  const metrics = createMetrics(parts)
  const serving = server(parts.world, metrics)
  serving.maxConnections = mostConnections
  const error = await new Promise<Error | undefined>(resolve => {
    serving.once('error', resolve)
    serving.listen({ host, port }, () => resolve(undefined))
  })
  if (error) {
    metrics.stop()
    return { ok: false, error }
  }
  serving.on('error', fault => parts.world.log.error('the metrics cannot be served', { why: fault.message }))
  const address = serving.address()
  const stop = () =>
    new Promise<void>(resolve => {
      metrics.stop()
      serving.close(() => resolve())
      serving.closeAllConnections()
    })
  return { ok: true, stop, port: typeof address === 'object' && address ? address.port : port }
}
