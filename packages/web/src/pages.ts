// The pages of a signed-in user, each of which is loaded when it is first shown, or earlier.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { lazy } from './shell/lazy.tsx'

const gatewaysPage = async () => ({ default: (await import('./gateways/GatewaysPage.tsx')).GatewaysPage })

/** The page at each path of a Space. */
export const pages = {
  gates: lazy(async () => ({ default: (await import('./gates/GatesPage.tsx')).GatesPage })),
  // Listed before the page of a gate, whose address has the same form.
  firstSteps: lazy(async () => ({
    default: (await import('./firstSteps/FirstStepsPage.tsx')).FirstStepsPage,
  })),
  gate: lazy(async () => ({ default: (await import('./gates/GatePage.tsx')).GatePage })),
  calibration: lazy(async () => ({
    default: (await import('./calibration/CalibrationPage.tsx')).CalibrationPage,
  })),
  history: lazy(async () => ({ default: (await import('./history/HistoryPage.tsx')).HistoryPage })),
  activity: lazy(async () => ({ default: (await import('./activity/ActivityPage.tsx')).ActivityPage })),
  alerts: lazy(async () => ({ default: (await import('./history/AlertsPage.tsx')).AlertsPage })),
  gateways: lazy(gatewaysPage),
  gateway: lazy(gatewaysPage),
  members: lazy(async () => ({ default: (await import('./members/MembersPage.tsx')).MembersPage })),
  newMember: lazy(async () => ({ default: (await import('./members/NewMemberPage.tsx')).NewMemberPage })),
  member: lazy(async () => ({ default: (await import('./members/MemberPage.tsx')).MemberPage })),
  settings: lazy(async () => ({ default: (await import('./settings/SpacePage.tsx')).SpacePage })),
  apiKeys: lazy(async () => ({ default: (await import('./settings/KeysPage.tsx')).KeysPage })),
  webhooks: lazy(async () => ({ default: (await import('./settings/WebhooksPage.tsx')).WebhooksPage })),
  accessTemplates: lazy(async () => ({
    default: (await import('./settings/TemplatesPage.tsx')).TemplatesPage,
  })),
  users: lazy(async () => ({ default: (await import('./settings/UsersPage.tsx')).UsersPage })),
  alertChoices: lazy(async () => ({
    default: (await import('./settings/AlertChoicesPage.tsx')).AlertChoicesPage,
  })),
  plan: lazy(async () => ({ default: (await import('./settings/PlanPage.tsx')).PlanPage })),
} satisfies Partial<Record<keyof typeof dashboardPaths, unknown>>

export const accountPage = lazy(async () => ({
  default: (await import('./account/AccountPage.tsx')).AccountPage,
}))

/** Loads the page of an address. Most visits begin with the gates. */
export async function beginPage(address: string): Promise<void> {
  const patterns = Object.entries(dashboardPaths)
  const [name] =
    patterns.find(([, path]) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(address)) ?? []
  const ahead = { ...pages, home: pages.gates, account: accountPage }
  await ahead[name as keyof typeof ahead]?.begin()
}
