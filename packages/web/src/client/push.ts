// Pushes to this browser: whether it can show them, its subscription at the push service of its maker, and its id.

import type { AppBodyOf } from '@callgate/contract/app/appOperations'
import { pushPaths } from '@callgate/contract/app/pushMessage'
import type { Client } from './client.ts'

/** Why this browser shows no pushes; `can`: it does, or may be asked. */
export type PushAbility = 'can' | 'denied' | 'add_to_home' | 'unsupported'

const isIos = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** An iPhone shows pushes of pages on its home screen only. */
export function pushAbility(): PushAbility {
  const hasAll = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (!hasAll) return isIos() ? 'add_to_home' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : 'can'
}

/** Lets the page be added to the home screen as an app of its own. */
export function offerHomeScreen(): void {
  if (document.querySelector('link[rel=manifest]')) return
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = pushPaths.manifest
  document.head.append(link)
}

async function subscribed(): Promise<PushSubscription | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  const registration = await navigator.serviceWorker.getRegistration(pushPaths.scope)
  return (await registration?.pushManager.getSubscription()) ?? undefined
}

const stored = 'callgate.push'

/** The id by which the cloud knows this browser; undefined where it is not subscribed. */
export async function ownPushId(): Promise<string | undefined> {
  return (await subscribed()) ? (localStorage.getItem(stored) ?? undefined) : undefined
}

/** Keeps the id that the cloud has given to the subscription of this browser. */
export const keepPushId = (id: string): void => localStorage.setItem(stored, id)

/** The policy of the page lets this make the address of the worker, and nothing make another one. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): string }
}
const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
const trusted = trustedTypes?.createPolicy('callgate-push', { createScriptURL: () => pushPaths.worker })

/**
 * Asks the person, and subscribes this browser. Undefined where the person or the browser refuses. A subscription for other keys,
 * as those of a Callgate that was here before, is replaced.
 */
export async function subscribe(
  publicKey: string,
): Promise<Omit<AppBodyOf<'addPushDevice'>, 'alerts' | 'openings'> | undefined> {
  try {
    // First: browsers ask only right after a press.
    if ((await Notification.requestPermission()) !== 'granted') return undefined
    const registration = await navigator.serviceWorker.register(
      trusted?.createScriptURL(pushPaths.worker) ?? pushPaths.worker,
      { scope: pushPaths.scope, updateViaCache: 'none' },
    )
    await activated(registration)
    const options = { userVisibleOnly: true, applicationServerKey: publicKey }
    const { pushManager } = registration
    const subscription = await pushManager.subscribe(options).catch(async () => {
      await (await pushManager.getSubscription())?.unsubscribe()
      return pushManager.subscribe(options)
    })
    const { endpoint = '', keys = {} } = subscription.toJSON()
    return { endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } }
  } catch {
    return undefined
  }
}

/** Resolves when the worker is active: before that some browsers refuse to subscribe. */
function activated({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting
  if (active || !worker) return Promise.resolve()
  return new Promise(resolve =>
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated' || worker.state === 'redundant') resolve()
    }),
  )
}

/** Ends the subscription of this browser. Nobody waits for it: the push service may not answer, and the cloud sends nothing more. */
export function unsubscribe(): void {
  subscribed()
    .then(subscription => subscription?.unsubscribe())
    .catch(() => {})
}

/** Ends the pushes to this browser, before its user signs out: the cloud forgets it, and then the browser itself. */
export async function endPushes(client: Client): Promise<void> {
  const deviceId = await ownPushId()
  if (deviceId === undefined) return
  await client.call('removePushDevice', { params: { deviceId } })
  localStorage.removeItem(stored)
  unsubscribe()
}
