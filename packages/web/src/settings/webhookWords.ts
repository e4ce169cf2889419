// The texts about webhooks and deliveries, as pure functions of the read data.

import type { Delivery, Webhook } from '@callgate/contract/rest/webhook'
import type { BadgeLook } from '../kit/Badge.tsx'
import { type Reader, sayMoment } from '../members/memberWords.ts'
import { textFor } from '../words/known.ts'
import { seconds } from '../words/time.ts'
import { webhookTexts } from './webhookTexts.ts'

/** The name by which people know a webhook: what it is for, else its host. */
export const hostOf = ({ url }: Pick<Webhook, 'url'>): string => new URL(url).host

/** What a webhook hears of. */
export function sayTypes({ types }: Pick<Webhook, 'types'>, { words }: Reader): string {
  const { hears } = webhookTexts(words)
  if (types === null) return hears.all
  return types.every(type => type.startsWith('opening.')) ? hears.openings : hears.some(types.length)
}

/** Whether events are sent to a webhook, and whether they reach it. */
export function badgeOf({ failingSince, stopped }: Webhook, { words }: Reader): BadgeLook {
  const says = webhookTexts(words)
  if (!stopped)
    return failingSince === null
      ? { tone: 'open', icon: 'opened', word: says.active }
      : { tone: 'look', icon: 'alert', word: says.failing }
  const isOwn = stopped.why === 'switched_off'
  return { tone: isOwn ? 'quiet' : 'look', icon: isOwn ? 'off' : 'alert', word: says.stopped }
}

/** Why nothing, or not everything, reaches a webhook; undefined: all is well. */
export function sayTrouble({ failingSince, stopped }: Webhook, reader: Reader): string | undefined {
  const says = webhookTexts(reader.words)
  if (stopped) return textFor(says.stops, stopped.why)
  return failingSince === null ? undefined : says.failingSince(sayMoment(failingSince, reader))
}

/** The state of a delivery. */
export function deliveryBadge({ state }: Delivery, { words }: Reader): BadgeLook {
  const word = webhookTexts(words).log.states[state]
  if (state === 'delivered') return { tone: 'open', icon: 'opened', word }
  return state === 'waiting' ? { tone: 'quiet', icon: 'clock', word } : { tone: 'shut', icon: 'failed', word }
}

/** How the last attempt went, and when the next one is made. */
export function sayAttempts({ attempts, nextAttemptAt, state }: Delivery, reader: Reader): string {
  const { errors, log } = webhookTexts(reader.words)
  const last = attempts.at(-1)
  const parts: string[] = []
  if (last) {
    const took = seconds(last.durationMs, reader.words.locale)
    const { error, status } = last
    if (error === null) parts.push(log.answered(status ?? 200, took))
    else if (status !== null) parts.push(log.refused(status))
    else parts.push(log.failed(textFor(errors, error) ?? error, took))
    parts.push(log.tries(attempts.length))
  }
  if (state === 'waiting' && nextAttemptAt !== null && last)
    parts.push(log.next(sayMoment(nextAttemptAt, reader)))
  return parts.join(' · ')
}
