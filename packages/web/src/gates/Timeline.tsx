// The openings of a gate as a timeline: days and rows; each row unfolds to its evidence.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useRead } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { OpeningRing } from '../kit/OpeningRing.tsx'
import { openingLook } from '../kit/openingLook.ts'
import { useIsPhone } from '../kit/phone.ts'
import { NotRead, Skeleton } from '../kit/states.tsx'
import { Unfold } from '../kit/Unfold.tsx'
import { hrefOf } from '../shell/navigation.ts'
import { byDay, dayAndMonth, daysBack, timeOfDay } from '../words/time.ts'
import { asFarAs, type GateCall } from './gateCall.ts'
import { type Reader, sayWhat, sayWho } from './gateWords.ts'
import { OpeningDetail } from './OpeningDetail.tsx'
import { readEveryMs } from './useGateReader.ts'
import './timeline.css'

/** The page of the history has all of them. */
const readAtOnce = 20
/** What is shown until somebody asks for more. */
const shownAtFirst = { phone: 1, desk: 8 }

/** The query of the openings that are shown first. */
export const lastOpenings = (gateId: string, classes?: string) => ({
  query: { gateId, limit: readAtOnce, classes },
})

const filters = { all: undefined, did_not_open: 'did_not_open,not_called', unknown: 'unknown' } as const
type Filter = keyof typeof filters

function sayDay(at: string, { nowMs, times, words }: Reader): string {
  const days = daysBack(at, nowMs, times)
  if (days === 0) return words.gate.today
  return days === 1 ? words.gate.yesterday : dayAndMonth(at, nowMs, times)
}

/** The second line of a row: the presser, and additional facts. */
function sayBelow(record: OpeningRecord, reader: Reader): string {
  const { gate, openings } = reader.words
  const more = [
    sayWho(record, reader),
    ...(record.joinedOpeningId === null ? [] : [openings.hasJoined]),
    ...(record.joiners === 0 ? [] : [openings.joined(record.joiners)]),
    ...(record.safeToRetry ? [openings.safe] : []),
    ...(record.seen === null ? [] : [gate.wasSeen[record.seen]]),
  ]
  return more.join(' · ')
}

function Row(props: {
  readonly record: OpeningRecord
  readonly gateway: string | undefined
  readonly reader: Reader
  readonly isFirst: boolean
}) {
  const { gateway, isFirst, reader, record } = props
  const [isUnfolded, setUnfolded] = useState(isFirst)
  return (
    <li className="opening">
      <Unfold className="opening-row" isUnfolded={isUnfolded} unfold={setUnfolded} arrow={20}>
        <time dateTime={record.calledAt}>{timeOfDay(record.calledAt, reader.times)}</time>
        <OpeningRing look={openingLook(record)} size={28} />
        <span className="opening-says">
          <b>{sayWhat(record, reader)}</b>
          <span className="small quiet">{sayBelow(record, reader)}</span>
        </span>
        <span className="small quiet">
          {record.duration === null || record.duration === 0
            ? ''
            : reader.words.gate.seconds(record.duration)}
        </span>
      </Unfold>
      {isUnfolded && <OpeningDetail record={record} gateway={gateway} reader={reader} />}
    </li>
  )
}

function Rows(props: {
  readonly records: readonly OpeningRecord[]
  readonly isFirstUnfolded: boolean
  readonly gateways: readonly GatewayView[]
  readonly call: GateCall
  readonly reader: Reader
}) {
  const { call, gateways, isFirstUnfolded, reader, records } = props
  const first = records[0]?.id
  return byDay(records, ({ calledAt }) => sayDay(calledAt, reader)).map(({ day, rows }) => (
    <section key={day} className="timeline-day">
      <h3 className="small quiet">{day}</h3>
      <ol>
        {rows.map(record => (
          <Row
            key={record.id}
            record={asFarAs(record, call)}
            gateway={gateways.find(({ id }) => id === record.gatewayId)?.name}
            reader={reader}
            isFirst={isFirstUnfolded && record.id === first && record.class !== 'running'}
          />
        ))}
      </ol>
    </section>
  ))
}

export function Timeline(props: {
  readonly gateId: string
  readonly gateways: readonly GatewayView[]
  /** The state of the page's button. */
  readonly call: GateCall
  readonly reader: Reader
}) {
  const { gateId, gateways, reader } = props
  const says = reader.words.gate
  const [filter, setFilter] = useState<Filter>('all')
  const { space } = useSpace()
  const read = useRead('listHistory', lastOpenings(gateId, filters[filter]), { everyMs: readEveryMs })
  const records = read.value?.openings
  const isPhone = useIsPhone()
  const [isWhole, setWhole] = useState(false)
  const isShort = isPhone && !isWhole
  const atFirst = isWhole ? readAtOnce : shownAtFirst[isPhone ? 'phone' : 'desk']
  const isEmpty = filter === 'all' && records?.length === 0
  const hasFilter = !isShort && !isEmpty
  return (
    <section className="card timeline" aria-label={says.openings}>
      <div className="timeline-head">
        <h2>{isShort ? says.lastOpening : says.openings}</h2>
        {hasFilter && (
          <SegmentedControl
            aria-label={says.filter}
            value={filter}
            onChange={value => setFilter(value as Filter)}
            data={Object.entries(says.filters).map(([value, label]) => ({ value, label }))}
          />
        )}
      </div>
      {records && records.length === 0 && (
        <div className="timeline-none">
          <b>{filter === 'all' ? says.none : says.noneOfKind}</b>
          {filter === 'all' && <p className="quiet small">{says.noneWhy}</p>}
        </div>
      )}
      {records && (
        <Rows
          records={records.slice(0, atFirst)}
          isFirstUnfolded={!isPhone}
          gateways={gateways}
          call={props.call}
          reader={reader}
        />
      )}
      {!records && read.failure && <NotRead what={says.openings} of={read} />}
      {!records && !read.failure && <Skeleton bars={[40, 41, 42]} />}
      {records && records.length > 0 && (
        <p className="timeline-foot">
          {records.length > atFirst && (
            <button type="button" className="link target" onClick={() => setWhole(true)}>
              {says.earlier}
            </button>
          )}
          <Link
            className="link target"
            href={`${hrefOf(dashboardPaths.history, { spaceId: space.id })}?gate=${gateId}&time=all`}
          >
            {says.openAll}
          </Link>
        </p>
      )}
    </section>
  )
}
