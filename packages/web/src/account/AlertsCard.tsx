// In which Spaces the user is told of alerts by mail.

import type { UserSpace } from '@callgate/contract/app/session'
import { useClient } from '../client/reading.tsx'
import { useSession, useSessions } from '../client/session.tsx'
import { Card } from '../kit/Card.tsx'
import { AlertSwitch } from '../settings/AlertSwitch.tsx'
import { useWords } from '../words/words.tsx'

function OfSpace({ space }: { readonly space: UserSpace }) {
  const client = useClient()
  const { ask } = useSessions()
  return (
    <li>
      <AlertSwitch
        label={space.name}
        isOn={space.getsAlerts}
        change={async getsAlerts => {
          const result = await client.call('updateOwnAlerts', {
            params: { spaceId: space.id },
            body: { getsAlerts },
          })
          if (!result.ok) return result
          await ask()
          return undefined
        }}
      />
    </li>
  )
}

/** Nothing for a user of no Space. */
export function AlertsCard() {
  const { choices } = useWords().alerts
  const { spaces } = useSession()
  if (spaces.length === 0) return null
  return (
    <Card title={choices.accountTitle}>
      <p className="quiet">{choices.accountSays}</p>
      <ul className="account-rows">
        {spaces.map(space => (
          <OfSpace key={space.id} space={space} />
        ))}
      </ul>
    </Card>
  )
}
