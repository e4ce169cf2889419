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
import { foldAlike, saySpan, sayTimes } from './alike.ts'
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

/** A row: an opening, which unfolds to its evidence, or several that say the same, which unfold to a row each. */
type Shown = readonly OpeningRecord[]

interface RowProps {
  readonly shown: Shown
  readonly gatewayOf: (record: OpeningRecord) => string | undefined
  readonly reader: Reader
  readonly isFirst?: boolean
}

function Row(props: RowProps) {
  const { gatewayOf, isFirst = false, reader, shown } = props
  const [isUnfolded, setUnfolded] = useState(isFirst)
  const [record] = shown
  if (!record) return null
  const isOne = shown.length === 1
  const below = [sayBelow(record, reader), saySpan(shown, reader)]
  return (
    <li className="opening">
      <Unfold className="opening-row" isUnfolded={isUnfolded} unfold={setUnfolded} arrow={20}>
        <time dateTime={record.calledAt}>{timeOfDay(record.calledAt, reader.times)}</time>
        <OpeningRing look={openingLook(record)} size={28} />
        <span className="opening-says">
          <b>{sayTimes(sayWhat(record, reader), shown, reader)}</b>
          <span className="small quiet">{below.filter(Boolean).join(' · ')}</span>
        </span>
        <span className="small quiet">
          {isOne && record.duration ? reader.words.gate.seconds(record.duration) : ''}
        </span>
      </Unfold>
      {isUnfolded && isOne && <OpeningDetail record={record} gateway={gatewayOf(record)} reader={reader} />}
      {isUnfolded && !isOne && (
        <ol className="openings-alike">
          {shown.map(one => (
            <Row key={one.id} shown={[one]} gatewayOf={gatewayOf} reader={reader} />
          ))}
        </ol>
      )}
    </li>
  )
}

const dayOf = (reader: Reader) => (record: OpeningRecord | undefined) =>
  sayDay(record?.calledAt ?? '', reader)

/** The rows, newest first. No row is of two days, and the newest opening is one for itself, which shows its evidence. */
function rowsOf(records: readonly OpeningRecord[], reader: Reader): readonly Shown[] {
  const [newest, ...others] = records
  if (!newest) return []
  return [[newest], ...byDay(others, dayOf(reader)).flatMap(({ rows }) => foldAlike(rows))]
}

function Days(
  props: Omit<RowProps, 'shown'> & { readonly rows: readonly Shown[]; readonly isUnfolded: boolean },
) {
  const { gatewayOf, isUnfolded, reader, rows: all } = props
  const newest = all[0]
  return byDay(all, ([record]) => dayOf(reader)(record)).map(({ day, rows }) => (
    <section key={day} className="timeline-day">
      <h3 className="small quiet">{day}</h3>
      <ol>
        {rows.map(shown => (
          <Row
            key={shown[0]?.id}
            shown={shown}
            gatewayOf={gatewayOf}
            reader={reader}
            isFirst={isUnfolded && shown === newest && shown[0]?.class !== 'running'}
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
  const { call, gateId, gateways, reader } = props
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
  const rows = rowsOf(records?.map(record => asFarAs(record, call)) ?? [], reader)
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
      <Days
        rows={rows.slice(0, atFirst)}
        isUnfolded={!isPhone}
        gatewayOf={({ gatewayId }) => gateways.find(({ id }) => id === gatewayId)?.name}
        reader={reader}
      />
      {!records && read.failure && <NotRead what={says.openings} of={read} />}
      {!records && !read.failure && <Skeleton bars={[40, 41, 42]} />}
      {records && records.length > 0 && (
        <p className="timeline-foot">
          {rows.length > atFirst && (
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
