// The page that adds a member: the person and all accesses are created together or not at all.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Gate } from '@callgate/contract/rest/gate'
import { useState } from 'react'
import { useChange, useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { newKey } from '../clock.ts'
import { useSending } from '../confirm/useSending.ts'
import { useGoFreely } from '../kit/leaving.ts'
import { Page } from '../kit/Page.tsx'
import { SaveBar } from '../kit/SaveBar.tsx'
import { NotRead, Skeleton, useOffline } from '../kit/states.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { useWords } from '../words/words.tsx'
import { AccessList } from './AccessList.tsx'
import { GateChoice } from './GateChoice.tsx'
import { MembersLink } from './MemberPage.tsx'
import { canBeSent, createdBody } from './memberBody.ts'
import { gateNamesOf, type MemberValues, newAccess, noMember } from './memberDraft.ts'
import { PersonCard } from './PersonCard.tsx'
import { useAccessReader } from './useAccessClock.ts'
import { useFailureWords } from './useFailureWords.ts'
import './member.css'

/** The only gate of a Space is preselected. */
function firstValues(gates: readonly Gate[], timezone: string): MemberValues {
  const [only, ...others] = gates.filter(({ isActive }) => isActive)
  return only && others.length === 0 ? { ...noMember, accesses: [newAccess(only.id, timezone)] } : noMember
}

function useNewMember(gates: readonly Gate[]) {
  const { space } = useSpace()
  const go = useGoFreely()
  const create = useChange('createMember')
  const [first] = useState(() => firstValues(gates, space.timezone))
  const [now, setNow] = useState(first)
  // One key for the typed data: sending them again after a missing answer adds nobody twice.
  const [key, setKey] = useState(newKey)
  const [isSent, setSent] = useState(false)
  const { failure, forget, isBusy, send } = useSending()
  const draft = { base: noMember, now }

  async function save(): Promise<void> {
    setSent(true)
    forget()
    if (!canBeSent(draft)) return
    const result = await send(() => create({ body: createdBody(draft), idempotencyKey: key }))
    if (!result?.ok) return
    const { id } = result.body.member
    go(hrefOf(dashboardPaths.member, { spaceId: space.id, memberId: id }), { replace: true })
  }
  function type(changed: MemberValues) {
    setNow(changed)
    setKey(newKey())
    forget()
  }
  const leave = () => go(hrefOf(dashboardPaths.members, { spaceId: space.id }))
  return {
    now,
    isTyped: now !== first,
    type,
    isSent,
    isBusy,
    failure,
    isWrong: isSent && !canBeSent(draft),
    save,
    leave,
  }
}

function NewMember({ gates }: { readonly gates: readonly Gate[] }) {
  const { failure, isBusy, isSent, isTyped, isWrong, leave, now, save, type } = useNewMember(gates)
  const words = useWords()
  const says = words.member
  const sayFailure = useFailureWords(gateNamesOf(now, gates))
  const offlineSince = useOffline()
  const { nowMs } = useAccessReader()
  const trouble = isWrong ? says.save.wrong : failure && `${says.save.failed} ${sayFailure(failure)}`
  return (
    <Page above={<MembersLink />} title={says.newTitle} says={says.newSays}>
      <div className="member-columns member-new">
        <div className="member-side">
          <PersonCard
            now={now}
            isNew
            isSent={isSent}
            theirs={[]}
            change={change => type({ ...now, ...change })}
          />
        </div>
        <div className="member-main">
          <GateChoice
            accesses={now.accesses}
            gates={gates}
            nowMs={nowMs}
            change={accesses => type({ ...now, accesses })}
          />
          <AccessList
            accesses={now.accesses}
            gates={gates}
            views={[]}
            theirs={[]}
            isOfNewMember
            isSent={isSent}
            nowMs={nowMs}
            change={accesses => type({ ...now, accesses })}
          />
          <SaveBar
            says={says.save.notAdded}
            does={says.save.add}
            doing={says.save.adding}
            isTyped={isTyped}
            isBusy={isBusy}
            trouble={trouble}
            hindered={offlineSince === undefined ? undefined : says.save.offline}
            save={() => void save()}
            discard={leave}
          />
        </div>
      </div>
    </Page>
  )
}

export function NewMemberPage() {
  const words = useWords()
  const gates = useRead('listGates', {})
  if (gates.value) return <NewMember gates={gates.value.gates} />
  return (
    <Page above={<MembersLink />} title={words.member.newTitle}>
      {gates.failure ? (
        <NotRead what={words.member.access.gates} of={gates} />
      ) : (
        <Skeleton bars={[160, 420]} />
      )}
    </Page>
  )
}
