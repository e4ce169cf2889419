// The activity: every administrative change, with filters in the address.

import { useMemo } from 'react'
import { fileAddress } from '../client/client.ts'
import { useReadPages } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { useReader } from '../gates/useGateReader.ts'
import { ExportLink } from '../history/ExportLink.tsx'
import { GateFilter, TimeFilter, useFilters } from '../history/FilterParts.tsx'
import { activityQuery, isFiltered, noFilters, todayOf } from '../history/filters.ts'
import { WhoFilter } from '../history/HistoryFilters.tsx'
import { More } from '../history/More.tsx'
import { RecordTabs } from '../history/RecordTabs.tsx'
import { Page } from '../kit/Page.tsx'
import { Empty, NotRead, Skeleton } from '../kit/states.tsx'
import { activityTexts } from '../words/activityTexts.ts'
import { zoneOf } from '../words/zone.ts'
import { ActivityList } from './ActivityList.tsx'
import '../history/history.css'

/** The number of entries that are read at a time. */
const pageSize = 50
/** The times on the page are not updated every second. */
const everyMs = 30_000

export function ActivityPage() {
  const reader = useReader(everyMs)
  const { frame, history } = reader.words
  const says = activityTexts(reader.words)
  const { space } = useSpace()
  const [filters, change] = useFilters()
  const zone = useMemo(() => zoneOf(reader.times.zone), [reader.times.zone])
  const today = todayOf(zone, reader.nowMs)
  const query = useMemo(() => activityQuery(filters, zone, today), [filters, zone, today])
  const read = useReadPages('listActivity', { query: { ...query, limit: pageSize } })
  const entries = read.pages?.flatMap(({ activity }) => activity)
  const file = fileAddress('exportActivity', { params: { spaceId: space.id }, query })
  return (
    <Page title={frame.pages.activity} says={says.says} actions={<ExportLink href={file} />}>
      <RecordTabs shown="activity" />
      <div className="filters">
        <WhoFilter only="member" by={filters.by} change={by => change({ by })} reader={reader} records={[]} />
        <GateFilter filters={filters} change={change} reader={reader} />
        <TimeFilter filters={filters} change={change} reader={reader} />
        {isFiltered(filters) && (
          <button type="button" className="link filter-none" onClick={() => change(noFilters)}>
            {history.clear}
          </button>
        )}
      </div>
      <NotRead what={says.list} of={read} />
      {!entries && !read.failure && <Skeleton bars={[64, 65, 66]} />}
      {entries?.length === 0 &&
        (isFiltered(filters) ? (
          <Empty title={says.noneFits} />
        ) : (
          <Empty title={says.nothing}>{says.nothingWhy}</Empty>
        ))}
      {entries && entries.length > 0 && (
        <>
          <ActivityList entries={entries} reader={reader} />
          <More shown={entries.length} read={read} />
        </>
      )}
    </Page>
  )
}
