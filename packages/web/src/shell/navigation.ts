// The targets of the rail and the tab bar, in their order; a listed page is complete.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { icons } from '../kit/icons.tsx'
import type { Words } from '../words/words.tsx'

export interface Destination {
  readonly name: keyof Words['frame']['pages']
  readonly path: string
  readonly icon: (typeof icons)[keyof typeof icons]
  /** The page whose tab it is on a phone, where the tab bar has no room for it. */
  readonly isTabOf?: keyof Words['frame']['pages']
}

export const destinations: readonly Destination[] = [
  { name: 'gates', path: dashboardPaths.gates, icon: icons.gate },
  { name: 'members', path: dashboardPaths.members, icon: icons.members },
  { name: 'history', path: dashboardPaths.history, icon: icons.history },
  { name: 'gateways', path: dashboardPaths.gateways, icon: icons.gateway },
  { name: 'activity', path: dashboardPaths.activity, icon: icons.activity, isTabOf: 'history' },
  { name: 'alerts', path: dashboardPaths.alerts, icon: icons.bell, isTabOf: 'history' },
  { name: 'settings', path: dashboardPaths.settings, icon: icons.settings },
]

/** The address of a page: its path with the ids in place of the parameters. */
export function hrefOf(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''))
}
