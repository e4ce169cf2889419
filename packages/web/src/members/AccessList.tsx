// The accesses of a member, one card for each gate, and a button for another one.

import type { AccessTemplate } from '@callgate/contract/app/accessTemplate'
import type { AccessView } from '@callgate/contract/app/appMember'
import type { Gate } from '@callgate/contract/rest/gate'
import { useSpace } from '../client/session.tsx'
import { sentenceText } from '../schedule/sentence.ts'
import { TemplateMenu } from '../templates/TemplateMenu.tsx'
import { presetOf } from '../templates/templateForm.ts'
import { templateTexts } from '../templates/templateTexts.ts'
import { wallNow } from '../words/time.ts'
import { useWords } from '../words/words.tsx'
import { AccessCard } from './AccessCard.tsx'
import { GiveAccess } from './GiveAccess.tsx'
import { lateTexts } from './lateTexts.ts'
import { type AccessValues, accessValuesOf, newAccess, type Theirs } from './memberDraft.ts'

/** Another person's changes to an access that was changed here as well. */
function TheirAccess(props: {
  readonly access: AccessValues | undefined
  readonly take: (access: AccessValues) => void
}) {
  const words = useWords()
  const says = lateTexts(words).meanwhile
  const { access, take } = props
  if (!access) return <p className="their small">{says.theyRemoved}</p>
  return (
    <p className="their small">
      {says.theyChanged} {sentenceText(access.schedules, words)}{' '}
      <button type="button" className="link" onClick={() => take(access)}>
        {says.takeTheirs}
      </button>
    </p>
  )
}

interface ListProps {
  readonly accesses: readonly AccessValues[]
  readonly gates: readonly Gate[]
  readonly views: readonly AccessView[]
  readonly theirs: readonly Theirs[]
  readonly isOfNewMember: boolean
  readonly isSent: boolean
  readonly nowMs: number
  readonly change: (accesses: readonly AccessValues[]) => void
}

/** An access that ends with the next save: what goes, what stays, and the way back. */
function RemovedAccess({ gateName, keep }: { readonly gateName: string; readonly keep: () => void }) {
  const says = lateTexts(useWords())
  return (
    <p className="access-removed small" role="status">
      {says.removed(gateName)}{' '}
      <button type="button" className="link" onClick={keep}>
        {says.keepAccess}
      </button>
    </p>
  )
}

/** The ways to give a member that is there access to one more gate. */
function Giving(props: Pick<ListProps, 'accesses' | 'change' | 'gates' | 'nowMs'>) {
  const { accesses, change, gates, nowMs } = props
  const words = useWords()
  const { timezone } = useSpace().space
  const free = gates.filter(({ id, isActive }) => isActive && !accesses.some(({ gateId }) => gateId === id))
  const isFree = (gateId: string) => free.some(({ id }) => id === gateId)
  const giveBy = (template: AccessTemplate) => {
    const preset = presetOf(template, wallNow(nowMs, timezone) ?? '')
    const given = template.gateIds.filter(isFree)
    change([...accesses, ...given.map(gateId => ({ ...newAccess(gateId, timezone), ...preset }))])
  }
  return (
    <>
      <TemplateMenu
        label={templateTexts(words).give}
        fits={({ gateIds }) => gateIds.some(isFree)}
        pick={giveBy}
      />
      <GiveAccess
        gates={free}
        isFirst={accesses.length === 0}
        give={gateId => change([...accesses, newAccess(gateId, timezone)])}
      />
    </>
  )
}

export function AccessList(props: ListProps) {
  const { accesses, change, gates, isOfNewMember, isSent, nowMs, theirs, views } = props
  const words = useWords()
  const says = words.member.access
  const { timezone } = useSpace().space
  const gateName = (gateId: string) => gates.find(({ id }) => id === gateId)?.name ?? says.gone
  const isWithout = accesses.length === 0 && gates.length > 0 && !isOfNewMember
  const giving = !isOfNewMember && <Giving accesses={accesses} gates={gates} nowMs={nowMs} change={change} />
  const put = (place: number, access: AccessValues) => change(accesses.with(place, access))
  return (
    <div className="access-list">
      {isWithout && (
        <div className="empty">
          <h2>{says.none}</h2>
          <p className="quiet">{says.noneWhy}</p>
          {giving}
        </div>
      )}
      {accesses.map((access, place) => {
        const their = theirs.find(one => one.of === 'access' && one.gateId === access.gateId)
        return (
          <AccessCard
            key={access.gateId}
            access={access}
            gateName={gateName(access.gateId)}
            view={views.find(({ id }) => id === access.key)}
            isOfNewMember={isOfNewMember}
            isOpenAtFirst={!isOfNewMember && (place === 0 || access.isNew)}
            isSent={isSent}
            timezone={timezone}
            nowMs={nowMs}
            theirs={
              their?.of === 'access' && (
                <TheirAccess access={their.access} take={taken => put(place, taken)} />
              )
            }
            change={changed => put(place, changed)}
            remove={() => change(accesses.toSpliced(place, 1))}
          />
        )
      })}
      {views
        .filter(({ id }) => !accesses.some(({ key }) => key === id))
        .map(view => (
          <RemovedAccess
            key={view.id}
            gateName={gateName(view.gateId)}
            keep={() => change([...accesses, accessValuesOf(view)])}
          />
        ))}
      {!isWithout && giving}
    </div>
  )
}
