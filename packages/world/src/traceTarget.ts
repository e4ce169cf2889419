// The destination of traces, by the standard variables of OpenTelemetry.

export interface TraceTarget {
  /** The address of traces: OTEL_EXPORTER_OTLP_ENDPOINT with `/v1/traces`. */
  readonly url: string
  /** For example a login at the collector; never logged. */
  readonly headers: Readonly<Record<string, string>>
}

/** `name=value,name=value`, percent-encoded (W3C Baggage, as the OTLP exporter specification asks); undefined when it is not. */
function readHeaders(text: string): Record<string, string> | undefined {
  try {
    const pairs = text.split(',').map(pair => {
      const [name = '', ...value] = pair.split('=')
      return [name.trim(), decodeURIComponent(value.join('=').trim())] as const
    })
    new Headers(pairs.map(([name, value]) => [name, value]))
    return pairs.every(([name, value]) => name !== '' && value !== '') ? Object.fromEntries(pairs) : undefined
  } catch {
    return undefined
  }
}

/** Reads OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS; no target without the first. A message names no value. */
export function readTraceTarget(
  endpoint: string | undefined,
  headersText: string | undefined,
):
  | { readonly ok: true; readonly target: TraceTarget | undefined }
  | { readonly ok: false; readonly message: string } {
  if (!endpoint?.trim()) return { ok: true, target: undefined }
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    return {
      ok: false,
      message:
        'OTEL_EXPORTER_OTLP_ENDPOINT must be http://host:port or https://host:port of a collector, such as http://localhost:4318; a login belongs into OTEL_EXPORTER_OTLP_HEADERS',
    }
  const headers = headersText?.trim() ? readHeaders(headersText) : {}
  if (!headers)
    return {
      ok: false,
      message: 'OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs with commas between, percent-encoded',
    }
  return { ok: true, target: { url: `${url.href.replace(/\/$/, '')}/v1/traces`, headers } }
}
