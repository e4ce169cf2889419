// The presses as a table with days as rows, in which each press unfolds to its evidence. On a phone each row is a card.

import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { useState } from 'react'
import { Link } from 'wouter'
import { useSpace } from '../client/session.tsx'
import { adviceOf, hasSameCause, pathOf } from '../gates/advice.ts'
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

function Row(props: {
  readonly record: OpeningRecord
  readonly newer: OpeningRecord | undefined
  readonly gateway: string | undefined
  readonly reader: Reader
  readonly columns: number
  readonly hasToDo: boolean
}) {
  const { columns, gateway, hasToDo, newer, reader, record } = props
  const { gate, history: says, openings } = reader.words
  const [isUnfolded, setUnfolded] = useState(false)
  const why = [
    sayWhy(record, reader),
    record.joinedOpeningId === null ? '' : says.joined,
    record.seen === null ? '' : gate.wasSeen[record.seen],
    record.duration ? says.seconds(record.duration) : '',
  ]
  return (
    <>
      <tr className="record">
        <td className="record-time quiet">
          <time dateTime={record.calledAt}>{timeOfDay(record.calledAt, reader.times)}</time>
        </td>
        <td className="record-gate">{record.gateName}</td>
        <td className="record-result">
          <Unfold className="record-unfold" isUnfolded={isUnfolded} unfold={setUnfolded}>
            <OpeningRing look={openingLook(record)} size={30} />
            <span className="record-lines">
              <b>{openings.classes[record.class]}</b>
              <span className="small quiet">{why.filter(Boolean).join(' · ')}</span>
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
      {isUnfolded && (
        <tr className="record-detail">
          <td colSpan={columns}>
            <OpeningDetail record={record} gateway={gateway} reader={reader} />
          </td>
        </tr>
      )}
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
      days={byDay(records, ({ calledAt }) => sayDay(calledAt, reader))}
    >
      {(record, newer) => (
        <Row
          record={record}
          newer={newer}
          gateway={gateways.find(({ id }) => id === record.gatewayId)?.name}
          reader={reader}
          columns={Object.keys(columns).length}
          hasToDo={hasToDo}
        />
      )}
    </DayTable>
  )
}
