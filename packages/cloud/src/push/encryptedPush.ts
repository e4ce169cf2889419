// A push as its service takes it: encrypted for one browser (RFC 8291), and signed with the installation's key (RFC 8292).

import { ECDH } from 'node:crypto'
import type { PushKind, PushMessage } from '@callgate/contract/app/pushMessage'
import webPush from 'web-push'

/** What a browser gives when it subscribes. */
export interface PushSubscription {
  readonly endpoint: string
  /** As base64url: its public key, and 16 secret bytes. */
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

export interface PushKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** New keys of an installation, as base64url. */
export const newPushKeys = (): PushKeys => webPush.generateVAPIDKeys()

/** Whether the key is a point of the curve: nothing can be encrypted for another one. */
export function isPublicKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url')
    return true
  } catch {
    return false
  }
}

/** How long a push service keeps a push for a device that is off, in seconds, and how urgent it is. */
const howKept = {
  alert: { TTL: 24 * 3_600, urgency: 'high' },
  opening: { TTL: 3_600, urgency: 'normal' },
} as const satisfies Readonly<Record<PushKind, object>>

/** The request that delivers a push. `appUrl` tells the push service who sends it. */
export function encryptedPush(
  subscription: PushSubscription,
  message: PushMessage,
  { appUrl, keys }: { readonly appUrl: string; readonly keys: PushKeys },
): { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } {
  // Push services take no http address; at one, only a browser on the same machine can subscribe.
  const subject = appUrl.startsWith('https:') ? appUrl : 'mailto:callgate@localhost'
  const { body, endpoint, headers } = webPush.generateRequestDetails(subscription, JSON.stringify(message), {
    ...howKept[message.kind],
    vapidDetails: { subject, ...keys },
  })
  const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const)
  return { url: endpoint, headers: Object.fromEntries(sent), body }
}
