// What an owner does with a user: another role, a link to a member, the end. Each is asked in a dialog.

import type { SpaceUser } from '@callgate/contract/app/user'
import { Menu } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../client/reading.tsx'
import { useSessions } from '../client/session.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { IconButton } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { useWords } from '../words/words.tsx'
import { LinkMember } from './LinkMember.tsx'
import { failureWords } from './userFields.ts'

interface Asked {
  readonly user: SpaceUser
  readonly close: () => void
}

/** After a change of the own role the session tells another one. */
function useOwnChange(user: SpaceUser) {
  const { ask } = useSessions()
  return async <Answer extends { readonly ok: boolean }>(answer: Promise<Answer>): Promise<Answer> => {
    const result = await answer
    if (result.ok && user.isSelf) await ask()
    return result
  }
}

function ChangeRole({ close, user }: Asked) {
  const { users } = useWords()
  const says = users.role
  const update = useChange('updateUser')
  const own = useOwnChange(user)
  const isToOwner = user.role === 'admin'
  const role = isToOwner ? 'owner' : 'admin'
  const means = isToOwner ? says.ownerMeans : says.adminMeans
  return (
    <AskDialog
      title={(isToOwner ? says.ownerTitle : says.adminTitle)(user.name)}
      does={says.does}
      doing={says.doing}
      means={user.isSelf ? [...means, says.self] : means}
      notDone={users.notDone}
      sayFailure={failureWords(users, users.onlyOwner)}
      go={() => own(update({ params: { userId: user.id }, body: { role } }))}
      close={close}
    />
  )
}

function RemoveUser({ close, user }: Asked) {
  const { users } = useWords()
  const says = users.remove
  const remove = useChange('removeUser')
  const own = useOwnChange(user)
  return (
    <AskDialog
      title={says.title(user.name)}
      does={says.does}
      doing={says.doing}
      means={[
        ...says.ends,
        ...(user.member ? [says.link(user.member.name)] : []),
        ...(user.isSelf ? [says.self] : []),
      ]}
      isDanger
      notDone={users.notDone}
      sayFailure={failureWords(users, users.onlyOwner)}
      go={() => own(remove({ params: { userId: user.id } }))}
      close={close}
    />
  )
}

const dialogs = { role: ChangeRole, link: LinkMember, remove: RemoveUser } as const

/** `isOnlyOwner`: neither another role nor the end is possible. */
export function UserActions({
  isOnlyOwner,
  user,
}: {
  readonly user: SpaceUser
  readonly isOnlyOwner: boolean
}) {
  const says = useWords().users
  const [asks, setAsks] = useState<keyof typeof dialogs>()
  const Asking = asks && dialogs[asks]
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <IconButton label={says.more(user.name)}>
            <icons.dots />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<icons.members size={16} />} onClick={() => setAsks('link')}>
            {says.toMember}
          </Menu.Item>
          {isOnlyOwner ? (
            <Menu.Label>{says.onlyOwner}</Menu.Label>
          ) : (
            <>
              <Menu.Item leftSection={<icons.key size={16} />} onClick={() => setAsks('role')}>
                {user.role === 'admin' ? says.toOwner : says.toAdmin}
              </Menu.Item>
              <Menu.Item leftSection={<icons.remove size={16} />} onClick={() => setAsks('remove')}>
                {says.remove.open}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {Asking && <Asking user={user} close={() => setAsks(undefined)} />}
    </>
  )
}
