// The changes as a table with days as rows. On a phone each row is a card.

import type { ActivityEntry } from '@callgate/contract/rest/activity'
import type { Reader } from '../gates/gateWords.ts'
import { sayDay } from '../history/historyWords.ts'
import { DayTable } from '../kit/DayTable.tsx'
import { icons } from '../kit/icons.tsx'
import { activityTexts } from '../words/activityTexts.ts'
import { sayPerson } from '../words/person.ts'
import { byDay, timeOfDay } from '../words/time.ts'
import { sayAction, sayActor, sayChanges, sayNotes } from './activityWords.ts'

function Changes({ entry, reader }: { readonly entry: ActivityEntry; readonly reader: Reader }) {
  const says = activityTexts(reader.words)
  return (
    <>
      {sayNotes(entry, reader).map(note => (
        <span key={note} className="small quiet">
          {note}
        </span>
      ))}
      {sayChanges(entry, reader).map(({ field, from, to }) => (
        <span key={field} className="small">
          <span className="quiet">{field}: </span>
          {from !== '' && (
            <>
              <span className="heard">{says.fromTo(from, to)}</span>
              <span aria-hidden="true">
                <del className="entry-from">{from}</del>
                <icons.next size={16} />
              </span>
            </>
          )}
          <b aria-hidden={from !== ''}>{to}</b>
        </span>
      ))}
    </>
  )
}

function Row({ entry, reader }: { readonly entry: ActivityEntry; readonly reader: Reader }) {
  const { action, actor, targetLabel, timestamp } = entry
  const by = sayActor(actor, reader)
  return (
    <tr className="record entry">
      <td className="record-time quiet">
        <time dateTime={timestamp}>{timeOfDay(timestamp, reader.times)}</time>
      </td>
      <td className="record-result">
        <span className="record-lines">
          <b>{sayPerson(targetLabel, reader.words)}</b>
          <span className="small quiet">{sayAction(action, reader)}</span>
        </span>
      </td>
      <td className="record-todo">
        <span className="record-lines">
          <Changes entry={entry} reader={reader} />
        </span>
      </td>
      <td className="record-by">
        <span className="record-lines">
          <b>{by.name}</b>
          <span className="small quiet">{by.how}</span>
        </span>
      </td>
    </tr>
  )
}

export function ActivityList({
  entries,
  reader,
}: {
  readonly entries: readonly ActivityEntry[]
  readonly reader: Reader
}) {
  const says = activityTexts(reader.words)
  return (
    <DayTable
      className="records entries"
      caption={says.list}
      columns={says.columns}
      days={byDay(entries, ({ timestamp }) => sayDay(timestamp, reader))}
    >
      {entry => <Row entry={entry} reader={reader} />}
    </DayTable>
  )
}
