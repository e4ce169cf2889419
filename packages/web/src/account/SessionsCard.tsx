// The sessions of the user: the browsers on which they are signed in, each of which can be ended from another one.

import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import { useState } from 'react'
import { useChange, useRead } from '../client/reading.tsx'
import { AskDialog } from '../confirm/AskDialog.tsx'
import { Badge } from '../kit/Badge.tsx'
import { Button } from '../kit/Button.tsx'
import { Card } from '../kit/Card.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { sayUsed } from '../members/memberWords.ts'
import { timeOrDay } from '../words/time.ts'
import { sayFailure, useAccountReader } from './accountWords.ts'

const everyMs = 30_000

type OwnSession = AppAnswerOf<'listSessions'>['body']['sessions'][number]

/** Ends one session, or all but the current one. */
function EndSessions(props: {
  readonly of: OwnSession | 'others'
  readonly others: number
  readonly close: () => void
}) {
  const { close, of, others } = props
  const { words } = useAccountReader()
  const says = words.account.sessions
  const end = useChange('endSession')
  const endOthers = useChange('endOtherSessions')
  const isAll = of === 'others'
  return (
    <AskDialog
      title={isAll ? says.othersTitle : says.endTitle(says.browser(of.browser))}
      does={isAll ? says.othersDoes : says.endDoes}
      doing={says.ending}
      means={isAll ? says.othersMeans(others) : says.endMeans}
      isDanger
      sayFailure={failure => sayFailure(failure, words)}
      // A session that has ended meanwhile is no failure.
      go={async () => {
        const result = isAll ? await endOthers({}) : await end({ params: { sessionId: of.id } })
        return !result.ok && result.code === 'not_found' ? { ok: true } : result
      }}
      close={close}
    />
  )
}

function SessionList({ sessions }: { readonly sessions: readonly OwnSession[] }) {
  const reader = useAccountReader()
  const says = reader.words.account.sessions
  const [ending, setEnding] = useState<OwnSession | 'others'>()
  const others = sessions.filter(({ isCurrent }) => !isCurrent).length
  return (
    <>
      <ul className="account-rows">
        {sessions.map(session => (
          <li key={session.id}>
            <span className="account-row-names">
              <b>{says.browser(session.browser)}</b>
              <span className="small quiet">
                {says.began(timeOrDay(session.createdAt, reader.nowMs, reader.times))} ·{' '}
                {says.used(sayUsed(session.lastSeenAt, reader))}
              </span>
            </span>
            {session.isCurrent ? (
              <Badge tone="open" icon="opened" word={says.current} />
            ) : (
              <Button
                aria-label={says.endOf(says.browser(session.browser))}
                onClick={() => setEnding(session)}
              >
                {says.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others > 0 && (
        <div className="account-actions">
          <Button look="danger" onClick={() => setEnding('others')}>
            {says.endOthers}
          </Button>
        </div>
      )}
      {ending && <EndSessions of={ending} others={others} close={() => setEnding(undefined)} />}
    </>
  )
}

export function SessionsCard() {
  const { words } = useAccountReader()
  const says = words.account.sessions
  const read = useRead('listSessions', {}, { everyMs })
  return (
    <Card title={says.title}>
      <p className="quiet">{says.why}</p>
      <NotRead what={says.what} of={read} />
      {!read.value && !read.failure && <Skeleton bars={[56, 57]} />}
      {read.value && <SessionList sessions={read.value.sessions} />}
    </Card>
  )
}
