// Pushes, apart from the schemas: what is in one, and where the service worker is that shows it.

/** `alert`: an incident began or ended. `opening`: somebody has opened a gate. */
export const pushKinds = ['alert', 'opening'] as const
export type PushKind = (typeof pushKinds)[number]

/** The content of a push. The push service cannot read it; no name is in it all the same. */
export interface PushMessage {
  readonly kind: PushKind
  readonly spaceId: string
  /** The incident or the opening; null: several incidents. */
  readonly id: string | null
}

/** What the dashboard has for pushes beside its pages. The worker's scope has no pages, so it changes none. */
export const pushPaths = {
  scope: '/push/',
  worker: '/push/worker.js',
  manifest: '/push/app.webmanifest',
} as const
