// A collector of traces: a real HTTP server that reads OTLP in its JSON form, and keeps the spans.

import { createServer } from 'node:http'

export interface CollectedSpan {
  readonly service: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
}

export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string
  readonly spans: readonly CollectedSpan[]
  /** Everything that was received, as text. */
  text(): string
  stop(): Promise<void>
}

interface Request {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue: string } }[] }
    readonly scopeSpans: readonly { readonly spans: readonly Omit<CollectedSpan, 'service'>[] }[]
  }[]
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  let all = ''
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      all += text
      for (const { resource, scopeSpans } of (JSON.parse(text) as Request).resourceSpans) {
        const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
        for (const scope of scopeSpans) spans.push(...scope.spans.map(span => ({ ...span, service })))
      }
      response.end('{}')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    text: () => all,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
