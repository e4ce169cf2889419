// The presses as a table with days as rows, in which each press unfolds to its evidence. On a phone each row is a card.

import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { useState } from 'react'
import { Link } from 'wouter'
import { useSpace } from '../client/session.tsx'
import { adviceOf, hasSameCause, pathOf } from '../gates/advice.ts'
import { foldAlike, saySpan, sayTimes } from '../gates/alike.ts'
import type { Reader } from '../gates/gateWords.ts'
import { OpeningDetail } from '../gates/OpeningDetail.tsx'
import { DayTable } from '../kit/DayTable.tsx'
import { OpeningRing } from '../kit/OpeningRing.tsx'
import { openingLook } from '../kit/openingLook.ts'
import { Unfold } from '../kit/Unfold.tsx'
import { byDay, timeOfDay } from '../words/time.ts'
import { sayDay, sayHow, sayName, sayWhy } from './historyWords.ts'
import '../gates/timeline.css'

/** `newer`: the row above. */
function ToDo(props: {
  readonly record: OpeningRecord
  readonly newer: OpeningRecord | undefined
  readonly reader: Reader
}) {
  const { newer, reader, record } = props
  const says = reader.words.history
  const { space } = useSpace()
  const advised = adviceOf(record)
  if (!advised) return <span className="hint">–</span>
  if (newer && hasSameCause(newer, record)) return <span className="hint">{says.sameCause}</span>
  const { again, remedy } = advised
  const path = pathOf(advised, record, space.id)
  // Removing the cause comes before another press, which may end in the same way.
  if (!remedy) return <span className="hint">{again ? says.agains[again] : says.nothing}</span>
  const text = says.remedies[remedy]
  if (path === undefined) return <span className="hint">{text}</span>
  return (
    <Link className="link" href={path}>
      {text}
    </Link>
  )
}

/** A row of the table: an opening, which unfolds to its evidence, or several that say the same, which unfold to a row each. */
interface Shown {
  readonly id: string
  readonly records: readonly [OpeningRecord, ...OpeningRecord[]]
}

interface RowProps {
  readonly shown: Shown
  readonly newer: OpeningRecord | undefined
  readonly gatewayOf: (record: OpeningRecord) => string | undefined
  readonly reader: Reader
  readonly columns: number
  readonly hasToDo: boolean
}

const rowsOf = (records: readonly OpeningRecord[]): readonly Shown[] =>
  foldAlike(records).flatMap(([first, ...others]) =>
    first ? [{ id: first.id, records: [first, ...others] as const }] : [],
  )

function Cells(props: RowProps & { readonly isUnfolded: boolean; readonly unfold: (is: boolean) => void }) {
  const { hasToDo, isUnfolded, newer, reader, shown, unfold } = props
  const { gate, history: says, openings } = reader.words
  const { records } = shown
  const [record] = records
  const why = [
    sayWhy(record, reader),
    record.joinedOpeningId === null ? '' : says.joined,
    record.seen === null ? '' : gate.wasSeen[record.seen],
    record.duration && records.length === 1 ? says.seconds(record.duration) : '',
    saySpan(records, reader),
  ]
  return (
    <tr className="record">
      <td className="record-time quiet">
        <time dateTime={record.calledAt}>{timeOfDay(record.calledAt, reader.times)}</time>
      </td>
      <td className="record-gate">{record.gateName}</td>
      <td className="record-result">
        <Unfold className="record-unfold" isUnfolded={isUnfolded} unfold={unfold}>
          <OpeningRing look={openingLook(record)} size={30} />
          <span className="record-lines">
            <b>{sayTimes(openings.classes[record.class], records, reader)}</b>
            {/* No line begins with the dot. */}
            <span className="small quiet">{why.filter(Boolean).join('\u00a0· ')}</span>
          </span>
        </Unfold>
      </td>
      <td className="record-by">
        <span className="record-lines">
          <b>{sayName(record, reader.words)}</b>
          <span className="small quiet">{sayHow(record, reader)}</span>
        </span>
      </td>
      {hasToDo && (
        <td className={adviceOf(record) ? 'record-todo' : 'record-todo record-todo-none'}>
          <ToDo record={record} newer={newer} reader={reader} />
        </td>
      )}
    </tr>
  )
}

function Row(props: RowProps) {
  const { columns, gatewayOf, reader, shown } = props
  const [isUnfolded, setUnfolded] = useState(false)
  const { records } = shown
  const [record] = records
  return (
    <>
      <Cells {...props} isUnfolded={isUnfolded} unfold={setUnfolded} />
      {isUnfolded && records.length === 1 && (
        <tr className="record-detail">
          <td colSpan={columns}>
            <OpeningDetail record={record} gateway={gatewayOf(record)} reader={reader} />
          </td>
        </tr>
      )}
      {isUnfolded &&
        records.length > 1 &&
        records.map((one, place) => (
          <Row key={one.id} {...props} shown={{ id: one.id, records: [one] }} newer={records[place - 1]} />
        ))}
    </>
  )
}

export function HistoryList(props: {
  readonly records: readonly OpeningRecord[]
  readonly gateways: readonly GatewayView[]
  readonly reader: Reader
}) {
  const { gateways, reader, records } = props
  const says = reader.words.history
  // The column is there while one of the presses has something to do.
  const hasToDo = records.some(record => adviceOf(record) !== undefined)
  const { todo, ...always } = says.columns
  const columns = hasToDo ? { ...always, todo } : always
  return (
    <DayTable
      className="records"
      caption={says.list}
      columns={columns}
      days={byDay(records, ({ calledAt }) => sayDay(calledAt, reader)).map(({ day, rows }) => ({
        day,
        rows: rowsOf(rows),
      }))}
    >
      {(shown, before) => (
        <Row
          shown={shown}
          newer={before?.records.at(-1)}
          gatewayOf={({ gatewayId }) => gateways.find(({ id }) => id === gatewayId)?.name}
          reader={reader}
          columns={Object.keys(columns).length}
          hasToDo={hasToDo}
        />
      )}
    </DayTable>
  )
}
