// The users of the Space and the open invitations, for owners.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Invitation, SpaceUser } from '@callgate/contract/app/user'
import { useState } from 'react'
import { Link } from 'wouter'
import { useChange, useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { Badge } from '../kit/Badge.tsx'
import { Button } from '../kit/Button.tsx'
import { Initials } from '../kit/Initials.tsx'
import { icons } from '../kit/icons.tsx'
import { Empty, NotRead, Skeleton } from '../kit/states.tsx'
import { type Reader, sayUsed } from '../members/memberWords.ts'
import { useReader } from '../members/useMemberReader.ts'
import { hrefOf } from '../shell/navigation.ts'
import { timeOrDay } from '../words/time.ts'
import { InviteUser } from './InviteUser.tsx'
import { SettingsFrame } from './SettingsFrame.tsx'
import { UserActions } from './UserActions.tsx'
import { failureWords } from './userFields.ts'
import { userTexts } from './userTexts.ts'

const readEveryMs = 30_000

function UserRow(props: {
  readonly user: SpaceUser
  readonly isOnlyOwner: boolean
  readonly reader: Reader
}) {
  const { isOnlyOwner, reader, user } = props
  const { frame } = reader.words
  const says = userTexts(reader.words)
  const { space } = useSpace()
  const { lastSeenAt, member } = user
  return (
    <li className="user-row">
      <span className="user-who">
        <Initials name={user.name} />
        <span>
          <b>{user.isSelf ? says.you(user.name) : user.name}</b>
          <span className="small quiet user-below">{user.email}</span>
          {member && (
            <span className="small quiet user-below">
              {says.isMember}{' '}
              <Link
                className="link"
                href={hrefOf(dashboardPaths.member, { spaceId: space.id, memberId: member.id })}
              >
                {member.name}
              </Link>
            </span>
          )}
        </span>
      </span>
      <span>
        {frame.role[user.role]}
        {!user.isActive && <Badge tone="quiet" icon="lock" word={says.shutOut} />}
      </span>
      <span className="small quiet">
        {lastSeenAt === null ? says.notSignedIn : says.seen(sayUsed(lastSeenAt, reader))}
        <span className="user-below">{user.hasSecondFactor ? says.secondFactor : says.noSecondFactor}</span>
      </span>
      <UserActions user={user} isOnlyOwner={isOnlyOwner} />
    </li>
  )
}

function Waiting({
  invitations,
  reader,
}: {
  readonly invitations: readonly Invitation[]
  readonly reader: Reader
}) {
  const { frame } = reader.words
  const users = userTexts(reader.words)
  const says = users.cancel
  const cancel = useChange('cancelInvitation')
  const [asked, setAsked] = useState<Invitation>()
  return (
    <div className="user-waiting">
      <h3>{users.waiting}</h3>
      <ul className="card user-list">
        {invitations.map(invitation => (
          <li key={invitation.id} className="user-row">
            <span className="user-who">
              <Initials name={invitation.name} />
              <span>
                <b>{invitation.name}</b>
                <span className="small quiet user-below">{invitation.email}</span>
              </span>
            </span>
            <span>{frame.role[invitation.role]}</span>
            <span className="small quiet">
              {users.until(timeOrDay(invitation.expiresAt, reader.nowMs, reader.times))}
            </span>
            <Button look="quiet" onClick={() => setAsked(invitation)}>
              {says.open}
              <span className="heard"> {invitation.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {asked && (
        <AskDialog
          title={says.title(asked.name)}
          does={says.does}
          doing={says.doing}
          means={says.ends}
          isDanger
          sayFailure={failureWords(reader.words, users.notDone)}
          go={() => cancel({ params: { invitationId: asked.id } })}
          close={() => setAsked(undefined)}
        />
      )}
    </div>
  )
}

function Users({ reader }: { readonly reader: Reader }) {
  const says = userTexts(reader.words)
  const read = useRead('listUsers', {}, { everyMs: readEveryMs })
  const users = read.value?.users
  const invitations = read.value?.invitations ?? []
  const owners = users?.filter(({ role }) => role === 'owner').length ?? 0
  return (
    <>
      <NotRead what={says.what} of={read} />
      {!users && !read.failure && <Skeleton bars={[64, 65, 66]} />}
      {users && (
        <ul className="card user-list">
          {users.map(user => (
            <UserRow
              key={user.id}
              user={user}
              isOnlyOwner={user.role === 'owner' && owners === 1}
              reader={reader}
            />
          ))}
        </ul>
      )}
      {invitations.length > 0 && <Waiting invitations={invitations} reader={reader} />}
    </>
  )
}

export function UsersPage() {
  const reader = useReader()
  const says = userTexts(reader.words)
  const isOwner = useSpace().space.role === 'owner'
  const [isInviting, setInviting] = useState(false)
  return (
    <SettingsFrame
      part="users"
      title={says.title}
      says={says.says}
      action={
        isOwner && (
          <Button look="filled" icon={<icons.add size={20} />} onClick={() => setInviting(true)}>
            {says.invite.open}
          </Button>
        )
      }
    >
      {isOwner ? <Users reader={reader} /> : <Empty title={says.onlyOwners}>{says.onlyOwnersWhy}</Empty>}
      {isInviting && <InviteUser close={() => setInviting(false)} />}
    </SettingsFrame>
  )
}
