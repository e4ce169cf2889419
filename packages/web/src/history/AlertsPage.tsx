// The alerts: the open ones, with what to check, and those that are over.

import type { Incident } from '@callgate/contract/app/incident'
import { sayWhat } from '../alerts/alertWords.ts'
import { AlertList, useIncidents } from '../alerts/OpenAlerts.tsx'
import { useRead, useReadPages } from '../client/reading.tsx'
import { claimsOf, sayUnopened } from '../gates/claims.ts'
import type { Reader } from '../gates/gateWords.ts'
import { useReader } from '../gates/useGateReader.ts'
import { sayDuration } from '../gateways/gatewayWords.ts'
import { DayTable } from '../kit/DayTable.tsx'
import { Page } from '../kit/Page.tsx'
import { Empty, NotRead, Skeleton } from '../kit/states.tsx'
import { byDay, timeOfDay } from '../words/time.ts'
import { sayDay } from './historyWords.ts'
import { More } from './More.tsx'
import { Muted } from './Muted.tsx'
import { RecordTabs } from './RecordTabs.tsx'
import './history.css'

/** The times on the page are not updated every second. */
const everyMs = 30_000
/** The number of alerts that are read at a time. */
const pageSize = 50

/** On a phone a time names itself, because its column has no head. */
const Label = ({ children }: { readonly children: string }) => (
  <span className="record-label">{children} </span>
)

/** The duration: `2 h 14 min`. */
function sayLasted({ closedAt, seenAt }: Incident, reader: Reader): string {
  const lastedMs = Date.parse(closedAt ?? seenAt) - Date.parse(seenAt)
  return sayDuration(Math.max(0, Math.round(lastedMs / 1000)), reader)
}

function PastRow({ incident, reader }: { readonly incident: Incident; readonly reader: Reader }) {
  const { took, time } = reader.words.alerts.columns
  return (
    <tr className="record alert-past">
      <td className="record-time quiet">
        <Label>{time}</Label>
        <time dateTime={incident.seenAt}>{timeOfDay(incident.seenAt, reader.times)}</time>
      </td>
      <td className="record-result">
        <b>{sayWhat(incident, reader)}</b>
      </td>
      <td className="record-took quiet">
        <Label>{took}</Label>
        {sayLasted(incident, reader)}
      </td>
    </tr>
  )
}

function Past({ reader }: { readonly reader: Reader }) {
  const says = reader.words.alerts
  const read = useReadPages('listPastIncidents', { query: { limit: pageSize } })
  const past = read.pages?.flatMap(({ incidents }) => incidents)
  return (
    <section className="alerts-past" aria-labelledby="alerts-past">
      <h2 id="alerts-past">{says.past}</h2>
      <NotRead what={says.what} of={read} />
      {!past && !read.failure && <Skeleton bars={[64, 65, 66]} />}
      {past?.length === 0 && <p className="quiet">{says.nothingPast}</p>}
      {past && past.length > 0 && (
        <>
          <DayTable
            className="records alerts-table"
            caption={says.past}
            columns={says.columns}
            days={byDay(past, ({ seenAt }) => sayDay(seenAt, reader))}
          >
            {incident => <PastRow incident={incident} reader={reader} />}
          </DayTable>
          {read.hasMore && <More shown={past.length} read={read} />}
        </>
      )}
    </section>
  )
}

/** The gates that were called and are not known to have opened: that no alert is open must not sound as if all were well. */
function useUnopened({ words }: Reader): string {
  const gates = useRead('listGates', {}, { everyMs })
  const figures = useRead('listGateFigures', {}, { everyMs })
  if (!gates.value || !figures.value) return ''
  const known = { gates: gates.value.gates, figures: figures.value.figures, gateways: undefined }
  return sayUnopened(claimsOf(known), words)
}

export function AlertsPage() {
  const reader = useReader(everyMs)
  const { alerts: says, frame } = reader.words
  const read = useIncidents()
  const open = read.value?.incidents
  const unopened = useUnopened(reader)
  return (
    <Page
      title={frame.pages.alerts}
      says={
        read.value && [says.says(read.value.total), open?.length === 0 && unopened].filter(Boolean).join(' ')
      }
    >
      <RecordTabs shown="alerts" />
      <NotRead what={says.what} of={read} />
      <Muted mute={read.value?.mute} reader={reader} />
      {!open && !read.failure && <Skeleton bars={[72, 73]} />}
      {open?.length === 0 && (
        <div className="alerts">
          <Empty title={says.whatShows}>{says.nothingWhy}</Empty>
        </div>
      )}
      {open && open.length > 0 && <AlertList incidents={open} reader={reader} />}
      <Past reader={reader} />
    </Page>
  )
}
