// The Spaces in which the user gets alerts by mail.

import { useSession } from '../client/session.tsx'
import { Card } from '../kit/Card.tsx'
import { OwnAlertSwitch } from '../settings/OwnAlertSwitch.tsx'
import { useWords } from '../words/words.tsx'

/** Shows nothing for a user without Spaces. */
export function AlertsCard() {
  const { choices } = useWords().alerts
  const { spaces } = useSession()
  if (spaces.length === 0) return null
  return (
    <Card title={choices.accountTitle}>
      <p className="quiet">{choices.accountSays}</p>
      <ul className="account-rows">
        {spaces.map(space => (
          <li key={space.id}>
            <OwnAlertSwitch space={space} label={space.name} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
