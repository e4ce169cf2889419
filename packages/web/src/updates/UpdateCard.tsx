// The program of a gateway: its version, the newer one that is offered, and the permission to install it.

import type { GatewayUpdate, UpdateHours } from '@callgate/contract/app/update'
import { useChange } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { useSending } from '../confirm/useSending.ts'
import { type Reader, sayWhen } from '../gates/gateWords.ts'
import { Banner } from '../kit/Banner.tsx'
import { Button } from '../kit/Button.tsx'
import { Facts } from '../kit/Facts.tsx'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { sayProblem } from '../words/problems.ts'
import { updateTexts } from './updateTexts.ts'
import { sayCause } from './updateWords.ts'
import { useUpdates } from './useOffers.ts'

function sayLast(last: NonNullable<GatewayUpdate['last']>, reader: Reader): string {
  const says = updateTexts(reader.words)
  const { at, state, version } = last
  const when = sayWhen(at, reader)
  const known = (Object.keys(says.states) as (keyof typeof says.states)[]).find(word => word === state)
  return known ? says.states[known](version, when) : says.otherState(version, state, when)
}

/** The version, and a sentence about the last update, with its cause below it. */
function Now({ update, reader }: { readonly update: GatewayUpdate; readonly reader: Reader }) {
  const says = updateTexts(reader.words)
  const { last, version } = update
  return (
    <Facts rows={[[says.version, version ?? says.versionUnknown]]}>
      {last !== null && (
        <div className="fact fact-long">
          <dt className="quiet">{says.last}</dt>
          <dd>{sayLast(last, reader)}</dd>
        </div>
      )}
    </Facts>
  )
}

/** A newer version, with the button of an owner. */
function Newer(props: {
  readonly offered: NonNullable<GatewayUpdate['offered']>
  readonly canUpdate: boolean
  readonly hours: UpdateHours | null
  readonly isBusy: boolean
  readonly reader: Reader
  readonly allow: () => void
}) {
  const { allow, canUpdate, hours, isBusy, offered, reader } = props
  const says = updateTexts(reader.words)
  const isOwner = useSpace().space.role === 'owner'
  return (
    <div className="update-offer">
      <p>
        <b>{says.newer(offered.version)}</b>
      </p>
      {offered.notes !== null && (
        <p>
          {says.notes} <span lang="en">{offered.notes}</span>
        </p>
      )}
      <p className="small quiet">{canUpdate ? (isOwner ? says.how : says.onlyOwners) : says.cannot}</p>
      {canUpdate && hours && <p className="small quiet">{says.hours.now(hours.from, hours.to)}</p>}
      {canUpdate && isOwner && (
        <div className="button-row">
          <Button busy={isBusy ? says.updating : undefined} onClick={allow}>
            {says.update(offered.version)}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The offered version, and whether it is allowed. */
function Offer(props: {
  readonly update: GatewayUpdate
  readonly hours: UpdateHours | null
  readonly reader: Reader
}) {
  const { hours, reader, update } = props
  const { words } = reader
  const says = updateTexts(words)
  const isOwner = useSpace().space.role === 'owner'
  const allow = useChange('allowUpdate')
  const disallow = useChange('disallowUpdate')
  const { asksWho, failure, isBusy, send } = useSending()
  const { allowed, askedAt, canUpdate, gatewayId, offered } = update
  const params = { gatewayId }
  const isAllowed = allowed !== null && (offered === null || allowed.version === offered.version)
  return (
    <>
      {askedAt !== null && (
        <Banner tone="call" title={says.asked(sayWhen(askedAt, reader))}>
          {says.askedHow}
        </Banner>
      )}
      {askedAt === null && isAllowed && (
        <Banner
          tone="open"
          title={says.allowed(allowed.version)}
          action={
            isOwner && (
              <button
                type="button"
                className="link"
                disabled={isBusy}
                onClick={() => void send(() => disallow({ params }))}
              >
                {says.takeBack}
              </button>
            )
          }
        >
          {says.allowedHow}
        </Banner>
      )}
      {offered === null && askedAt === null && !isAllowed && <p className="small quiet">{says.newest}</p>}
      {offered !== null && askedAt === null && !isAllowed && (
        <Newer
          offered={offered}
          canUpdate={canUpdate}
          hours={hours}
          isBusy={isBusy}
          reader={reader}
          allow={() => void send(() => allow({ params, body: { version: offered.version } }))}
        />
      )}
      <div role="alert" className="small">
        {failure && sayProblem(failure, words)}
      </div>
      {asksWho}
    </>
  )
}

export function UpdateCard({ gatewayId, reader }: { readonly gatewayId: string; readonly reader: Reader }) {
  const says = updateTexts(reader.words)
  const read = useUpdates()
  const update = read.value?.updates.find(one => one.gatewayId === gatewayId)
  const cause = update?.last && sayCause(update.last, reader.words)
  // Its version alone stands among the facts about the gateway.
  if (update && !update.offered && !update.allowed && !update.last && update.askedAt === null) return null
  return (
    <section className="card update-card">
      <h2>{says.title}</h2>
      <NotRead what={says.title} of={read} />
      {!read.value && !read.failure && <Skeleton bars={[20, 24]} />}
      {update && (
        <>
          <Now update={update} reader={reader} />
          {cause !== undefined && <p className="small quiet">{cause}</p>}
          <Offer update={update} hours={read.value?.hours ?? null} reader={reader} />
        </>
      )}
    </section>
  )
}
