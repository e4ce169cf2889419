// The history: every press of the last 30 days as bars, and the presses that match the filters.

import { useMemo } from 'react'
import { fileAddress } from '../client/client.ts'
import { useRead, useReadPages, useTogether } from '../client/reading.tsx'
import { useSpace } from '../client/session.tsx'
import { useReader } from '../gates/useGateReader.ts'
import { Page } from '../kit/Page.tsx'
import { Empty, NotRead, Skeleton } from '../kit/states.tsx'
import { zoneOf } from '../words/zone.ts'
import { ExportLink } from './ExportLink.tsx'
import { useFilters } from './FilterParts.tsx'
import { historyQuery, isFiltered, todayOf } from './filters.ts'
import { fittingTotal } from './fittingTotal.ts'
import { HistoryFilters } from './HistoryFilters.tsx'
import { HistoryList } from './HistoryList.tsx'
import { More } from './More.tsx'
import { PressesByDay } from './PressesByDay.tsx'
import { RecordTabs } from './RecordTabs.tsx'
import './history.css'

/** The number of presses that are read at a time. */
const pageSize = 50
/** The times on the page are not updated every second. */
const everyMs = 30_000

/** The heights of the first rows of the list. */
const rows = [40, [64, 130], [64, 130], [64, 130]] as const

export function HistoryPage() {
  const reader = useReader(everyMs)
  const { frame, history: says } = reader.words
  const { space } = useSpace()
  const [filters, change] = useFilters()
  const zone = useMemo(() => zoneOf(reader.times.zone), [reader.times.zone])
  const today = todayOf(zone, reader.nowMs)
  const query = useMemo(() => historyQuery(filters, zone, today), [filters, zone, today])
  const read = useReadPages('listHistory', { query: { ...query, limit: pageSize } })
  const gateways = useRead('listGateways', {})
  const counts = useRead('getHistoryCounts', {})
  const isTogether = useTogether(counts, { value: read.pages, failure: read.failure })
  const records = read.pages?.flatMap(({ openings }) => openings)
  const running = records?.filter(record => record.class === 'running').length ?? 0
  const total = counts.value && fittingTotal(filters, counts.value.days, running)
  const file = fileAddress('exportHistory', { params: { spaceId: space.id }, query })
  return (
    <Page title={frame.pages.history} says={says.says} actions={<ExportLink href={file} />}>
      <RecordTabs shown="history" />
      {isTogether ? (
        <>
          {counts.value && <PressesByDay days={counts.value.days} reader={reader} />}
          {!counts.value && <NotRead what={says.counts} of={counts} />}
          <HistoryFilters filters={filters} change={change} records={records ?? []} reader={reader} />
          <NotRead what={says.list} of={read} />
          {!records && !read.failure && <Skeleton bars={rows} />}
          {records?.length === 0 &&
            (isFiltered(filters) ? (
              <Empty title={says.noneFits} />
            ) : (
              <Empty title={says.none}>{says.noneWhy}</Empty>
            ))}
          {records && records.length > 0 && (
            <>
              <HistoryList records={records} gateways={gateways.value?.gateways ?? []} reader={reader} />
              <More shown={records.length} total={total} read={read} />
            </>
          )}
        </>
      ) : (
        <Skeleton bars={[[178, 247], [44, 106], ...rows]} />
      )}
    </Page>
  )
}
