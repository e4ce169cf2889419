// The page of one member: the link, the person, and each access with its hours.

import type { MemberView } from '@callgate/contract/app/appMember'
import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Gate } from '@callgate/contract/rest/gate'
import { type Reading, useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { Badge } from '../kit/Badge.tsx'
import { ButtonLink } from '../kit/Button.tsx'
import { Initials } from '../kit/Initials.tsx'
import { icons } from '../kit/icons.tsx'
import { Above, Page } from '../kit/Page.tsx'
import { SaveBar } from '../kit/SaveBar.tsx'
import { NotRead, Skeleton, useOffline } from '../kit/states.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { useWords } from '../words/words.tsx'
import { AccessList } from './AccessList.tsx'
import { DeactivateButton, Deactivated } from './EndMember.tsx'
import { isToBeGiven, LinkCard } from './LinkCard.tsx'
import { MeanwhileBanner } from './MeanwhileBanner.tsx'
import { canBeSent } from './memberBody.ts'
import { gateNamesOf } from './memberDraft.ts'
import { badgeOf, sayUsed } from './memberWords.ts'
import { PersonalData } from './PersonalData.tsx'
import { PersonCard } from './PersonCard.tsx'
import { useAccessReader } from './useAccessClock.ts'
import { useFailureWords } from './useFailureWords.ts'
import { useReader } from './useMemberReader.ts'
import { type SavedMember, useSavedMember } from './useSavedMember.ts'
import './member.css'

/** The interval of reading, in milliseconds. */
const readEveryMs = 15_000

export function MembersLink() {
  const { pages } = useWords().frame
  const { space } = useSpace()
  return <Above href={hrefOf(dashboardPaths.members, { spaceId: space.id })}>{pages.members}</Above>
}

/** `Last opened 4 min ago, Courtyard gate`. */
function useLastOpened(member: MemberView, gates: readonly Gate[]): string {
  const reader = useReader()
  const says = reader.words.member
  const { lastUsedAt } = member.now
  if (lastUsedAt === null) return says.neverOpened
  const access = member.accesses.find(one => one.lastUsedAt === lastUsedAt)
  const gate = gates.find(({ id }) => id === access?.gateId)?.name ?? says.access.gone
  return says.lastOpened(sayUsed(lastUsedAt, reader), gate)
}

function Bar({ form, gates }: { readonly form: SavedMember; readonly gates: readonly Gate[] }) {
  const says = useWords().member.save
  const sayFailure = useFailureWords(gateNamesOf(form.draft.now, gates))
  const offlineSince = useOffline()
  const { changes, draft, failure, isSent } = form
  if (form.isSaved)
    return (
      <p className="banner banner-open member-saved" role="status">
        <icons.opened size={20} />
        <b>{says.saved}</b>
      </p>
    )
  if (changes.length === 0) return null
  const trouble =
    isSent && !canBeSent(draft) ? says.wrong : failure && `${says.failed} ${sayFailure(failure)}`
  return (
    <SaveBar
      says={
        <>
          <b>{says.changes(changes.length)}</b> {says.notSaved(changes.length)}
        </>
      }
      isBusy={form.isBusy}
      trouble={trouble}
      hindered={offlineSince === undefined ? undefined : says.offline}
      save={form.save}
      discard={form.discard}
    />
  )
}

interface Shown {
  readonly member: MemberView
  readonly gates: readonly Gate[]
  readonly reading: Reading<'getMemberView'>
}

function MemberForm({ gates, member, reading }: Shown) {
  const form = useSavedMember(member, reading)
  const reader = useAccessReader()
  const { now } = form.draft
  const theirs = form.meanwhile?.theirs ?? []
  const { space } = useSpace()
  const historyHref = `${hrefOf(dashboardPaths.history, { spaceId: space.id })}?member=${member.id}`
  const openedGates = member.accesses.flatMap(({ gateId }) =>
    gates.filter(({ id }) => id === gateId).map(({ name }) => name),
  )
  return (
    <Page
      above={<MembersLink />}
      before={<Initials name={member.name} size="large" />}
      title={member.name}
      badge={<Badge {...badgeOf(member, reader)} />}
      says={useLastOpened(member, gates)}
      actions={
        <>
          <ButtonLink icon={<icons.history size={20} />} href={historyHref}>
            {reader.words.frame.pages.history}
          </ButtonLink>
          {member.isActive && <DeactivateButton member={member} gates={openedGates} />}
        </>
      }
    >
      {form.meanwhile && (
        <MeanwhileBanner meanwhile={form.meanwhile} gates={gates} isOpen={form.changes.length > 0} />
      )}
      <div className={isToBeGiven(member) ? 'member-columns member-to-give' : 'member-columns'}>
        <div className="member-side">
          <LinkCard member={member} gates={openedGates} isChanging={form.changes.length > 0} />
          <PersonCard
            now={now}
            isNew={false}
            isSent={form.isSent}
            theirs={theirs}
            change={change => form.type({ ...now, ...change })}
          />
          <PersonalData member={member} />
        </div>
        <div className="member-main">
          {member.isActive ? (
            <AccessList
              accesses={now.accesses}
              gates={gates}
              views={member.accesses}
              theirs={theirs}
              isOfNewMember={false}
              isSent={form.isSent}
              nowMs={reader.nowMs}
              change={accesses => form.type({ ...now, accesses })}
            />
          ) : (
            <Deactivated member={member} />
          )}
          <Bar form={form} gates={gates} />
        </div>
      </div>
    </Page>
  )
}

function NoMember() {
  const words = useWords()
  const { space } = useSpace()
  return (
    <Page title={words.member.noSuch} says={words.member.noSuchWhy}>
      <ButtonLink href={hrefOf(dashboardPaths.members, { spaceId: space.id })}>
        {words.frame.pages.members}
      </ButtonLink>
    </Page>
  )
}

export function MemberPage({ params }: { readonly params: { readonly memberId: string } }) {
  const { memberId } = params
  const words = useWords()
  const reading = useRead('getMemberView', { params: { memberId } }, { everyMs: readEveryMs })
  const gates = useRead('listGates', {})
  const failed = [reading, gates].find(({ failure, value }) => failure && !value)
  if (failed?.failure?.code === 'not_found') return <NoMember />
  if (reading.value && gates.value)
    return (
      <MemberForm key={memberId} member={reading.value.member} gates={gates.value.gates} reading={reading} />
    )
  return (
    <Page above={<MembersLink />} title={words.frame.pages.members}>
      {failed ? (
        <NotRead what={failed === gates ? words.member.access.gates : words.member.what} of={failed} />
      ) : (
        <Skeleton bars={[160, 420]} />
      )}
    </Page>
  )
}
