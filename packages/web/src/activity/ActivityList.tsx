// The changes as a table with days as rows. On a phone each row is a card.

import type { ActivityEntry } from '@callgate/contract/rest/activity'
import type { Reader } from '../gates/gateWords.ts'
import { sayDay } from '../history/historyWords.ts'
import { DayTable } from '../kit/DayTable.tsx'
import { icons } from '../kit/icons.tsx'
import { activityTexts } from '../words/activityTexts.ts'
import { sayPerson } from '../words/person.ts'
import { byDay, timeOfDay } from '../words/time.ts'
import { type Change, sayAction, sayActor, sayChanges, sayNotes } from './activityWords.ts'

interface Changed {
  readonly notes: readonly string[]
  readonly changes: readonly Change[]
  readonly reader: Reader
}

function Changes({ changes, notes, reader }: Changed) {
  const says = activityTexts(reader.words)
  return (
    <>
      {notes.map(note => (
        <span key={note} className="small quiet">
          {note}
        </span>
      ))}
      {changes.map(({ field, from, to }) => (
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
  const changed: Changed = { notes: sayNotes(entry, reader), changes: sayChanges(entry, reader), reader }
  const isMore = changed.notes.length + changed.changes.length > 0
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
      <td className={isMore ? 'record-todo' : 'record-todo record-todo-none'}>
        <span className="record-lines">
          {isMore ? <Changes {...changed} /> : <span className="hint">–</span>}
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
