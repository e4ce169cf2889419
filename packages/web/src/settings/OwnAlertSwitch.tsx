// The switch by which a user chooses whether to get the alerts of one of their Spaces.

import type { UserSpace } from '@callgate/contract/app/session'
import { useClient } from '../client/connection.tsx'
import { useSessions } from '../client/session.tsx'
import { AlertSwitch } from './AlertSwitch.tsx'

export function OwnAlertSwitch({
  space,
  ...shown
}: {
  readonly space: UserSpace
  readonly label: string
  readonly description?: string
}) {
  const client = useClient()
  const { ask } = useSessions()
  return (
    <AlertSwitch
      {...shown}
      isOn={space.getsAlerts}
      change={async getsAlerts => {
        const params = { spaceId: space.id }
        const result = await client.call('updateOwnAlerts', { params, body: { getsAlerts } })
        if (!result.ok) return result
        await ask()
        return undefined
      }}
    />
  )
}
