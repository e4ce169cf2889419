// Where the operator lets webhooks lead, beside the usual ports of the public internet.

import { type IpNetwork, readNetworks } from '../network/proxies.ts'
import { usualPorts, type WebhookRules } from './webhookUrl.ts'

/** Where webhooks may lead. */
export interface WebhookPlaces {
  readonly webhookPorts: readonly number[]
  readonly webhookNetworks: readonly IpNetwork[]
}

type ReadPlaces =
  | { readonly ok: true; readonly places: WebhookPlaces }
  | { readonly ok: false; readonly message: string }

function readPorts(text: string): readonly number[] | undefined {
  const ports = text.split(',').map(port => (/^[1-9]\d{0,4}$/.test(port.trim()) ? Number(port) : 0))
  return ports.every(port => port > 0 && port < 65_536) ? ports : undefined
}

/** Reads the two variables. */
export function readWebhookPlaces({
  WEBHOOK_NETWORKS,
  WEBHOOK_PORTS,
}: {
  readonly WEBHOOK_PORTS?: string
  readonly WEBHOOK_NETWORKS?: string
}): ReadPlaces {
  const ports = WEBHOOK_PORTS === undefined ? [] : readPorts(WEBHOOK_PORTS)
  if (!ports) return { ok: false, message: 'WEBHOOK_PORTS must be ports, such as 9443, with commas between' }
  const webhookNetworks = WEBHOOK_NETWORKS === undefined ? [] : readNetworks(WEBHOOK_NETWORKS)
  if (!webhookNetworks)
    return {
      ok: false,
      message:
        'WEBHOOK_NETWORKS must name addresses (10.1.0.7), networks (10.1.0.0/16; at least /8, or /16 of IPv6) or loopback, with commas between',
    }
  return { ok: true, places: { webhookPorts: [...usualPorts, ...ports], webhookNetworks } }
}

/** The rules for the address of a webhook; without places those of the public internet. */
export function webhookRules(appUrl: string, places: WebhookPlaces | undefined): WebhookRules {
  return {
    ports: places?.webhookPorts ?? usualPorts,
    hasNetworks: places !== undefined && places.webhookNetworks.length > 0,
    ownHost: new URL(appUrl).hostname,
  }
}
