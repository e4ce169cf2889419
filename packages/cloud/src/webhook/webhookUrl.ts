// The address of a webhook: which URLs are accepted.

import { isIP } from 'node:net'

/** What the operator allows beside the public internet. */
export interface WebhookRules {
  /** The ports of receivers. */
  readonly ports: readonly number[]
  /** Whether networks are allowed although they are not global. */
  readonly hasNetworks: boolean
  /** The host of this service itself. */
  readonly ownHost: string
}

export const usualPorts: readonly number[] = [443, 8443]

type UrlFault = 'webhook_not_https' | 'webhook_no_name' | 'webhook_port' | 'webhook_own_host'

export type ReadWebhookUrl =
  | { readonly ok: true; readonly url: string; readonly host: string }
  | { readonly ok: false; readonly fault: UrlFault }

const refuse = (fault: UrlFault): ReadWebhookUrl => ({ ok: false, fault })

/** A name that no public resolver knows. It can lead somewhere only where the operator has named networks. */
const isLocalName = (host: string) =>
  !host.includes('.') || /\.(localhost|local|internal|home\.arpa|lan)$/.test(host)

/**
 * Reads the address in the form in which it is kept. A number in any notation is no name: the URL standard turns `0x7f.1` into
 * `127.0.0.1` first. Where a name leads is judged at each connection.
 */
export function readWebhookUrl(text: string, { hasNetworks, ownHost, ports }: WebhookRules): ReadWebhookUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' || url.username + url.password + url.hash !== '')
    return refuse('webhook_not_https')
  const host = url.hostname.replace(/\.$/, '')
  if (host === '' || isIP(host) !== 0 || host.startsWith('[')) return refuse('webhook_no_name')
  if (!hasNetworks && isLocalName(host)) return refuse('webhook_no_name')
  if (host === ownHost && !hasNetworks) return refuse('webhook_own_host')
  if (!ports.includes(Number(url.port || 443))) return refuse('webhook_port')
  return { ok: true, url: url.href, host }
}
