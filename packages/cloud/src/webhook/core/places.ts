// Places: how many attempts run at once in a process, for a Space and for a webhook, so that a slow receiver delays nobody else.

import { probedFrom, type WebhookHealth } from './retries.ts'

export const places = {
  inAll: 64,
  ofSpace: 8,
  ofWebhook: 4,
  /** For webhooks whose last attempt failed, or that nothing has reached yet: the rest is kept for those that answer. */
  ofUnproven: 32,
} as const

/** Attempts that run now. */
export interface Running {
  readonly inAll: number
  readonly ofUnproven: number
  readonly ofSpace: number
  readonly ofWebhook: number
}

/** Whether the last attempt has reached the webhook. */
export const isProven = ({ failures, isReached }: WebhookHealth): boolean => isReached && failures === 0

/** How many attempts may run at once for a webhook. */
export const placesOf = ({ failures }: WebhookHealth): number =>
  failures >= probedFrom ? 1 : places.ofWebhook

/** Whether one more attempt may begin. */
export function hasPlace(health: WebhookHealth, running: Running): boolean {
  if (running.inAll >= places.inAll || running.ofSpace >= places.ofSpace) return false
  if (running.ofWebhook >= placesOf(health)) return false
  return isProven(health) || running.ofUnproven < places.ofUnproven
}

/** How many deliveries are claimed for a webhook at once. Those of a receiver that answers are claimed ahead of their places. */
export const claimedAtOnce = (health: WebhookHealth): number =>
  isProven(health) ? 4 * places.ofWebhook : placesOf(health)
