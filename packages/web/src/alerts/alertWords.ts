// The texts of an alert, as pure functions of the incident.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Incident } from '@callgate/contract/app/incident'
import { incidentTone } from '@callgate/contract/app/incidentKinds'
import { hrefOf } from '../shell/navigation.ts'
import { type TimeStyle, timeOrDay } from '../words/time.ts'
import type { Words } from '../words/words.tsx'

/** The context of an alert's texts: the language, the zone and the time. */
export interface Reader {
  readonly words: Words
  readonly times: TimeStyle
  readonly nowMs: number
}

/** What is wrong; in the past tense for an alert that is over. */
export function sayWhat({ closedAt, kind, target }: Incident, { words }: Pick<Reader, 'words'>): string {
  const { begun, over } = words.alerts.kinds[kind]
  return (closedAt === null ? begun : over)(target.name ?? target.id)
}

export function saySince({ seenAt }: Incident, { nowMs, times, words }: Reader): string {
  return words.alerts.since(timeOrDay(seenAt, nowMs, times))
}

/** The link of an alert. */
export function pageOf({ target }: Incident, spaceId: string): string {
  const { gate, gateway, members } = dashboardPaths
  if (target.type === 'gateway') return hrefOf(gateway, { spaceId, gatewayId: target.id })
  if (target.type === 'gate') return hrefOf(gate, { spaceId, gateId: target.id })
  return hrefOf(members, { spaceId })
}

export const toneOf = ({ kind }: Incident) => incidentTone(kind)

/** The first of `incidents`, and the number of the rest. */
export function firstOf(
  incidents: readonly Incident[],
  most: number,
): { readonly shown: readonly Incident[]; readonly more: number } {
  // A line about one more would take the same room.
  const shown = incidents.length <= most + 1 ? incidents : incidents.slice(0, most)
  return { shown, more: incidents.length - shown.length }
}
