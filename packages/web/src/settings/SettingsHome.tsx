// The way into the settings: their first part.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { Redirect } from 'wouter'
import { useSpace } from '../client/session.tsx'
import { hrefOf } from '../shell/navigation.ts'

export function SettingsHome() {
  const { space } = useSpace()
  return <Redirect to={hrefOf(dashboardPaths.apiKeys, { spaceId: space.id })} replace />
}
