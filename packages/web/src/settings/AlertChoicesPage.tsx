// Who gets alerts by mail: owners choose it for every user, an admin only for themselves.

import type { SpaceUser } from '@callgate/contract/app/user'
import { useChange, useRead } from '../client/reading.tsx'
import { useSessions, useSpace } from '../client/session.tsx'
import { Banner } from '../kit/Banner.tsx'
import { Initials } from '../kit/Initials.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { useWords } from '../words/words.tsx'
import { AlertSwitch } from './AlertSwitch.tsx'
import { OwnAlertSwitch } from './OwnAlertSwitch.tsx'
import { SettingsFrame } from './SettingsFrame.tsx'
import { userTexts } from './userTexts.ts'

const readEveryMs = 30_000

function UserChoice({ user }: { readonly user: SpaceUser }) {
  const words = useWords()
  const { alerts, frame } = words
  const users = userTexts(words)
  const { ask } = useSessions()
  const update = useChange('updateUser')
  return (
    <li className="user-row alert-row">
      <span className="user-who">
        <Initials name={user.name} />
        <span>
          <b>{user.isSelf ? users.you(user.name) : user.name}</b>
          <span className="small quiet user-below">
            {user.email} · {frame.role[user.role]}
          </span>
        </span>
      </span>
      <AlertSwitch
        label={alerts.choices.of(user.name)}
        isLabelHidden
        isOn={user.getsAlerts}
        // Without If-Match: the change sets one field, whatever else has changed about the user.
        change={async getsAlerts => {
          const result = await update({ params: { userId: user.id }, body: { getsAlerts } })
          if (!result.ok) return result
          if (user.isSelf) await ask()
          return undefined
        }}
      />
    </li>
  )
}

function AllChoices() {
  const words = useWords()
  const { alerts } = words
  const says = userTexts(words)
  const read = useRead('listUsers', {}, { everyMs: readEveryMs })
  const users = read.value?.users.filter(({ isActive }) => isActive)
  return (
    <>
      <NotRead what={says.what} of={read} />
      {!users && !read.failure && <Skeleton bars={[64, 65, 66]} />}
      {users?.every(({ getsAlerts }) => !getsAlerts) && <Banner tone="look">{alerts.choices.nobody}</Banner>}
      {users && (
        <ul className="card user-list" aria-label={alerts.choices.list}>
          {users.map(user => (
            <UserChoice key={user.id} user={user} />
          ))}
        </ul>
      )}
    </>
  )
}

function OwnChoice() {
  const { choices } = useWords().alerts
  const { space } = useSpace()
  return (
    <div className="card alert-own">
      <OwnAlertSwitch space={space} label={choices.own} description={choices.ownWhy} />
    </div>
  )
}

export function AlertChoicesPage() {
  const { choices } = useWords().alerts
  const isOwner = useSpace().space.role === 'owner'
  return (
    <SettingsFrame part="alertChoices" title={choices.title} says={choices.says}>
      {isOwner ? <AllChoices /> : <OwnChoice />}
    </SettingsFrame>
  )
}
