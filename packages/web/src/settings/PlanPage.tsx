// The plan of the Space, and how much of it is used.

import type { SpaceView } from '@callgate/contract/app/space'
import { useRead } from '../client/reading.tsx'
import { Banner } from '../kit/Banner.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { useReader } from '../members/useMemberReader.ts'
import { count, dayAndMonth } from '../words/time.ts'
import { SettingsFrame } from './SettingsFrame.tsx'

type PlanNow = SpaceView['now']

const readEveryMs = 60_000

const nameOf = (plan: string) => plan.charAt(0).toUpperCase() + plan.slice(1)

function Use(props: {
  readonly what: string
  readonly of: { readonly used: number; readonly limit: number }
  readonly note?: string
}) {
  const { note, what } = props
  const { limit, used } = props.of
  const { words } = useReader()
  const says = words.space.plan
  const isFull = used >= limit
  const part = limit === 0 ? 1 : Math.min(1, used / limit)
  return (
    <div className="plan-use">
      <dt>{what}</dt>
      <dd>{says.of(count(used, words.locale), count(limit, words.locale))}</dd>
      <dd className={isFull ? 'plan-meter plan-meter-full' : 'plan-meter'} aria-hidden="true">
        <span style={{ width: `${part * 100}%` }} />
      </dd>
      {(isFull || note !== undefined) && (
        <dd className="small quiet">{[isFull && says.full, note].filter(Boolean).join(' ')}</dd>
      )}
    </div>
  )
}

function Plan({ now }: { readonly now: PlanNow }) {
  const { nowMs, times, words } = useReader()
  const says = words.space.plan
  const day = (at: string) => dayAndMonth(at, nowMs, times)
  const { trialEndsAt } = now
  const isRunning = trialEndsAt !== null && Date.parse(trialEndsAt) > nowMs
  return (
    <>
      {trialEndsAt !== null && (isRunning || now.plan === 'free') && (
        <Banner tone="look">{(isRunning ? says.trialUntil : says.trialEnded)(day(trialEndsAt))}</Banner>
      )}
      <section className="card">
        <dl className="plan-uses">
          <Use what={says.gates} of={now.gates} />
          <Use what={says.invitations} of={now.invitations} note={says.from(day(now.invitations.resetsAt))} />
          <Use what={says.gateways} of={now.gateways} />
          <Use what={says.users} of={now.users} />
          <Use what={says.keys} of={now.keys} />
          <Use what={says.webhooks} of={now.webhooks} />
          <div className="plan-use">
            <dt>{says.api}</dt>
            <dd>{now.hasApi ? says.hasApi : says.hasNoApi}</dd>
          </div>
        </dl>
      </section>
      <p className="small quiet">{says.who}</p>
    </>
  )
}

export function PlanPage() {
  const { words } = useReader()
  const says = words.space.plan
  const read = useRead('getSpace', {}, { everyMs: readEveryMs })
  const now = read.value?.space.now
  return (
    <SettingsFrame part="plan" title={says.title} says={now ? says.says(nameOf(now.plan)) : says.reading}>
      <NotRead what={says.what} of={read} />
      {!now && !read.failure && <Skeleton bars={[220]} />}
      {now && <Plan now={now} />}
    </SettingsFrame>
  )
}
