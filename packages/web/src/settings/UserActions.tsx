// The actions of an owner on a user, each in a dialog: changing the role, linking a member, removing.

import type { ApiKeyView } from '@callgate/contract/app/apiKey'
import type { SpaceUser } from '@callgate/contract/app/user'
import { Checkbox, Menu } from '@mantine/core'
import { useState } from 'react'
import { useChange, useRead } from '../client/reading.tsx'
import { useSessions } from '../client/session.tsx'
import { nowMs } from '../clock.ts'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { IconButton } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { icons } from '../kit/icons.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { useWords } from '../words/words.tsx'
import { LinkMember } from './LinkMember.tsx'
import { failureWords } from './userFields.ts'
import { userTexts } from './userTexts.ts'

/** Whether a key still works. */
const isInForce = ({ expiresAt, revokedAt }: ApiKeyView) =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs())

interface UserActionTarget {
  /** As read with its ETag: the change is refused when the user has changed since. */
  readonly user: SpaceUser
  readonly ifMatch: string | undefined
  readonly close: () => void
}

/** After a change of the own role the session has another one. */
function useOwnChange(user: SpaceUser) {
  const { ask } = useSessions()
  return async <Answer extends { readonly ok: boolean }>(answer: Promise<Answer>): Promise<Answer> => {
    const result = await answer
    if (result.ok && user.isSelf) await ask()
    return result
  }
}

function ChangeRole({ close, ifMatch, user }: UserActionTarget) {
  const words = useWords()
  const users = userTexts(words)
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
      sayFailure={failureWords(words, users.onlyOwner)}
      go={() => own(update({ params: { userId: user.id }, body: { role }, ifMatch }))}
      close={close}
    />
  )
}

function RemoveUser({ close, ifMatch, user }: UserActionTarget) {
  const words = useWords()
  const users = userTexts(words)
  const says = users.remove
  const remove = useChange('removeUser')
  const own = useOwnChange(user)
  const keys = useRead('listApiKeys', {}).value?.keys ?? []
  const made = keys.filter(key => key.madeById === user.id && isInForce(key))
  const [revokesKeys, setRevokesKeys] = useState(true)
  const query = made.length > 0 && revokesKeys ? { query: { revokesKeys } } : {}
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
      sayFailure={failureWords(words, users.onlyOwner)}
      go={() => own(remove({ params: { userId: user.id }, ifMatch, ...query }))}
      close={close}
    >
      {made.length > 0 && (
        <Checkbox
          label={says.keys(new Intl.ListFormat(words.locale).format(made.map(({ name }) => name)))}
          description={says.keysWhy}
          checked={revokesKeys}
          onChange={event => setRevokesKeys(event.currentTarget.checked)}
        />
      )}
    </AskDialog>
  )
}

/** Reads the user first, because the list has no ETag. The question stays the same while the dialog is open. */
function AskAbout({
  close,
  kind,
  userId,
}: {
  readonly kind: keyof typeof dialogs
  readonly userId: string
  readonly close: () => void
}) {
  const words = useWords()
  const { frame } = words
  const users = userTexts(words)
  const [seen, setSeen] = useState<Omit<UserActionTarget, 'close'>>()
  // Not read again: a removed user no longer exists.
  const read = useRead('getUser', { params: { userId } }, { isWanted: !seen })
  if (!seen && read.value && !read.isReading) setSeen({ user: read.value.user, ifMatch: read.etag })
  const Asking = dialogs[kind]
  if (seen) return <Asking {...seen} close={close} />
  return (
    <Dialog title={frame.reading} does={users[kind].does} isDisabled close={close} go={() => {}}>
      {read.failure ? <NotRead what={users.what} of={read} /> : <Skeleton bars={[44, 45]} />}
    </Dialog>
  )
}

const dialogs = { role: ChangeRole, link: LinkMember, remove: RemoveUser } as const

/** `isOnlyOwner`: the role cannot be changed, and the user cannot be removed. */
export function UserActions({
  isOnlyOwner,
  user,
}: {
  readonly user: SpaceUser
  readonly isOnlyOwner: boolean
}) {
  const says = userTexts(useWords())
  const [asks, setAsks] = useState<keyof typeof dialogs>()
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
      {asks && <AskAbout kind={asks} userId={user.id} close={() => setAsks(undefined)} />}
    </>
  )
}
