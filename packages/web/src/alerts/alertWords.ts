// What an alert says, as plain functions of the incident that was read.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Incident } from '@callgate/contract/app/incident'
import type { IncidentKind } from '@callgate/contract/app/incidentKinds'
import { hrefOf } from '../shell/navigation.ts'
import { type TimeStyle, timeOrDay } from '../words/time.ts'
import type { Words } from '../words/words.tsx'

/** What the words of an alert depend on: the language, the zone and the time. */
export interface Reader {
  readonly words: Words
  readonly times: TimeStyle
  readonly nowMs: number
}

/** What is wrong; in the past for what is over. */
export function sayWhat({ closedAt, kind, target }: Incident, { words }: Pick<Reader, 'words'>): string {
  const { begun, over } = words.alerts.kinds[kind]
  return (closedAt === null ? begun : over)(target.name ?? target.id)
}

export function saySince({ seenAt }: Incident, { nowMs, times, words }: Reader): string {
  return words.alerts.since(timeOrDay(seenAt, nowMs, times))
}

/** Where to look. */
export function pageOf({ target }: Incident, spaceId: string): string {
  const { gate, gateway, members } = dashboardPaths
  if (target.type === 'gateway') return hrefOf(gateway, { spaceId, gatewayId: target.id })
  if (target.type === 'gate') return hrefOf(gate, { spaceId, gateId: target.id })
  return hrefOf(members, { spaceId })
}

/** What opens no gate is as bad as a failed call; the others may become that. */
const shutting: readonly IncidentKind[] = ['gateway_offline', 'gate_not_reacting']

export function toneOf({ kind }: Incident): 'shut' | 'look' {
  return shutting.includes(kind) ? 'shut' : 'look'
}

/** The first of `incidents`, and how many are left out. */
export function firstOf(
  incidents: readonly Incident[],
  most: number,
): { readonly shown: readonly Incident[]; readonly more: number } {
  // One line more would only say that there is one more.
  const shown = incidents.length <= most + 1 ? incidents : incidents.slice(0, most)
  return { shown, more: incidents.length - shown.length }
}
